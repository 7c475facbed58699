// The attributes of a statement become those of an op, as its specification
// names them.
#ifndef ASSAY_SPEC_TEXT_BIND_ATTRIBUTES_H_
#define ASSAY_SPEC_TEXT_BIND_ATTRIBUTES_H_

#include "spec/op_spec.h"
#include "spec/text/form_table.h"
#include "spec/text/syntax.h"

namespace assay::text {

// Adds the attributes that the statement gives, and then those that text may
// leave out. `form` may be null. Precondition: the op has its operands. Throws
// SyntaxError, ConstraintsViolated for one that is of another kind than its
// input, and NotJudged for what the specification does not describe.
void BindAttributes(const OpSpec& spec, const OpForm* form,
                    const Statement& statement, Op* op);

// Returns the value of an op whose only input is a constant of any type, or
// nullptr.
const Tensor* ValueOfConstant(const OpSpec& spec, const Op& op);

// MLIR writes quantized constants as those of the storage type. Precondition:
// the op has its results.
void QuantizeConstant(const OpSpec& spec, Op* op);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_BIND_ATTRIBUTES_H_
