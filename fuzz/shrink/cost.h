// The cost of a case says how far it is from the simplest one. Private to the
// shrinker.
#ifndef ASSAY_FUZZ_SHRINK_COST_H_
#define ASSAY_FUZZ_SHRINK_COST_H_

#include <array>
#include <cstdint>

#include "cases/case.h"

namespace assay {

// Costs are compared in this order: earlier calls, ops, ranks, elements,
// layouts, attributes, types, values. Each is a natural number, so there is no
// endless descent.
using Cost = std::array<int64_t, 9>;
Cost CostOf(const Case& c, bool is_variant);

// Returns the cost of one element: 0 is cheaper than 1, -1, 2 and other small
// whole numbers, those are cheaper than fractions of few bits, and those
// cheaper than -0, infinities, NaNs and subnormals.
int64_t ValueCost(ElementType type, ElementBits bits);

// Returns the cost of a type among those of its kind; the one that is tried
// first has 0.
int64_t TypeCost(ElementType type);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_COST_H_
