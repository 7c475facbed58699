#include "oracle/oracle.h"

namespace assay {

// `result = operand`
Evaluation OptimizationBarrier(const OpCall& op) {
  Evaluation evaluation;
  for (size_t k = 0; k < op.op.inputs.size(); ++k) {
    Expectation& result = evaluation.outputs.emplace_back(op.inputs[k].type());
    result.lo = result.hi = op.inputs[k];
    result.keeps_nans = op.policy.Get("nan_payload_in_movement") == "keep";
  }
  return evaluation;
}

Sources OptimizationBarrierSources(const OpCall&, size_t output,
                                   int64_t index) {
  return {{output, index}};
}

}  // namespace assay
