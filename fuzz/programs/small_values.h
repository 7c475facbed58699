// The values of programs are small numbers, so that sums and products of a few
// of them are exact in most types: what is exact is decided, whatever order a
// compiler chooses. Where a rule of a compiler goes wrong, it is often beyond
// them: with 0 or 1, or where a function overflows.
#ifndef ASSAY_FUZZ_PROGRAMS_SMALL_VALUES_H_
#define ASSAY_FUZZ_PROGRAMS_SMALL_VALUES_H_

#include "cases/search/choices.h"
#include "spec/types/tensor.h"

namespace assay {

// Draws whole numbers between -4 and 7, mostly positive ones, where the type
// has them. All elements of one tensor in twelve are equal, and one in eight,
// or of integers one in three, reaches over the range of the type; in few
// tensors there are infinities, NaNs, zeros of both signs, and the least and
// the greatest integers.
Tensor DrawSmallValues(Choices* choices, const TensorType& type);
// Draws the values of a constant, of which half are equal: 0, 1, -0, -1 or 2.
Tensor DrawConstant(Choices* choices, const TensorType& type);

// Draws a type of tensors of few elements; f32 and i32 are most usual.
TensorType DrawSmallType(Choices* choices, int64_t most_elements);

TensorType ScalarType(ElementType type);
// Returns a tensor of rank 0 of integers.
Tensor ScalarNumber(ElementType type, int64_t value);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROGRAMS_SMALL_VALUES_H_
