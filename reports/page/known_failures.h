// Failures that a baseline waives: what is known, who looks after it, and until
// when.
#ifndef ASSAY_REPORTS_PAGE_KNOWN_FAILURES_H_
#define ASSAY_REPORTS_PAGE_KNOWN_FAILURES_H_

#include <cstdint>
#include <map>
#include <string>

#include "reports/gate.h"

namespace assay {

class KnownFailures {
 public:
  // Adds what an entry of the baseline decides: a failure that is expected, or
  // a pass where every entry waives a failure. The entry must outlive the
  // object.
  void Add(const Expectedness& expectedness, bool passed);
  // Returns the section of the page, or an empty text if no entry decided
  // anything.
  std::string ToHtml() const;

 private:
  struct Cases {
    int64_t failed = 0, passed = 0;
  };
  std::map<const BaselineEntry*, Cases> entries_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_KNOWN_FAILURES_H_
