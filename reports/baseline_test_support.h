// The tests of baselines use these entries and runs of one backend.
#ifndef ASSAY_REPORTS_BASELINE_TEST_SUPPORT_H_
#define ASSAY_REPORTS_BASELINE_TEST_SUPPORT_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/gate.h"
#include "reports/reports_test_support.h"

namespace assay {

inline BaselineEntry Entry(const std::string& pattern,
                           std::set<Outcome> outcomes,
                           const std::string& reason = "known") {
  BaselineEntry entry;
  entry.pattern = pattern;
  entry.outcomes = std::move(outcomes);
  entry.reason = reason;
  return entry;
}

inline Baseline MakeBaseline(std::vector<BaselineEntry> entries,
                             JudgedCounts judged = {}) {
  return {"b.json",
          {{"simd", {"numpy", std::move(judged), std::move(entries)}}}};
}

inline Results RunOnSimd(std::vector<Verdict> verdicts) {
  return MakeResults("r.jsonl", MakeHeader({"simd"}, verdicts.size()),
                     verdicts);
}

inline GateResult Check(const Baseline& baseline, const Results& results,
                        std::vector<std::string> require = {}) {
  return RunGate({&baseline, std::move(require), "2026-06-01"}, results);
}

}  // namespace assay

#endif  // ASSAY_REPORTS_BASELINE_TEST_SUPPORT_H_
