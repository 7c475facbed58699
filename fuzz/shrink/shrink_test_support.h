// The tests of the shrinker share kernels that are wrong where a test says so.
#ifndef ASSAY_FUZZ_SHRINK_SHRINK_TEST_SUPPORT_H_
#define ASSAY_FUZZ_SHRINK_SHRINK_TEST_SUPPORT_H_

#include <functional>

#include "cases/run/runner.h"
#include "fuzz/shrink/shrink.h"
#include "spec/policy.h"

namespace assay {

// Returns the verdict of a kernel that is wrong wherever `is_wrong` says so.
template <class F>  // F(case): whether it fails
std::function<Verdict(const Case&)> WrongWhere(F is_wrong) {
  return [=](const Case& c) {
    Verdict verdict = VerdictOf(c, "made");
    if (is_wrong(c)) {
      verdict.outcome = Outcome::kFail;
      verdict.basis = "text";
      verdict.clauses = {"add/S2"};
    }
    return verdict;
  };
}

inline Shrunk ShrunkOf(const Case& c,
                       const std::function<Verdict(const Case&)>& judge,
                       int most = 2000) {
  return Shrink(c, "", {most, &Policy::Find("assay")}, judge);
}

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_SHRINK_TEST_SUPPORT_H_
