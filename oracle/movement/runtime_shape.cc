#include "oracle/movement/runtime_shape.h"

#include <algorithm>
#include <limits>

#include "oracle/movement/moves.h"

namespace assay {

std::vector<int64_t> IntegersOf(const Tensor& tensor) {
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const __int128 value = IntegerAt(tensor, i);
    integers.push_back(value > std::numeric_limits<int64_t>::max()
                           ? -1
                           : static_cast<int64_t>(value));
  }
  return integers;
}

RunTimeShape RunTimeShape::OfResult(const OpCall& op,
                                    std::string_view operand) {
  return RunTimeShape(
      std::ranges::equal(IntegersOf(op.Input(operand)), op.ResultType().shape));
}

RunTimeShape RunTimeShape::OfConstraints(const OpCall& op) {
  const OpSpec& spec = *FindOp(op.op.op);
  Op with_values = op.op;
  for (size_t k = 0; k < with_values.inputs.size(); ++k) {
    if (spec.Input(with_values.inputs[k].name)->has_known_value)
      with_values.inputs[k].known = op.inputs[k];
  }
  const std::vector<ConstraintResult> results =
      CheckConstraints(spec, with_values, op.policy);
  return RunTimeShape(
      std::ranges::all_of(results, [](const ConstraintResult& result) {
        return result.truth == Truth::kTrue;
      }));
}

void RunTimeShape::AddSources(const OpCall& op, size_t first,
                              Sources* sources) {
  for (size_t k = first; k < op.inputs.size(); ++k) {
    for (int64_t i = 0; i < op.inputs[k].size(); ++i)
      sources->push_back({k, i});
  }
}

}  // namespace assay
