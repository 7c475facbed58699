// Findings collect the outcomes that apply to a case; the first in the order of
// precedence becomes that of its verdict.
#ifndef ASSAY_CASES_RUN_FINDINGS_H_
#define ASSAY_CASES_RUN_FINDINGS_H_

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cases/run/verdict.h"

namespace assay {

class Findings {
 public:
  void Add(Outcome outcome, std::string basis, std::string message) {
    found_.push_back({outcome, std::move(basis), std::move(message)});
  }
  bool empty() const { return found_.empty(); }
  bool Has(Outcome outcome) const {
    return std::ranges::find(found_, outcome, &Found::outcome) != found_.end();
  }
  // Adds to the message of the last finding.
  void Note(const std::string& text) { found_.back().message += text; }
  void MoveTo(Verdict* verdict) {
    std::ranges::stable_sort(found_, {},
                             [](const Found& f) { return Rank(f.outcome); });
    verdict->outcome = found_.front().outcome;
    verdict->basis = std::move(found_.front().basis);
    verdict->message = std::move(found_.front().message);
    for (size_t i = 1; i < found_.size(); ++i) {
      const Found& found = found_[i];
      verdict->message +=
          fmt::format("\n  also {}: {}", Name(found.outcome), found.message);
      if (found.outcome != found_[i - 1].outcome)
        verdict->also.push_back(found.outcome);
    }
  }

 private:
  struct Found {
    Outcome outcome;
    std::string basis, message;
  };
  std::vector<Found> found_;
};

}  // namespace assay

#endif  // ASSAY_CASES_RUN_FINDINGS_H_
