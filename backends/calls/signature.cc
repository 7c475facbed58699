#include "backends/calls/signature.h"

#include "backends/calls/pointwise.h"

namespace assay::calls {

const char* ReadSignature(const AssayCall& call, Signature* signature) {
  if (call.num_inputs > kMaxInputs || call.num_outputs != 1) {
    return "number of operands";
  }
  signature->op = call.op;
  signature->num_inputs = call.num_inputs;
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    if (!ParseType(call.inputs[k], &signature->inputs[k])) {
      return "element type";
    }
  }
  if (!ParseType(call.outputs[0], &signature->output)) return "result type";
  signature->attributes = call.attributes;
  signature->num_attributes = call.num_attributes;
  return nullptr;
}

bool MayBeScalar(const Signature& signature, int input) {
  return (signature.op == "select" && input == 0) ||
         (signature.op == "clamp" && input != 1);
}

const char* CheckShapes(const AssayCall& call, const Signature& signature) {
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    if (!IsSameShape(input, call.outputs[0].tensor) &&
        (input.ndim != 0 || !MayBeScalar(signature, k))) {
      return "mix of operand shapes";
    }
  }
  return nullptr;
}

bool HasOnlyKnownAttributes(const AssayCall& call) {
  static constexpr struct {
    const char* op;
    const char* name;
  } kKnown[] = {{"compare", "comparison_direction"},
                {"compare", "compare_type"},
                {"paddle.bitwise_left_shift", "is_arithmetic"},
                {"paddle.bitwise_right_shift", "is_arithmetic"},
                {"reduce_precision", "exponent_bits"},
                {"reduce_precision", "mantissa_bits"}};
  const char* pointwise = PointwiseName(call.op);
  const char* called = pointwise != nullptr ? pointwise : call.op;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    const char* attribute = call.attributes[i].name;
    bool is_known =
        pointwise != nullptr && strcmp(attribute, "promotion_methods") == 0;
    for (const auto& [op, name] : kKnown) {
      is_known |= strcmp(called, op) == 0 && strcmp(attribute, name) == 0;
    }
    if (!is_known) return false;
  }
  return call.num_regions == 0;
}

}  // namespace assay::calls
