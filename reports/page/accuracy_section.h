// How near results are to the real values: a heat map of the worst error beside
// its budget, then a histogram and the worst element of each op and type.
#ifndef ASSAY_REPORTS_PAGE_ACCURACY_SECTION_H_
#define ASSAY_REPORTS_PAGE_ACCURACY_SECTION_H_

#include <map>
#include <string>
#include <utility>

#include "cases/run/verdict.h"

namespace assay {

// The keys are the backend, then the op and the element type of its first
// input.
using AccuracyTable =
    std::map<std::string,
             std::map<std::pair<std::string, std::string>, Accuracy>>;

// Returns the section of the page, or an empty text if nothing was measured.
std::string AccuracySection(const AccuracyTable& accuracies);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_ACCURACY_SECTION_H_
