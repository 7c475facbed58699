#include "oracle/control/function_call.h"
#include "oracle/control/selected_branch.h"
#include "spec/types/element.h"

namespace assay {

const Function& SelectedBranch(const Op& op, const Tensor& operand) {
  // `result = pred ? true_branch() : false_branch()`
  if (op.op == "if")
    return op.Regions(operand.Bits(0) != 0 ? "true_branch" : "false_branch")[0];
  // `selected_branch = branches[index]` if `0 <= index < size(branches)`,
  // `branches[-1]` otherwise.
  const auto index =
      static_cast<int64_t>(ValueOf(ElementType::kI32, operand.Bits(0)));
  const std::span<const Function> branches = op.Regions("branches");
  return 0 <= index && index < std::ssize(branches)
             ? branches[static_cast<size_t>(index)]
             : branches.back();
}

Evaluation If(const OpCall& op) {
  Evaluation evaluation;
  Return(CallFunction(SelectedBranch(op.op, op.inputs[0]), {}, op),
         &evaluation);
  return evaluation;
}

Sources IfSources(const OpCall&, size_t, int64_t) { return {{0, 0}}; }

Evaluation Case(const OpCall& op) { return If(op); }

Sources CaseSources(const OpCall&, size_t, int64_t) { return {{0, 0}}; }

}  // namespace assay
