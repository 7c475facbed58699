// These functions tell which results rest on the bits of a NaN, and not only on
// its being one.
#ifndef ASSAY_ORACLE_NAN_BITS_H_
#define ASSAY_ORACLE_NAN_BITS_H_

#include <algorithm>

#include "oracle/expectation.h"
#include "spec/op_spec.h"
#include "spec/program.h"

namespace assay {

// Returns whether the op orders its operands by the total order, which has a
// place for every NaN.
inline bool IsTotalOrder(const Op& op) {
  return std::ranges::any_of(op.attributes, [](const Attribute& attribute) {
    const auto* symbol = std::get_if<Symbol>(&attribute.value);
    return symbol != nullptr && symbol->name == "TOTALORDER";
  });
}

// Returns whether an op of the function orders by the total order, or gives the
// bits of floats another type.
inline bool HasReaderOfNanBits(const Function& function) {
  return std::ranges::any_of(function.body, [](const Op& op) {
    const bool has_other_type =
        FindOp(op.op)->rule == "bits" && op.inputs.size() == 1 &&
        op.inputs[0].type.IsTensor() && op.outputs[0].type.IsTensor() &&
        PartType(op.inputs[0].type.tensor().element_type) !=
            PartType(op.outputs[0].type.tensor().element_type);
    return IsTotalOrder(op) || has_other_type ||
           std::ranges::any_of(op.regions, HasReaderOfNanBits) ||
           (op.callee != nullptr && HasReaderOfNanBits(*op.callee));
  });
}

// Returns whether the op moves the bits of its operands to `result`, orders its
// operands by them, or has a function that does.
inline bool ReadsNanBits(const Op& op, const Expectation& result) {
  return result.keeps_nans || IsTotalOrder(op) ||
         std::ranges::any_of(op.regions, HasReaderOfNanBits) ||
         (op.callee != nullptr && HasReaderOfNanBits(*op.callee));
}

}  // namespace assay

#endif  // ASSAY_ORACLE_NAN_BITS_H_
