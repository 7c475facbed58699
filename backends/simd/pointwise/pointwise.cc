#include "backends/simd/pointwise/pointwise.h"

#include "backends/calls/pointwise.h"
#include "backends/simd/core/names.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/run_nest.h"
#include "backends/simd/pointwise/pointwise_program.h"

namespace assay::simd {
namespace {

// An operand of one element is converted once.
struct Single {
  DLTensor tensor;
  alignas(16) unsigned char bytes[16];
};

bool HasOneElement(const DLTensor& tensor) {
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] != 1) return false;
  }
  return true;
}

// Leaves the operand as it is if it need not or cannot be converted.
void ConvertSingle(const Type& to, const Options& options, Type* type,
                   NestTensor* operand, Single* single) {
  if (*type == to || !HasOneElement(*operand->tensor)) return;
  Signature signature = {};
  signature.op = "convert";
  signature.num_inputs = 1;
  signature.inputs[0] = *type;
  signature.output = to;
  const Making making = MakeFunction(signature, options);
  if (making.function == nullptr) return;
  single->tensor = {};
  single->tensor.data = single->bytes;
  const NestTensor result = {&single->tensor, to.bytes()};
  single->tensor.ndim = 0;
  NestTensor source = *operand;
  DLTensor element = *operand->tensor;
  element.ndim = 0;
  source.tensor = &element;
  Nest nest;
  MakeNest(&source, 1, &result, 1, &nest);
  RunNest(nest, *making.function, options.target, 1);
  *type = to;
  *operand = result;
}

AssayStatus RunProgram(const AssayCall& call, const Options& options,
                       calls::PointwiseProgram* program,
                       calls::Complaint* complaint) {
  NestTensor inputs[kMaxInputs];
  NestTensor outputs[kMaxOutputs];
  Single singles[kMaxInputs];
  size_t bytes[kMaxInputs];
  const bool is_empty = CountElements(call.outputs[0].tensor) == 0;
  const bool has_one_type =
      program->num_outputs == 1 ||
      program->outputs[0].computation == program->outputs[1].computation;
  for (int k = 0; k < call.num_inputs; ++k) {
    inputs[k] = {&call.inputs[k].tensor, program->inputs[k].bytes()};
    if (has_one_type && !program->IsPredicate(k)) {
      ConvertSingle(program->outputs[0].computation, options,
                    &program->inputs[k], &inputs[k], &singles[k]);
    }
    bytes[k] = inputs[k].bytes;
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    outputs[o] = {&call.outputs[o].tensor, program->outputs[o].result.bytes()};
  }
  const Making making = MakePointwise(*program, options, bytes);
  const char* failure = making.failure;
  if (making.function != nullptr && !is_empty) {
    Nest nest;
    MakeNest(inputs, call.num_inputs, outputs, call.num_outputs, &nest);
    failure = RunNest(nest, *making.function, options.target, options.threads);
  }
  if (failure == nullptr) return ASSAY_OK;
  complaint->Say("%s: %s not implemented", call.op, failure);
  return ASSAY_UNSUPPORTED;
}

}  // namespace

AssayStatus RunPointwise(const AssayCall& call, const Options& options,
                         calls::Complaint* complaint) {
  calls::PointwiseProgram program;
  const AssayStatus status = calls::ReadPointwise(call, &program, complaint);
  if (status != ASSAY_OK) return status;
  return RunProgram(call, options, &program, complaint);
}

AssayStatus RunBroadcastShift(const AssayCall& call, const Options& options,
                              calls::Complaint* complaint) {
  if (call.num_inputs == 2 && call.num_outputs == 1 &&
      !calls::CheckBroadcast(call, complaint)) {
    return ASSAY_INVALID;
  }
  const char* failure = RunElementwise(call, options, true);
  if (failure == nullptr) return ASSAY_OK;
  complaint->Say("%s: %s not implemented", call.op, failure);
  return ASSAY_UNSUPPORTED;
}

}  // namespace assay::simd
