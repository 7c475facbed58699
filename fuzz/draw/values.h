// Values are drawn here.
#ifndef ASSAY_FUZZ_DRAW_VALUES_H_
#define ASSAY_FUZZ_DRAW_VALUES_H_

#include <vector>

#include "cases/search/choices.h"
#include "fuzz/draw/shapes.h"
#include "spec/types/tensor.h"

namespace assay {

// Draws the elements of a tensor. boundary: three in four are from BoundaryBits
// (cases/read/data.h gives the reason for each), the others any bits, or half
// way between values of a narrower format. uniform: any bits, or numbers as
// programs have them. adversarial: the elements depend on one another, or on
// those of `beside`, an operand that was drawn before (or null). A tensor of
// more than kManyElements elements repeats the first 4,093.
Tensor DrawValues(Choices* choices, Profile profile, const TensorType& type,
                  const Tensor* beside);

// Draws indices of a tensor of this shape: most of them are in bounds, others
// are next to the bounds, or far outside.
Tensor DrawIndices(Choices* choices, const TensorType& type,
                   const Shape& shape);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_VALUES_H_
