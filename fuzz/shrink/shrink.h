// The shrinker finds the smallest case that a backend still gets wrong in the
// same way.
//
// Passes go from coarse to fine, ops before dimensions before layouts before
// values, each until it finds nothing more, and all of them again until none
// does. An accepted change costs strictly less (cost.h) and fails in the same
// way (smallest.h), so shrinking ends, a second time changes nothing, and one
// bug does not become another on the way. The backend is called through an
// executor: a worker that a case kills or hangs is started again, and the case
// is shrunk like any other.
#ifndef ASSAY_FUZZ_SHRINK_SHRINK_H_
#define ASSAY_FUZZ_SHRINK_SHRINK_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "cases/case.h"
#include "cases/run/verdict.h"
#include "spec/policy.h"

namespace assay {

struct ShrinkOptions {
  int most_executions = 2000;
  const Policy* policy = nullptr;
  // A backend that hangs takes the time of its limit at every execution.
  std::optional<std::chrono::seconds> most_time = std::nullopt;
  // If it returns true, no more candidates are tried.
  std::function<bool()> is_over = nullptr;
};

struct Shrunk {
  Case c;  // literal values
  std::string
      variant;      // the layout or relation it is judged in; empty: as it is
  Verdict verdict;  // on it
  int executions = 0;       // of cases, the first one counted
  bool is_complete = true;  // false: executions or time were used up
  bool fails = true;        // false: the case that was given passes
};

// `judge` returns the verdict on a case as it is to be run. `variant` is that
// of the case that was found. If `judge` throws Interrupted, the smallest case
// so far is returned, and if there is none, that is thrown. Precondition: the
// case is static, and no trait or variant.
Shrunk Shrink(const Case& c, const std::string& variant,
              const ShrinkOptions& options,
              const std::function<Verdict(const Case&)>& judge);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_SHRINK_H_
