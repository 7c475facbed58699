#include "cases/run/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay {

std::string Way::Name() const {
  if (!is_whole) return "op by op";
  std::string name = has_constants ? "with constants" : "as one program";
  if (compile > 1) name += fmt::format(", compile {}", compile);
  return name;
}

std::vector<Way> WaysOf(const Executor& executor) {
  const HowToRun& how = executor.how();
  std::vector<Way> ways;
  if (executor.RunsCalls()) ways.push_back({});
  for (int n = 1; executor.RunsPrograms() && n <= how.compiles; ++n) {
    if (how.operands != ProgramOperands::kConstants)
      ways.push_back({true, false, n});
    if (how.operands != ProgramOperands::kArguments)
      ways.push_back({true, true, n});
  }
  return ways;
}

Verdict MergeWays(std::vector<VerdictOnWay> verdicts) {
  std::vector<VerdictOnWay*> judged;
  for (VerdictOnWay& each : verdicts) {
    if (IsJudged(each.verdict.outcome)) judged.push_back(&each);
  }
  if (judged.empty()) return std::move(verdicts[0].verdict);
  std::vector<std::pair<std::string, Outcome>> outcomes;
  for (const VerdictOnWay* each : judged)
    outcomes.emplace_back(each->way.Name(), each->verdict.outcome);
  Verdict merged = std::move(
      (*std::ranges::min_element(judged, {}, [](const VerdictOnWay* each) {
        return Rank(each->verdict.outcome);
      }))->verdict);
  if (outcomes.size() == 1) return merged;
  const bool agree = std::ranges::all_of(outcomes, [&](const auto& outcome) {
    return outcome.second == outcomes[0].second;
  });
  if (!agree) {
    std::string text;
    for (const auto& [way, outcome] : outcomes)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", way,
                          assay::Name(outcome));
    merged.message += "\n  " + text;
  }
  merged.ways = std::move(outcomes);
  return merged;
}

}  // namespace assay
