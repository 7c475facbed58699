// What a reader of the page sees first: the verdict on each backend, the counts
// behind it, and what was not judged.
#ifndef ASSAY_REPORTS_PAGE_OVERVIEW_H_
#define ASSAY_REPORTS_PAGE_OVERVIEW_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/page/matrix.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

// The verdict on a backend, as the terminal has it.
struct PageVerdict {
  enum class Kind { kGood, kBad, kNotJudged } kind = Kind::kGood;
  std::string backend, text;
};

// These are the counts of a run that the overview shows.
struct RunCounts {
  int64_t cases = 0, judged = 0;
  int64_t elements = 0, open = 0;             // of results
  std::map<std::string, int64_t> not_judged;  // cases by "outcome: reason"

  static RunCounts Of(const Summary& summary);
};

// Returns the section of the page.
std::string OverviewSection(const RunHeader& header,
                            const std::vector<PageVerdict>& verdicts,
                            const RunCounts& counts, const Matrix& matrix,
                            double seconds);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_OVERVIEW_H_
