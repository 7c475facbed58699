// The layout `broadcast0`: operands of stride 0, whose values still differ.
// Private to the layout variants, but for the count of tuples.
#ifndef ASSAY_CASES_VARIANTS_REPEATED_OPERANDS_H_
#define ASSAY_CASES_VARIANTS_REPEATED_OPERANDS_H_

#include <cstdint>
#include <vector>

#include "cases/case.h"

namespace assay {

// Dimensions that have more than one index.
int64_t WideDimensions(const Shape& shape);

// Whether an operand can repeat itself along one dimension and differ along
// another. A case of one wide dimension is given further ones for that, where
// its ops compute element by element.
bool CanRepeat(const Case& c);

// Makes every operand repeat itself where that leaves it more than one value:
// the last along its innermost dimension, others along their outermost, or
// along another one where that one leaves a single value.
// Precondition: CanRepeat.
void RepeatOperands(Case* c);

// How many different tuples of operand values the elements of the result are
// computed from, counted up to `most`. An operand of lower rank, or of size 1
// in a dimension, is repeated; where that does not make it the result's shape,
// the values of the operands are counted, each for itself, and the greatest
// count is the answer.
int64_t DistinctTuples(const std::vector<Tensor>& operands, const Shape& result,
                       int64_t most);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_REPEATED_OPERANDS_H_
