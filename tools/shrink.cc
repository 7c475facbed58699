// The command `assay shrink` finds the smallest case that still fails.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "backends/host/open.h"
#include "cases/variants/layout_variants.h"
#include "fuzz/campaign/finding.h"
#include "reports/print.h"
#include "reports/summary.h"
#include "spec/error.h"
#include "tools/command.h"
#include "tools/limit_flags.h"
#include "tools/shrunk_case.h"

namespace assay {
namespace {

struct ShrinkFlags {
  std::string chosen, backend, policy, out, memory;
  LimitFlags limits{"10s"};
  std::vector<std::string> after;
  int most_executions = 2000;
};

// Splits "CASE@LAYOUT" into the case and the layout.
Case FindVariant(const std::string& argument, const std::string& memory,
                 std::string* sweep) {
  const size_t at = argument.rfind('@');
  // An '@' before a '/' or '#' is part of a path.
  const bool has_sweep = at != std::string::npos &&
                         argument.find_first_of("/#", at) == std::string::npos;
  if (!has_sweep || argument.ends_with(".json"))
    return FindCase(argument, memory);
  *sweep = argument.substr(at + 1);
  Case c = FindCase(argument.substr(0, at), memory);
  for (const VariantKind& kind : VariantKinds()) {
    if (*sweep == kind.name && HasVariant(c, kind.name)) return c;
  }
  throw InputError(argument, fmt::format("{} has no layout '{}'; `assay list "
                                         "layouts` lists them",
                                         c.name, *sweep));
}

int RunShrink(const ShrinkFlags& flags) {
  std::string sweep;
  Case c = FindVariant(flags.chosen, flags.memory, &sweep);
  if (!flags.after.empty())
    c.after = FindEarlier(
        ReadSuite(DefaultSuite(), {ParseBytes(flags.memory), {}}), flags.after);
  if (c.trait || c.chunk > 0 || !c.Runs())
    throw InputError(flags.chosen,
                     "is verified, judged in chunks or dynamic: there is "
                     "nothing that runs to make smaller");
  OpenOptions open;
  flags.limits.Fill(&open.limits);
  open.limits.memory = ParseBytes(flags.memory);
  std::unique_ptr<Executor> executor;
  if (!Backend::IsSpec(flags.backend))
    executor = OpenBackend(flags.backend, open);
  const Policy& policy =
      PolicyFor(flags.policy, !executor || executor->info().is_ours);
  const ShrinkOptions options{flags.most_executions, &policy};
  Shrunk shrunk = Shrink(c, sweep, options, JudgeBy(executor.get(), policy));
  if (!shrunk.fails) {
    PrintText("{} does not fail: {}\n", c.name, Name(shrunk.verdict.outcome));
    if (!shrunk.verdict.message.empty())
      PrintText("  {}\n", shrunk.verdict.message);
    return kExitNothingJudged;
  }
  const std::string id = "shrunk";
  // The replay of the case that was given is dropped: the one printed below is
  // of the written file.
  shrunk.verdict.case_name = shrunk.c.op + "/" + id;
  shrunk.verdict.replay.clear();
  const std::string file =
      CaseFileOf(shrunk.c, shrunk.variant, shrunk.verdict, id);
  PrintText("{}", FailureText(shrunk.verdict));
  PrintText("{} executions{}\n", shrunk.executions,
            shrunk.is_complete
                ? ""
                : ", which is all that --executions allows: it may not be "
                  "the smallest");
  if (flags.out.empty()) {
    PrintText("{}", file);
  } else {
    std::ofstream stream(flags.out, std::ios::binary | std::ios::trunc);
    stream << file << std::flush;
    if (!stream) throw InputError(flags.out, "cannot be written");
    PrintText("replay: {}\n", ReplayOf(shrunk, id, flags.out, flags.backend,
                                       policy, flags.limits, flags.memory));
  }
  return kExitFindings;
}

}  // namespace

void RegisterShrink(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "shrink", "Find the smallest case that still fails in the same way");
  auto flags = std::make_shared<ShrinkFlags>();
  command
      ->add_option("CASE", flags->chosen,
                   "A case's name, with its layout if it fails in one "
                   "(add/x@step2), FILE.json#id, FILE.mlir#function, or a file "
                   "that holds one")
      ->required();
  command->add_option("--backend", flags->backend, "As of `assay run`")
      ->required()
      ->type_name("BACKEND");
  command
      ->add_option("--policy", flags->policy,
                   "Default: assay for our backends, stablehlo for others")
      ->type_name("NAME|FILE.json");
  AddText(*command, "--after", &flags->after, "CASE",
          "A case of the suite that a new process is given first, "
          "each time; several, in their order. Fewer may do");
  AddText(*command, "--out", &flags->out, "CASE.json", "A file for the case");
  flags->limits.AddTo(*command, "A hang is waited for again and again.");
  AddMemoryTo(*command, &flags->memory);
  command
      ->add_option("--executions", flags->most_executions,
                   "Cases to try at most")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str()
      ->type_name("N");
  command->callback([=] { *exit_code = RunShrink(*flags); });
}

}  // namespace assay
