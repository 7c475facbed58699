// A pointwise call is a list of stages, which are ops with one result each:
// conversions of the operands, the ops of the function and conversions of the
// results. The backend decides how a stage is computed.
#ifndef ASSAY_BACKENDS_CALLS_STAGES_H_
#define ASSAY_BACKENDS_CALLS_STAGES_H_

#include <string_view>

#include "backends/calls/limits.h"
#include "backends/calls/pointwise.h"
#include "backends/calls/signature.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

// Slots are numbers of values: the inputs come first, then the results of the
// stages.
using Slot = int;

// polar has the most stages: for each of two outputs two conversions, two ops
// and a conversion.
inline constexpr int kMaxStages = 10;

// The result of a stage is of type `signature.output`.
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

// Returns the type of the result of an op with one result, on operands of this
// type.
Type ResultType(std::string_view op, const Type& type);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_STAGES_H_
