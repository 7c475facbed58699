// Only the oracle runs here: there is no backend and no judging. Literals are
// not looked at, because the operand of a later op is the oracle's result.
#include "cases/run/executed_clauses.h"

#include <map>
#include <vector>

#include "cases/run/sweep.h"
#include "oracle/oracle.h"

namespace assay {

std::set<std::string> ExecutedClauses(const Case& whole, const Policy& policy) {
  if (whole.trait) return TraitClauses(*whole.trait, policy);
  const Case c = whole.chunk > 0 ? ChunkOf(whole, 0) : whole;
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  std::set<std::string> labels;
  for (const Op& op : c.program.main().body) {
    std::vector<Tensor> operands;
    for (const Op::Operand& operand : op.inputs)
      operands.push_back(values.at(operand.value));
    const Evaluation evaluation =
        Evaluate(op, operands, policy, Marks::kCounted);
    for (const ClauseSpec& clause : FindOp(op.op)->semantics) {
      if (op.op == c.op && (evaluation.marks >> clause.number & 1) != 0)
        labels.insert(clause.label);
    }
    for (size_t i = 0; i < op.outputs.size(); ++i)
      values[op.outputs[i].value] = evaluation.outputs[i].lo;
  }
  return labels;
}

}  // namespace assay
