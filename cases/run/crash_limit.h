// A CrashLimit bounds what the crashes of a backend cost. A backend that dies
// of every call of an op dies of a thousand cases, and each costs a process,
// and each hang a timeout, but the fourth shows nothing that the first three
// did not.
#ifndef ASSAY_CASES_RUN_CRASH_LIMIT_H_
#define ASSAY_CASES_RUN_CRASH_LIMIT_H_

#include <map>
#include <string>

#include "cases/case.h"
#include "cases/run/verdict.h"

namespace assay {

// Counts the cases that ended their process, by signature: op, element types
// and layout of a variant. From a number of them on, further cases of the
// signature are skipped.
class CrashLimit {
 public:
  // `most` is the number of cases of a signature that may end their process; 0:
  // all.
  explicit CrashLimit(int most = 0) : most_(most) {}

  int most() const { return most_; }
  // Returns whether no more cases of its signature are given to the backend.
  bool IsSpent(const Case& c) const;
  // Counts a verdict; one whose signature is spent becomes "skipped: crashed
  // like CASE". If verdicts come in the order of the suite, what is skipped
  // does not depend on how many cases were under way.
  void Take(const Case& c, Verdict* verdict);

 private:
  struct Ended {
    int count = 0;
    std::string first;  // name of the case
    Outcome outcome = Outcome::kCrash;
  };
  const Ended* Find(const Case& c) const;

  int most_;
  std::map<std::string, Ended> ended_;  // by signature
};

}  // namespace assay

#endif  // ASSAY_CASES_RUN_CRASH_LIMIT_H_
