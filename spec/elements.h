// Parts of programs that are no ops and have constraints of their own:
// quantized types ("Types" of the specification) and constants ("Constants"),
// of which types.json and constants.json are the files.
//
// Each is described as an op is, by its constraints alone. What the constraints
// of constants are about is syntax, so that the reader of text decides them.
#ifndef ASSAY_SPEC_ELEMENTS_H_
#define ASSAY_SPEC_ELEMENTS_H_

#include <span>
#include <string>
#include <vector>

#include "spec/op_spec.h"

namespace assay {

// Returns all of them, in the order of the specification. FindOp finds them,
// too. Throws InputError if an embedded file is wrong.
std::span<const OpSpec> ProgramElements();

// Returns the ops, and then these.
std::vector<const OpSpec*> OpsAndElements();

// Throws std::out_of_range if there is none of that id.
const OpSpec& FindElement(std::string_view id);

// What a type violates.
struct ViolatedType {
  const OpSpec* element;
  std::vector<ConstraintResult> results;  // those that are false
};

// Returns what is false of a quantized tensor type: of its element type, or
// else of the type itself. `results` is empty for a right one.
// Precondition: the type is quantized.
ViolatedType CheckQuantizedType(const TensorType& type);

}  // namespace assay

#endif  // ASSAY_SPEC_ELEMENTS_H_
