// The values of a case, and changes of them that keep it consistent: types,
// elements and layouts change together. Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_EDIT_H_
#define ASSAY_FUZZ_SHRINK_EDIT_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"

namespace assay {

// Returns the same elements in another shape, and in memory of their own.
Tensor Reshaped(const Tensor& tensor, const Shape& shape);
inline Tensor CopyOf(const Tensor& tensor) {
  return Reshaped(tensor, tensor.type().shape);
}

// Returns the names of the inputs and of the results of all ops, in all
// functions.
std::vector<std::string> ValuesOf(const Case& c);
// Each returns nullptr if the value is no input, or has no layout.
CaseInput* InputOf(const std::string& value, Case* c);
Layout* LayoutOf(const std::string& value, Case* c);

// These read and change attributes that are a number, or a list of numbers.
bool IsList(const Attribute& attribute);
std::optional<std::vector<int64_t>> IntegersOf(const Attribute& attribute);
void SetIntegers(const std::vector<int64_t>& numbers, Attribute* attribute);
// Returns the attribute that has the elements of the result of an op, and its
// type; nullptr if there is none.
Tensor* LiteralOf(Op* op);

// Puts every tensor in row-major order and in memory of its own.
Case InRowMajorOrder(Case c);

// SetType changes the type of a value wherever it stands, and TypeOf returns
// it.
void SetType(const std::string& value, const TensorType& type, Case* c);
const TensorType& TypeOf(const Case& c, const std::string& value);

// Changes every tensor of element type `from` to `to`, and rounds its numbers.
// Nothing is returned if a number has no place in it.
std::optional<Case> WithElementType(const Case& c, ElementType from,
                                    ElementType to);

// Return the labels of the constraints that are false, in order: of a call, or
// of all that a case has.
std::vector<std::string> FalseLabels(const Op& op);
std::vector<std::string> FalseLabels(const Case& c);

// Returns whether the constraints hold, or exactly those that the case names
// are violated, elements that share a place have one value, and a result in the
// memory of an operand has its type.
bool IsAsItSays(const Case& c);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_EDIT_H_
