// The command `assay order` shows in which order backends add, from results
// alone.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/host/open.h"
#include "cases/accumulation/measure_order.h"
#include "cases/accumulation/split.h"
#include "cases/read/pattern.h"
#include "reports/markdown.h"
#include "reports/order_report.h"
#include "reports/print.h"
#include "reports/progress.h"
#include "spec/error.h"
#include "spec/nearest.h"
#include "spec/printable_text.h"
#include "tools/command.h"
#include "tools/limit_flags.h"

namespace assay {
namespace {

// The trees of a few are shown without being asked for.
constexpr size_t kFewTrees = 6;
constexpr int32_t kLargestSize = 1 << 24;
constexpr int32_t kLargestSplit = 16384;

struct OrderFlags {
  std::vector<std::string> backends, ops = {"all"},
                                     types = {"f32", "bf16", "f16", "f64"};
  std::vector<int32_t> sizes = {8, 33, 1030};
  std::string policy, json, svg;
  int64_t most_calls = 2'000'000;
  bool trees = false, splits = false, in_process = false;
  LimitFlags limits{"60s"};
};

std::vector<const SumProbe*> ProbesOf(const std::vector<std::string>& ops) {
  std::vector<const SumProbe*> chosen;
  std::vector<bool> matches(ops.size());
  std::vector<std::string> names = {"all"};
  for (const SumProbe& probe : SumProbes()) {
    const std::string name = probe.name, op = probe.Op();
    bool is_chosen = false;
    for (size_t i = 0; i < ops.size(); ++i) {
      const bool match =
          ops[i] == "all" || ops[i] == op || Matches(ops[i], name, "");
      is_chosen |= match;
      matches[i] = matches[i] || match;
    }
    if (is_chosen) chosen.push_back(&probe);
    for (const std::string& known : {op, name}) {
      if (std::ranges::find(names, known) == names.end())
        names.push_back(known);
    }
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!matches[i])
      throw InputError(
          "--op", fmt::format("'{}' is no op whose sums are known{}; these "
                              "are: {}",
                              Cut(ops[i]), DidYouMean(ops[i], names),
                              fmt::join(names, ", ")));
  }
  return chosen;
}

std::vector<ElementType> TypesOf(const std::vector<std::string>& names) {
  std::vector<ElementType> types;
  for (const std::string& name : names) {
    const auto type = ParseElementType(name);
    if (!type || !IsFloat(*type))
      throw InputError(
          "--type", fmt::format("'{}' is no floating-point type", Cut(name)));
    types.push_back(*type);
  }
  return types;
}

// Returns whether what was found is as the policy asks for.
bool IsAsRequired(const OrdersOfBackend& found) {
  for (const MeasuredOrder& order : found.orders) {
    if (order.outcome == MeasuredOrder::Outcome::kFailed) return false;
    if (order.IsRevealed() && !order.IsLegal() &&
        RequiresOrder(*found.policy, *order.probe))
      return false;
  }
  return true;
}

OrdersOfBackend MeasureBackend(const OrderFlags& flags,
                               const std::string& backend,
                               const std::vector<const SumProbe*>& probes,
                               const std::vector<ElementType>& types) {
  OpenOptions open;
  open.in_process = flags.in_process;
  flags.limits.Fill(&open.limits);
  const std::unique_ptr<Executor> executor = OpenBackend(backend, open);
  const BackendInfo& info = executor->info();
  OrdersOfBackend found{backend,      info.name,
                        info.version, &PolicyFor(flags.policy, info.is_ours),
                        {},           {}};
  Progress progress(
      "revealing the order of " + backend,
      static_cast<int64_t>(probes.size() * types.size() * flags.sizes.size()));
  MeasureOptions options;
  options.most_calls = flags.most_calls;
  for (const SumProbe* probe : probes) {
    for (const ElementType type : types) {
      for (const int32_t n : flags.sizes) {
        const std::string name =
            fmt::format("{} {} n = {}", probe->name, Name(type), n);
        int64_t calls = 0;
        options.on_call = [&] {
          if (++calls % 64 == 0)
            progress.Note(fmt::format("{}: {} calls", name, calls));
        };
        found.orders.push_back(
            MeasureOrder(executor.get(), *probe, type, n, options));
        progress.Step(name);
      }
      options.on_call = [] {};
      if (flags.splits)
        found.splits.push_back(MeasureSplits(executor.get(), *probe, type,
                                             kLargestSplit, options));
    }
  }
  progress.Clear();
  return found;
}

int RunOrder(const OrderFlags& flags) {
  const std::vector<const SumProbe*> probes = ProbesOf(flags.ops);
  const std::vector<ElementType> types = TypesOf(flags.types);
  if (!flags.policy.empty()) PolicyFor(flags.policy, false);
  std::vector<OrdersOfBackend> found;
  bool has_started = true, is_as_required = true, is_revealed = false;
  for (const std::string& backend : flags.backends) {
    try {
      found.push_back(MeasureBackend(flags, backend, probes, types));
    } catch (const BackendError& e) {
      PrintText(stderr, "assay: {}\n", e.what());
      has_started = false;
      continue;
    }
    const OrdersOfBackend& one = found.back();
    if (flags.trees || one.orders.size() <= kFewTrees)
      PrintText("{}", TreesText(one));
    PrintText("{}", OrdersText(one));
    is_as_required &= IsAsRequired(one);
    for (const MeasuredOrder& order : one.orders)
      is_revealed |= order.IsRevealed();
  }
  if (!flags.json.empty()) WriteText(flags.json, OrdersAsJson(found));
  if (!flags.svg.empty()) WriteText(flags.svg, OrdersAsSvg(found));
  if (!has_started) return kExitStart;
  if (!is_as_required) return kExitFindings;
  return is_revealed ? kExitOk : kExitNothingJudged;
}

}  // namespace

void RegisterOrder(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "order", "Show in which order a backend adds, from its results alone");
  auto flags = std::make_shared<OrderFlags>();
  command->add_option("--backend", flags->backends, "As of `assay run`")
      ->required()
      ->type_name("BACKEND");
  AddText(*command, "--op", &flags->ops, "NAME|PATTERN",
          "reduce, reduce_window, dot_general, convolution, one way "
          "of them (dot_general/matmul, 'reduce/*'), or all");
  command
      ->add_option("--type", flags->types,
                   "Of the terms. Default: f32, bf16, f16, f64")
      ->type_name("TYPE");
  command
      ->add_option("--size", flags->sizes,
                   "So many terms. Default: 8, 33, 1030")
      ->check(CLI::Range(int32_t{1}, kLargestSize))
      ->type_name("N");
  command
      ->add_option("--policy", flags->policy,
                   "Whether it asks for the orders of reduce. Default: assay "
                   "for our backends, stablehlo for others")
      ->type_name("NAME|FILE.json");
  command->add_flag("--trees", flags->trees,
                    "Print the trees, also if they are many");
  command->add_flag("--splits", flags->splits,
                    "Also ask which parts the last addition joins, for 64, "
                    "128, .. 16384 terms");
  command
      ->add_option("--most-calls", flags->most_calls,
                   "A tree that takes more calls is not revealed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  AddText(*command, "--json", &flags->json, "FILE.json",
          "Write what was found as JSON");
  AddText(*command, "--svg", &flags->svg, "FILE.svg",
          "Draw each tree beside the sequential and the pairwise one");
  command->add_flag("--in-process", flags->in_process,
                    "Call the plugin in this process: faster, and a crash "
                    "ends it");
  flags->limits.AddTo(*command);
  command->callback([=] { *exit_code = RunOrder(*flags); });
}

}  // namespace assay
