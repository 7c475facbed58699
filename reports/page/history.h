// How a run compares with earlier ones: the worst error beside its budget of
// each op, the failures, and the time of the suite, over the files of a folder.
#ifndef ASSAY_REPORTS_PAGE_HISTORY_H_
#define ASSAY_REPORTS_PAGE_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reports/page/page.h"
#include "reports/results.h"

namespace assay {

class History {
 public:
  // Reads the results files of a folder, the newest kMostRuns by the time in
  // their header, one after the other. Throws InputError if the folder cannot
  // be read, or a file of it is not complete results. `most_bytes` limits what
  // is kept of one file.
  History(const std::string& folder, int64_t most_bytes);

  // Adds a run, unless it is one of those that are there.
  void Add(const Results& results);
  PageSection Section() const;

  static constexpr size_t kMostRuns = 200;

 private:
  struct Run {
    std::string time, suite, backends;
  };

  // The keys are runs, by their number in `runs_`.
  using Series = std::map<size_t, double>;
  // Raises the value of a run to `value`, or sets it.
  static void Raise(Series* series, size_t run, double value);
  std::string RowHtml(const std::string& backend, const std::string& subject,
                      const std::string& measure, const Series& series) const;

  std::vector<Run> runs_;  // in the order in which they were added
  // The keys are the backends, the op or "suite", and what is measured.
  std::map<std::tuple<std::string, std::string, std::string>, Series> series_;
  int64_t left_out_ = 0;  // files that are older, or hold no results
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_HISTORY_H_
