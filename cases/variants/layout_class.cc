#include "cases/variants/layout_class.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace assay {

LayoutClass ClassOf(const Layout& layout, const Shape& shape) {
  if (layout.IsRowMajor(shape))
    return layout.offset == 0 ? LayoutClass::kRowMajor : LayoutClass::kOffset;
  std::vector<std::pair<int64_t, int64_t>> steps;  // stride, size
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (layout.strides[d] < 0) return LayoutClass::kNegativeStride;
    if (layout.strides[d] == 0) return LayoutClass::kZeroStride;
    steps.emplace_back(layout.strides[d], shape[d]);
  }
  std::ranges::sort(steps);
  int64_t dense = 1;
  for (const auto& [stride, size] : steps) {
    if (stride != dense) return LayoutClass::kGaps;
    dense *= size;
  }
  return LayoutClass::kTransposed;
}

const char* Name(LayoutClass layout) {
  switch (layout) {
    case LayoutClass::kRowMajor:
      return "row_major";
    case LayoutClass::kOffset:
      return "offset";
    case LayoutClass::kNegativeStride:
      return "negative_stride";
    case LayoutClass::kZeroStride:
      return "zero_stride";
    case LayoutClass::kGaps:
      return "gaps";
    case LayoutClass::kTransposed:
      return "transposed";
  }
  return "";
}

}  // namespace assay
