#include "backends/simd/core/calls.h"

#include <stddef.h>

#include <memory>

#include "backends/simd/core/names.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/rows.h"
#include "backends/simd/core/run_nest.h"
#include "backends/simd/core/whole_ops.h"

namespace assay::simd {

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
  const char* failure = calls::ReadSignature(call, &signature);
  if (failure != nullptr) return failure;
  const Making making = MakeFunction(signature, options);
  if (making.function == nullptr) return making.failure;
  if (!broadcasts) {
    failure = calls::CheckShapes(call, signature);
    if (failure != nullptr) return failure;
  }
  const DLTensor& output = call.outputs[0].tensor;
  NestTensor inputs[kMaxInputs];
  for (int k = 0; k < call.num_inputs; ++k) {
    inputs[k] = {&call.inputs[k].tensor, signature.inputs[k].bytes()};
  }
  if (CountElements(output) == 0) return nullptr;
  const NestTensor result = {&output, signature.output.bytes()};
  Nest nest;
  MakeNest(inputs, call.num_inputs, &result, 1, &nest);
  return RunNest(nest, *making.function, options.target, options.threads);
}

}  // namespace assay::simd
