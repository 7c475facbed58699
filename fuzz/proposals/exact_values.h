// Most calls of ops that add many terms are drawn so that every order of the
// additions is exact: then one result is right, and a term that is lost,
// doubled or misplaced shows in its bits.
//
// Terms are small integers, few enough for the precision of the type. Where
// there are means, counts are powers of two, and what a root is taken of is a
// power of four.
#ifndef ASSAY_FUZZ_PROPOSALS_EXACT_VALUES_H_
#define ASSAY_FUZZ_PROPOSALS_EXACT_VALUES_H_

#include <optional>
#include <string_view>

#include "cases/search/choices.h"
#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

// The value of the trait `adds` of ops that divide by numbers of elements.
inline constexpr std::string_view kMeans = "means";

// Returns the shape with dimensions that are powers of two, no larger than they
// were.
Shape WithPowersOfTwo(const Shape& shape);

// Draws such a value of a constant that is a float.
Tensor DrawExactConstant(Choices* choices, const TensorType& type);

// Draws the elements of an operand of a call of such an op, whose constants are
// drawn; nullopt if its type is one whose sums are exact always.
std::optional<Tensor> DrawExactOperand(Choices* choices, const Op& op,
                                       const Op::Operand& operand);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_EXACT_VALUES_H_
