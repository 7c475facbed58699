// The worst-error search looks for inaccurate results where a type has too many
// values to try all. From the worst of random points and of the grid it goes to
// neighbours (of the bits, of the exponent, with other mantissas, in one
// operand or both), keeps the one with the largest measured error, and begins
// elsewhere when it finds none that is worse.
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
  // The first verdict that is not a pass, if there is one: the backend declined
  // the call, or fails.
  std::optional<Verdict> failed;
};

// Returns a call of `op` on operands of a type and of this size, whose values
// the caller fills. Throws InputError if the op has no results with an error to
// search for, or attributes that would have to be chosen.
Case CallToSearch(const std::string& op, ElementType type, int64_t size);

// The same seed gives the same candidates. `judge` returns the verdict on a
// case; `progress` is called for every call.
WorstError SearchWorstError(
    const std::string& op, ElementType type, const WorstErrorOptions& options,
    const std::function<Verdict(const Case&)>& judge,
    const std::function<void(const WorstError&)>& progress);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_WORST_ERROR_SEARCH_H_
