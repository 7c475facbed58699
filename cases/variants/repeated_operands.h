// The layout `broadcast0` has operands of stride 0, whose values still differ.
// Private to the layout variants, except for the count of tuples.
#ifndef ASSAY_CASES_VARIANTS_REPEATED_OPERANDS_H_
#define ASSAY_CASES_VARIANTS_REPEATED_OPERANDS_H_

#include <cstdint>
#include <vector>

#include "cases/case.h"

namespace assay {

// Returns the number of dimensions that have more than one index.
int64_t WideDimensions(const Shape& shape);

// Returns whether an operand can repeat itself along one dimension and differ
// along another. A case of one wide dimension gets further ones for that, if
// its ops compute element by element.
bool CanRepeat(const Case& c);

// Makes every operand repeat itself where that leaves it more than one value:
// the last along its innermost dimension, others along their outermost, or
// along another one where that one leaves a single value. Precondition:
// CanRepeat.
void RepeatOperands(Case* c);

// Returns how many different tuples of operand values the elements of the
// result are computed from, counted up to `most`. An operand of lower rank, or
// of size 1 in a dimension, is repeated. If that does not give it the result's
// shape, the values of each operand are counted separately, and the greatest
// count is returned.
int64_t DistinctTuples(const std::vector<Tensor>& operands, const Shape& result,
                       int64_t most);

}  // namespace assay

#endif  // ASSAY_CASES_VARIANTS_REPEATED_OPERANDS_H_
