// A comparison says what changed between two runs, case by case.
#ifndef ASSAY_REPORTS_COMPARE_H_
#define ASSAY_REPORTS_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/results.h"

namespace assay {

struct CaseChange {
  std::string backend, case_name, op, type;
  // The clauses that decided the failure after, or else the one before.
  std::string clauses;
  std::optional<Outcome> before, after;  // empty: the case is not there
  std::optional<double> error_before, error_after;
};

struct Comparison {
  std::string old_file;
  bool is_of_one_suite = true;
  std::vector<CaseChange> worse;   // passed, and now does not
  std::vector<CaseChange> better;  // the other way round
  std::vector<CaseChange> other;   // another outcome that is no pass
  std::vector<CaseChange> grown;   // same outcome, error more than 10 % larger
  std::vector<CaseChange> added, removed;
  int64_t same = 0;

  std::string ToText() const;
  std::string ToMarkdown() const;
};

// Compares by backend and case. Two runs of one backend each are compared
// whatever the backends are called. Throws InputError if they have no backend
// in common.
Comparison Compare(const Results& before, const Results& after);

}  // namespace assay

#endif  // ASSAY_REPORTS_COMPARE_H_
