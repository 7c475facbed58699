#include "oracle/real_op.h"

#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {

Bounds BoundsOf(const OpCall& op) {
  Bounds bounds;
  const OpSpec& spec = *FindOp(op.op.op);
  if (spec.least) bounds.least = *spec.least;
  if (spec.greatest) bounds.greatest = *spec.greatest;
  if (op.op.result_accuracy) {
    bounds.tolerance = op.op.result_accuracy;
    return bounds;
  }
  const Budget* const budget =
      op.policy.FindBudget(spec.id, op.op.inputs[0].type.element_type);
  ASSAY_CHECK(budget != nullptr);
  bounds.ulp = budget->ulp;
  bounds.tolerance = budget->result_accuracy;
  return bounds;
}

}  // namespace assay
