// Attributes of ops in cases, and types.
#ifndef ASSAY_CASES_READ_CASE_ATTRIBUTE_H_
#define ASSAY_CASES_READ_CASE_ATTRIBUTE_H_

#include "cases/read/json.h"
#include "spec/op_spec.h"

namespace assay {

// Returns the type of a value. Types of values that are no tensors, and of
// quantized tensors, are those of StableHLO text.
ValueType ParseType(const JsonView& text);

// Returns the attribute that a case gives to an input of an op.
Attribute ParseAttribute(const JsonView& value, const InputSpec& input);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_ATTRIBUTE_H_
