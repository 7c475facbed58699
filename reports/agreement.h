// Agreement says which of the backends of one run pass where others do not. A
// case that fails everywhere points at the suite or its policy, one that fails
// alone at a backend; the count of each backend does not tell them apart.
#ifndef ASSAY_REPORTS_AGREEMENT_H_
#define ASSAY_REPORTS_AGREEMENT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/run_header.h"

namespace assay {

class Agreement {
 public:
  // The backends are those of `header`, in its order.
  explicit Agreement(const RunHeader& header);

  // Adds each verdict of the run once, in any order of backends and cases.
  // Cases that were not judged do not count, and a failure that a baseline
  // waives still does not count as a pass.
  void Add(const Verdict& verdict);

  // Returns a table of pairs of backends: the cases judged on both that pass on
  // the first and not on the second; below it are the first such cases in the
  // order of the suite. Returns one line if there are no such cases, and
  // nothing for one backend.
  std::string ToText() const;

 private:
  // Each backend has a character.
  enum Mark : char { kNotJudged = ' ', kPasses = '+', kDoesNotPass = '-' };
  // For two backends, a Pair counts the cases judged on both, and those of them
  // that pass on the first and not on the second.
  struct Pair {
    int64_t judged = 0, first_only = 0;
  };

  std::string UnanimityText() const;
  std::string JudgedText() const;
  std::string TableText() const;
  std::string CasesText() const;

  std::vector<std::string> backends_;
  std::vector<std::vector<Pair>> pairs_;  // by first and second backend
  // Both maps have the place of the case in the suite as key. There are marks
  // of all cases, about 60 bytes each, and names of the first disagreements,
  // which are printed.
  std::unordered_map<int64_t, std::string> marks_;
  std::map<int64_t, std::string> names_;
  int64_t compared_ = 0;       // cases judged on two backends or more
  int64_t disagreements_ = 0;  // cases
};

}  // namespace assay

#endif  // ASSAY_REPORTS_AGREEMENT_H_
