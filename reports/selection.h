// These functions take a selection of a suite (--op) out of results, and join
// several selections.
#ifndef ASSAY_REPORTS_SELECTION_H_
#define ASSAY_REPORTS_SELECTION_H_

#include <string>
#include <vector>

#include "reports/results.h"

namespace assay {

// Says in which files and cases two results differ that should be of one suite:
// "conformance/add.json differ; add/x in a.jsonl only".
std::string CasesThatDiffer(const Results& a, const Results& b);

// Returns one run of the cases of several: first those of the first, then those
// of the second that are not among them, and so on. Precondition: each is
// complete, as Merge leaves it. Throws InputError if they are not of one suite
// and one set of backends, or a case has two outcomes.
Results JoinSelections(std::vector<Results> selections);

// Returns the verdicts on the cases that the patterns choose, as --op does.
// Throws InputError for a pattern that chooses none.
Results Selected(const Results& results, const std::vector<std::string>& ops);

}  // namespace assay

#endif  // ASSAY_REPORTS_SELECTION_H_
