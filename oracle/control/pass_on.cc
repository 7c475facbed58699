// These ops give what they are given. In a function of tensors (of_tensors.h)
// those on tuples do as well.
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

// A `result` tuple is the tensors of the values `val`.
Evaluation Tuple(const OpCall& op) { return OptimizationBarrier(op); }

Sources TupleSources(const OpCall&, size_t output, int64_t index) {
  return {{output, index}};
}

// `result = operand[index]`, of which only the member at the index is there.
Evaluation GetTupleElement(const OpCall& op) { return OptimizationBarrier(op); }

Sources GetTupleElementSources(const OpCall&, size_t output, int64_t index) {
  return {{output, index}};
}

// "Execution of this operation does nothing."
Evaluation AfterAll(const OpCall&) { return {}; }

Sources AfterAllSources(const OpCall&, size_t, int64_t) { return {}; }

}  // namespace assay
