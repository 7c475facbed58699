// A LayoutClass says how a layout differs from row-major order, in the words of
// people.
#ifndef ASSAY_CASES_VARIANTS_LAYOUT_CLASS_H_
#define ASSAY_CASES_VARIANTS_LAYOUT_CLASS_H_

#include <cstdint>

#include "spec/types/tensor.h"

namespace assay {

enum class LayoutClass : uint8_t {
  kRowMajor,
  kOffset,
  kNegativeStride,
  kZeroStride,
  kGaps,
  kTransposed
};

LayoutClass ClassOf(const Layout& layout, const Shape& shape);
const char* Name(LayoutClass layout);  // "row_major"

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_LAYOUT_CLASS_H_
