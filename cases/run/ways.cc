#include "cases/run/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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
  std::vector<std::pair<std::string, Outcome>> outcomes;
  std::set<Outcome> judged;
  std::string text;
  for (const auto& [way, verdict] : verdicts) {
    outcomes.emplace_back(way.Name(), verdict.outcome);
    if (IsJudged(verdict.outcome)) judged.insert(verdict.outcome);
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", way.Name(),
                        assay::Name(verdict.outcome));
  }
  Verdict merged = std::move(
      std::ranges::min_element(verdicts, {}, [](const VerdictOnWay& each) {
        const Outcome outcome = each.verdict.outcome;
        return std::pair(!IsJudged(outcome), Rank(outcome));
      })->verdict);
  if (judged.size() > 1) merged.message += "\n  " + text;
  if (!judged.empty() && outcomes.size() > 1) merged.ways = std::move(outcomes);
  return merged;
}

}  // namespace assay
