// Random layouts have any order of dimensions, any sign, steps, gaps, offsets,
// and strides that mean nothing because their dimension has size 1.
#ifndef ASSAY_FUZZ_DRAW_LAYOUTS_H_
#define ASSAY_FUZZ_DRAW_LAYOUTS_H_

#include <optional>

#include "cases/search/choices.h"
#include "spec/types/tensor.h"

namespace assay {

struct DrawnLayout {
  Layout layout;
  // This dimension has stride 0 and more than one element, so elements that
  // share a place must have one value.
  std::optional<size_t> repeated;
};

// Draws the layout of an operand. Half of them are in row-major order.
DrawnLayout DrawOperandLayout(Choices* choices, const Shape& shape);
// Draws the layout of a result, in which every element has a place of its own.
Layout DrawResultLayout(Choices* choices, const Shape& shape);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_LAYOUTS_H_
