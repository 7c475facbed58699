// The command `assay worst-error` searches for the worst error of an op on a
// type.
#include <fmt/format.h>

#include <memory>

#include "backends/host/open.h"
#include "cases/read/case_json.h"
#include "cases/run/runner.h"
#include "cases/variants/worst_error_search.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "reports/summary.h"
#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/command.h"
#include "tools/limit_flags.h"

namespace assay {
namespace {

struct WorstErrorFlags {
  std::string backend, op, type, policy, out;
  WorstErrorOptions options;
  LimitFlags limits{"60s"};
};

int RunWorstError(const WorstErrorFlags& flags) {
  const auto type = ParseElementType(flags.type);
  if (!type)
    throw InputError("--type",
                     IsQuantizedType(flags.type)
                         ? QuantizedTypeError(flags.type)
                         : fmt::format("'{}' is no element type", flags.type));
  CallToSearch(flags.op, *type, 1);  // before anything starts
  OpenOptions open;
  flags.limits.Fill(&open.limits);
  std::unique_ptr<Executor> executor;
  try {
    executor = OpenBackend(flags.backend, open);
  } catch (const BackendError& e) {
    PrintText(stderr, "assay: {}\n", e.what());
    return kExitStart;
  }
  const Policy& policy = PolicyFor(flags.policy, executor->info().is_ours);
  Runner runner(executor.get(), policy);
  Progress progress("searching", flags.options.candidates / 4096);
  const WorstError search = SearchWorstError(
      flags.op, *type, flags.options,
      [&](const Case& c) { return runner.Run(c); },
      [&](const WorstError& so_far) {
        progress.Step(fmt::format("{:.4f} ulp", so_far.error));
      });
  progress.Clear();
  PrintText(
      "{} on {}, backend {}, policy {}, seed {}: {} candidates, {} "
      "starts\n",
      flags.op, Name(*type), flags.backend, policy.name(), flags.options.seed,
      search.candidates, search.starts);
  if (search.worst) {
    PrintText("  worst error {:.4f} ulp", search.error);
    if (search.budget > 0)  // 0: an inequality decides
      PrintText(", {:.3f} of the budget of {}", search.error / search.budget,
                search.budget);
    PrintText("\n");
    // The worst operand is also judged alone, because a vector loop and its
    // scalar remainder may compute different results.
    const Verdict alone = runner.Run(*search.worst);
    if (alone.accuracy) PrintText("  alone {}\n", alone.accuracy->worst);
    if (!flags.out.empty()) {
      std::string id = "worst_" + flags.type;
      std::erase(id, '>');
      for (char& c : id) c = c == '<' ? '_' : c;
      KeepCase(flags.out, flags.op, CaseAsJson(*search.worst, id));
      PrintText("  kept as {}#{}\n  replay: assay run {} --policy {} {} {}{}\n",
                flags.out, id, ShellFlag("--backend", flags.backend),
                policy.name(), ShellFlag("--cases", flags.out),
                ShellFlag("--op", flags.op + "/" + id),
                flags.limits.ReplayText(/*always=*/false));
    }
  }
  if (search.failed) {
    Verdict failed = *search.failed;
    // The replay is the search itself, because no suite has the case.
    failed.replay = fmt::format(
        "assay worst-error {} {} {} {} --seed {} --count {}{}",
        ShellFlag("--backend", flags.backend), policy.ToFlag(),
        ShellFlag("--op", flags.op), ShellFlag("--type", flags.type),
        flags.options.seed, flags.options.candidates,
        flags.limits.ReplayText(/*always=*/false));
    PrintText("{}", FailureText(failed));
    if (IsJudged(search.failed->outcome)) return kExitFindings;
  }
  if (search.worst) return kExitOk;
  PrintText("no error was measured\n");
  return kExitNothingJudged;
}

}  // namespace

void RegisterClimb(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "worst-error", "Search for the worst error of an op on a type");
  auto flags = std::make_shared<WorstErrorFlags>();
  command->add_option("--backend", flags->backend, "As of `assay run`")
      ->required()
      ->type_name("BACKEND");
  command->add_option("--op", flags->op, "An op whose results have a budget")
      ->required()
      ->type_name("NAME");
  command->add_option("--type", flags->type, "Of the operands: f32, f64, ..")
      ->required()
      ->type_name("TYPE");
  command->add_option("--seed", flags->options.seed, "Another search")
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--count", flags->options.candidates,
                   "Operands to try, in calls of 4096")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      ->add_option("--policy", flags->policy,
                   "Whose budget it is. Default: assay for our backends, "
                   "stablehlo for others")
      ->type_name("NAME|FILE.json");
  flags->limits.AddTo(*command);
  AddText(*command, "--out", &flags->out, "CASE.json",
          "A file of cases that keeps the worst one, beside what it "
          "holds");
  command->callback([=] { *exit_code = RunWorstError(*flags); });
}

}  // namespace assay
