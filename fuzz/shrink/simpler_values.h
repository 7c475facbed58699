// The shrinker tries these in the place of a value or a layout. Private to it.
#ifndef ASSAY_FUZZ_SHRINK_SIMPLER_VALUES_H_
#define ASSAY_FUZZ_SHRINK_SIMPLER_VALUES_H_

#include <vector>

#include "spec/types/tensor.h"

namespace assay {

// Returns values that cost less (cost.h), the cheapest first: small numbers,
// then those that are half way.
std::vector<ElementBits> SimplerBits(ElementType type, ElementBits bits);

// Returns 1, or true.
ElementBits BitsOfOne(ElementType type);

// Returns the layout with the order and the signs of the strides kept, without
// gaps; then all positive; then with every second element unused, or one gap
// between rows.
std::vector<Layout> SimplerLayouts(const Layout& layout, const Shape& shape);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_SIMPLER_VALUES_H_
