// How far a case is from the smallest there is. Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_COST_H_
#define ASSAY_FUZZ_SHRINK_COST_H_

#include <array>
#include <cstdint>

#include "cases/case.h"

namespace assay {

// Ordered as it stands: earlier calls, ops, ranks, elements, layouts,
// attributes, types, values. Each is a natural number, so there is no endless
// descent.
using Cost = std::array<int64_t, 9>;
Cost CostOf(const Case& c, bool is_swept);

// Of one element: 0 before 1, -1, 2 and other small whole numbers, those before
// fractions of few bits, and those before -0, infinities, NaNs and subnormals.
int64_t ValueCost(ElementType type, ElementBits bits);

// Of types that a kind has: the one that is tried first has 0.
int64_t TypeCost(ElementType type);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_COST_H_
