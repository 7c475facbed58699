// The command `assay bench --constraints` measures CheckConstraints on the
// calls of the suite, valid ones and others, op by op.
#include "tools/bench/bench_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cases/case.h"
#include "cases/read/pattern.h"
#include "reports/print.h"
#include "spec/policy.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr int kConstraintRounds = 5;
// Calls of an op that are measured, evenly spread over those of the suite.
constexpr size_t kMostCalls = 200;

using CallsByOp = std::map<std::string, std::vector<const Op*>>;

CallsByOp CallsOf(const std::vector<Case>& suite) {
  CallsByOp calls;
  for (const Case& c : suite) {
    if (c.trait || c.verified_text || c.program.main().body.size() != 1)
      continue;
    const Op& op = c.program.main().body[0];
    if (FindOp(op.op)->source == "stablehlo") calls[op.op].push_back(&op);
  }
  return calls;
}

// Returns the microseconds of a call.
double Measure(const std::vector<const Op*>& calls) {
  const size_t step = 1 + calls.size() / kMostCalls;
  const OpSpec& spec = *FindOp(calls[0]->op);
  const Policy& policy = Policy::Find("assay");
  size_t count = 0;
  std::vector<double> seconds;
  for (int round = 0; round < kConstraintRounds; ++round) {
    count = 0;
    seconds.push_back(CpuSeconds([&] {
      for (size_t i = 0; i < calls.size(); i += step, ++count)
        CheckConstraints(spec, *calls[i], policy);
    }));
  }
  return Median(seconds) / static_cast<double>(count) * 1e6;
}

}  // namespace

ExitCode BenchConstraints(const std::vector<std::string>& patterns) {
  const std::vector<Case> suite = ReadSuite(DefaultSuite(), {});
  PrintText(
      "constraints of a call: one thread, time of the processor, median of {}, "
      "calls of the suite\n",
      kConstraintRounds);
  PrintText("{:<28} {:>11} {:>8} {:>8}\n", "op", "constraints", "calls", "us");
  std::vector<double> all;
  for (const auto& [op, calls] : CallsOf(suite)) {
    const bool is_chosen =
        patterns.empty() ||
        std::ranges::any_of(patterns, [&, &name = op](const std::string& p) {
          return Matches(p, name, "");
        });
    if (!is_chosen) continue;
    all.push_back(Measure(calls));
    PrintText("{:<28} {:>11} {:>8} {:>8.1f}\n", op,
              FindOp(op)->constraints.size(), calls.size(), all.back());
  }
  if (all.empty()) return kExitNothingJudged;
  std::ranges::sort(all);
  PrintText("median over {} ops: {:.1f} us; the slowest: {:.1f} us\n",
            all.size(), all[all.size() / 2], all.back());
  return kExitOk;
}

}  // namespace assay
