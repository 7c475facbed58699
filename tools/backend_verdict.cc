#include "tools/backend_verdict.h"

#include <fmt/format.h>

#include <utility>

namespace assay {

void BackendCounts::Add(const Verdict& verdict,
                        const Expectedness& expectedness) {
  using Kind = Expectedness::Kind;
  ++cases;
  judged += IsJudged(verdict.outcome);
  passed += verdict.outcome == Outcome::kPass;
  unexpected += expectedness.kind == Kind::kUnexpected;
  unexpected_passes += expectedness.kind == Kind::kUnexpectedPass;
  known +=
      expectedness.kind == Kind::kExpected && verdict.outcome != Outcome::kPass;
}

void BackendCounts::Record() {
  known += std::exchange(unexpected, 0);
  unexpected_passes = 0;
}

BackendVerdict VerdictOn(const BackendCounts& counts, int64_t contradictions,
                         bool was_given_up) {
  BackendVerdict verdict{Color::kRed, ""};
  std::string& says = verdict.text;
  if (was_given_up) {
    says = "GIVEN UP";
  } else if (counts.unexpected > 0) {
    says = fmt::format("DOES NOT CONFORM, {} of {} judged cases failed",
                       counts.unexpected, counts.judged);
    if (counts.known > 0)
      says += fmt::format(" and {} more that are known", counts.known);
  } else if (contradictions > 0) {
    says = fmt::format(
        "DOES NOT CONFORM, no one way of flushing explains {} ops and types",
        contradictions);
  } else if (counts.unexpected_passes > 0) {
    says = fmt::format("NOT AS ITS BASELINE SAYS, {} waived failures pass",
                       counts.unexpected_passes);
  } else if (counts.judged == 0) {
    says = fmt::format("NOT JUDGED, of {} cases", counts.cases);
    verdict.color = Color::kYellow;
  } else {
    says = counts.known > 0 ? fmt::format(
                                  "as its baseline says, {} known "
                                  "failures",
                                  counts.known)
                            : "conforms";
    verdict.color = Color::kGreen;
  }
  if (counts.judged > 0)
    verdict.counts = fmt::format("{} passed, {} not judged", counts.passed,
                                 counts.cases - counts.judged);
  return verdict;
}

}  // namespace assay
