// From types and attributes of the tree to those of programs. Private to the
// reader of programs.
#ifndef ASSAY_SPEC_TEXT_READ_ATTRIBUTE_H_
#define ASSAY_SPEC_TEXT_READ_ATTRIBUTE_H_

#include <optional>

#include "spec/op_spec.h"
#include "spec/program.h"
#include "spec/text/form_table.h"
#include "spec/text/syntax.h"

namespace assay::text {

// Throws SyntaxError at `location` for a type that no value has, and NotJudged
// for one that no value of ours has.
ValueType ReadType(const Type& type, Location location);

// Returns the value that the attribute has as this input of an op, or nullopt
// if it cannot be one. `form` is the op's, or null.
std::optional<AttributeValue> ReadAttribute(const Attribute& attribute,
                                            const InputSpec& input,
                                            const OpForm* form);

// Returns whether a list has more elements, or rows, than lists of attributes
// may have here.
bool IsTooLong(const Attribute& attribute, const InputSpec& input);

// Reads the attribute result_accuracy. Returns nullopt for the mode DEFAULT,
// which leaves the accuracy to the policy. Throws SyntaxError at `location` for
// what is not judged.
std::optional<ResultAccuracy> ReadResultAccuracy(const Attribute& attribute,
                                                 const OpSpec& spec,
                                                 const Op& op,
                                                 Location location);

// Returns the type of the integers that text has for the elements of a
// quantized tensor with that storage type: they have no sign.
ElementType StoredAs(ElementType storage_type);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_READ_ATTRIBUTE_H_
