// Values from chance.
#ifndef ASSAY_FUZZ_DRAW_VALUES_H_
#define ASSAY_FUZZ_DRAW_VALUES_H_

#include <vector>

#include "fuzz/draw/choices.h"
#include "fuzz/draw/shapes.h"
#include "spec/types/tensor.h"

namespace assay {

// A tensor of drawn elements. boundary: three in four are of BoundaryBits
// (cases/read/data.h says why each is there), the others any bits, or half way
// between values of a narrower format. uniform: any bits, or numbers as
// programs have them. adversarial: the elements depend on one another, or on
// those of `beside`, an operand that was drawn before (or null). Of more than
// kManyElements the first 4,093 come again and again.
Tensor DrawValues(Choices* choices, Profile profile, const TensorType& type,
                  const Tensor* beside);

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_VALUES_H_
