// What the shrinker tries in the place of a value or a layout. Private to it.
#ifndef ASSAY_FUZZ_SHRINK_SIMPLER_VALUES_H_
#define ASSAY_FUZZ_SHRINK_SIMPLER_VALUES_H_

#include <vector>

#include "spec/types/tensor.h"

namespace assay {

// Values that cost less (cost.h), the cheapest first: small numbers, then those
// that are half way.
std::vector<ElementBits> SimplerBits(ElementType type, ElementBits bits);

// 1, and true.
ElementBits BitsOfOne(ElementType type);

// The order and the signs of the strides kept, without gaps; then all positive;
// then every second element, or every row with one gap.
std::vector<Layout> SimplerLayouts(const Layout& layout, const Shape& shape);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_SIMPLER_VALUES_H_
