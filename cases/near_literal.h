// Literals that a result must be near to: the checks of StableHLO's tests do
// not compare bits.
//
// No check of StableHLO's interpreter can tell the zeros apart, and its NaNs
// are one. `expect_almost_eq` allows an absolute difference, `expect_close` a
// number of units in the last place; both compare complex numbers by part.
#ifndef ASSAY_CASES_NEAR_LITERAL_H_
#define ASSAY_CASES_NEAR_LITERAL_H_

#include <cstdint>

#include "oracle/expectation.h"
#include "spec/types/tensor.h"

namespace assay {

// Two floats are near if either limit holds: they differ by `absolute` at most,
// or there are fewer than `ulps` values of the type between them.
struct Nearness {
  double absolute = 0;
  int64_t ulps = 0;
};

// Precondition: IsFloat(type).
bool IsNear(ElementType type, ElementBits a, ElementBits b,
            const Nearness& nearness);

// Returns the literal with each element that is not allowed, and is near to one
// that is, replaced by that one.
Tensor MovedToAllowed(const Tensor& literal, const Nearness& nearness,
                      const Expectation& expectation);

}  // namespace assay

#endif  // ASSAY_CASES_NEAR_LITERAL_H_
