// Where a misplaced element shows: it does only where another one gives another
// result, which an equality of random numbers, say, hardly ever does.
#ifndef ASSAY_CASES_VARIANTS_TELLING_H_
#define ASSAY_CASES_VARIANTS_TELLING_H_

#include <vector>

#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

// The share of elements of the result of a call, of operands as programs have
// them, that are others when an operand's elements are moved by one: the least
// of all operands. Precondition: its operands and its result have one shape, of
// rank 1.
double Telling(const Op& op);

// Of a call on operands of two elements: whether the first element of the
// result is another one where those that are moved have their second one in its
// place.
bool TellsFirst(const Op& op, const std::vector<Tensor>& pairs,
                const std::vector<bool>& is_moved);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_TELLING_H_
