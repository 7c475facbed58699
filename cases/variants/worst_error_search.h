// A search for inaccurate results where a type has too many values to try all:
// it climbs on the measured error. From the worst of random points and of the
// grid it goes to neighbours (of the bits, of the exponent, with other
// mantissas, in one operand or both), keeps the worst, and begins elsewhere
// when it finds none that is worse.
#ifndef ASSAY_CASES_VARIANTS_WORST_ERROR_SEARCH_H_
#define ASSAY_CASES_VARIANTS_WORST_ERROR_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/run/verdict.h"

namespace assay {

struct WorstErrorOptions {
  uint64_t seed = 0;
  int64_t candidates = int64_t{1} << 20;  // at least; a call has 4096
};

struct WorstError {
  int64_t candidates = 0, starts = 0;
  double error = -1;  // units in the last place; -1: nothing was measured
  double budget = 0;
  std::optional<Case> worst;  // of one element
  // The first verdict that is not a pass, if there is one: what the backend
  // declined, or does wrong.
  std::optional<Verdict> failed;
};

// The call of `op` on operands of a type and of this size, whose values are the
// caller's to fill. Throws InputError if the op has no results with an error to
// climb on, or attributes that would have to be chosen.
Case CallToSearch(const std::string& op, ElementType type, int64_t size);

// The same seed, the same candidates. `judge` gives the verdict on a case;
// `progress` is told of every call.
WorstError SearchWorstError(
    const std::string& op, ElementType type, const WorstErrorOptions& options,
    const std::function<Verdict(const Case&)>& judge,
    const std::function<void(const WorstError&)>& progress);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_WORST_ERROR_SEARCH_H_
