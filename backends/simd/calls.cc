#include "backends/simd/calls.h"

#include <stddef.h>

#include <memory>

#include "backends/simd/nest.h"
#include "backends/simd/rows.h"
#include "backends/simd/run_nest.h"
#include "backends/simd/tensors.h"
#include "backends/simd/whole_ops.h"

namespace assay::simd {
namespace {

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

// select's predicate and the bounds of clamp.
bool MayBeScalar(const Signature& signature, int input) {
  return (signature.op == "select" && input == 0) ||
         (signature.op == "clamp" && input != 1);
}

}  // namespace

Making MakeFunction(const Signature& signature, const Options& options) {
  Making row = MakeRow(signature, options.target, options.subnormals);
  if (row.function != nullptr) return row;
  if (IsComplexFunction(signature)) {
    return MakeComplexFunction(signature, options.target);
  }
  if (signature.op == "convert") return MakeConvert(signature, options.target);
  if (signature.op == "reduce_precision") {
    return MakeReducePrecision(signature, options.target);
  }
  return row;
}

const char* RunElementwise(const AssayCall& call, const Options& options,
                           bool broadcasts) {
  Signature signature;
  const char* failure = ReadSignature(call, &signature);
  if (failure != nullptr) return failure;
  const Making making = MakeFunction(signature, options);
  if (making.function == nullptr) return making.failure;
  const DLTensor& output = call.outputs[0].tensor;
  NestTensor inputs[kMaxInputs];
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    inputs[k] = {&input, signature.inputs[k].bytes()};
    if (!broadcasts && !IsSameShape(input, output) &&
        (input.ndim != 0 || !MayBeScalar(signature, k))) {
      return "mix of operand shapes";
    }
  }
  if (CountElements(output) == 0) return nullptr;
  const NestTensor result = {&output, signature.output.bytes()};
  Nest nest;
  MakeNest(inputs, call.num_inputs, &result, 1, &nest);
  return RunNest(nest, *making.function, options.target, options.threads);
}

}  // namespace assay::simd
