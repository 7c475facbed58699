// A misplaced element shows only if it gives another result, which is rare for
// the equality of random numbers, for example. These functions measure how
// often it does.
#ifndef ASSAY_CASES_VARIANTS_TELLING_H_
#define ASSAY_CASES_VARIANTS_TELLING_H_

#include <vector>

#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

// Returns the share of elements of a call's result that change when an
// operand's elements are moved by one: the least share of all operands. The
// operands have values as programs have them. Precondition: operands and result
// have one shape, of rank 1.
double Telling(const Op& op);

// For a call on operands of two elements: returns whether the first element of
// the result changes when the operands of `is_moved` have their second element
// in its place.
bool TellsFirst(const Op& op, const std::vector<Tensor>& pairs,
                const std::vector<bool>& is_moved);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_TELLING_H_
