// The function that a pointwise call is, as a list of ops with one result each:
// conversions of the operands, the ops of the function and conversions of the
// results. How a stage is computed is up to the backend.
#ifndef ASSAY_BACKENDS_CALLS_STAGES_H_
#define ASSAY_BACKENDS_CALLS_STAGES_H_

#include <string_view>

#include "backends/calls/limits.h"
#include "backends/calls/pointwise.h"
#include "backends/calls/signature.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

// Values: the inputs come first, then the results of the stages.
using Slot = int;

// Of polar: for each of two outputs two conversions, two ops and a conversion.
inline constexpr int kMaxStages = 10;

// Its result is of type `signature.output`.
struct Stage {
  Signature signature;
  Slot inputs[kMaxInputs];
};

// A stage reads inputs and stages before it. An output that is the slot of an
// input is a copy of it.
struct PointwiseStages {
  int num_inputs;
  int num_stages;
  Stage stages[kMaxStages];
  int num_outputs;
  Slot outputs[kMaxOutputs];
};

PointwiseStages MakeStages(const PointwiseProgram& program);

// Of an op with one result, on operands of this type.
Type ResultType(std::string_view op, const Type& type);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_STAGES_H_
