// This is the table of errors that a person reads at the end of a run.
#ifndef ASSAY_REPORTS_ACCURACY_TEXT_H_
#define ASSAY_REPORTS_ACCURACY_TEXT_H_

#include <map>
#include <string>
#include <utility>

#include "cases/run/verdict.h"

namespace assay {

// Returns a table by op and element type: elements measured, the worst error in
// units in the last place of the real value, the budget, their quotient, the
// smallest relative error that the cases would notice; then the elements by the
// tier that decided them.
std::string AccuracyText(
    const std::string& backend,
    const std::map<std::pair<std::string, std::string>, Accuracy>& rows);

// Returns the table of a sweep, which is worth one of its own: what was judged,
// the worst element, and the histogram of errors.
std::string SweepText(const Verdict& verdict);

}  // namespace assay

#endif  // ASSAY_REPORTS_ACCURACY_TEXT_H_
