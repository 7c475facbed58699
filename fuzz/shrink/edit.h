// Each of these changes keeps a case consistent: types, values and layouts of
// operands and results change together. Private to the shrinker.
//
// Each returns the changed case, or nothing if it does not apply. The caller
// checks whether the result satisfies the constraints.
#ifndef ASSAY_FUZZ_SHRINK_EDIT_H_
#define ASSAY_FUZZ_SHRINK_EDIT_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"
#include "fuzz/shrink/axes.h"

namespace assay {

// Returns the same elements in memory of their own.
Tensor CopyOf(const Tensor& tensor);

// Returns the names of the inputs and of the results of all ops.
std::vector<std::string> ValuesOf(const Case& c);

// Keeps indices [begin, end) of an axis.
std::optional<Case> Sliced(const Case& c, const Axis& axis, int64_t begin,
                           int64_t end);
// Removes an axis of size 1.
std::optional<Case> WithoutAxis(const Case& c, const Axis& axis);
// Merges two neighbouring axes, if every value has both, in row-major order.
std::optional<Case> Merged(const Case& c, const Axis& outer, const Axis& inner);

// OneOp makes one op of a program a call of its own, whose operands are the
// oracle's results of earlier ops. FirstOps removes the last ops of a program.
std::optional<Case> OneOp(const Case& c, size_t op, const Policy& policy);
std::optional<Case> FirstOps(const Case& c, size_t count);

// Puts the numbers in the place of attribute `attribute` of the only op, and
// infers the types of its results anew. A result that changes its shape is in
// row-major order.
std::optional<Case> WithNumbers(const Case& c, size_t attribute,
                                const Tensor& numbers);

// Puts every tensor in row-major order and in memory of its own.
Case InRowMajorOrder(Case c);

// SetType changes the type of a value wherever it stands, and TypeOf returns
// it.
void SetType(const std::string& value, const TensorType& type, Case* c);
const TensorType& TypeOf(const Case& c, const std::string& value);

// Changes every tensor of element type `from` to `to`, and rounds its numbers.
std::optional<Case> WithElementType(const Case& c, ElementType from,
                                    ElementType to);

// Returns whether the constraints hold, or exactly those that the case names
// are violated, elements that share a place have one value, and a result in the
// memory of an operand has its type.
bool IsAsItSays(const Case& c);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_EDIT_H_
