#include "oracle/control/execute.h"

#include <algorithm>
#include <vector>

#include "oracle/oracle.h"
#include "spec/op_spec.h"

namespace assay {

bool IsLoop(const Op& op) {
  return FindOp(op.op)->control && !op.regions.empty() &&
         !op.regions[0].inputs.empty();
}

bool HasLoop(const Function& function) {
  return std::ranges::any_of(function.body, [](const Op& op) {
    return IsLoop(op) || std::ranges::any_of(op.regions, HasLoop) ||
           (op.callee != nullptr && HasLoop(*op.callee));
  });
}

bool Execute(const Function& function, const Policy& policy, int64_t fuel,
             Walk::Values* values) {
  Walk walk(function, values, fuel);
  while (const Op* op = walk.Next()) {
    Walk::Values& known = *walk.values();
    std::vector<Tensor> operands;
    for (const Op::Operand& operand : op->inputs)
      operands.push_back(known.at(operand.value));
    for (const TypedName& capture : Captures(*op))
      operands.push_back(known.at(capture.name));
    const Evaluation evaluation = Evaluate(*op, operands, policy, Marks::kNone);
    for (size_t k = 0; k < op->outputs.size(); ++k)
      known[op->outputs[k].value] = evaluation.outputs[k].lo;
  }
  return !walk.was_cut();
}

}  // namespace assay
