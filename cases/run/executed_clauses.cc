// Only the oracle runs here: there is no backend and no judging. Literals are
// not looked at, because the operand of a later op is the oracle's result.
#include "cases/run/executed_clauses.h"

#include <map>
#include <vector>

#include "cases/run/sweep.h"
#include "oracle/control/of_tensors.h"
#include "oracle/oracle.h"

namespace assay {

std::vector<std::string> ClauseLabels(const Op& op,
                                      const Evaluation& evaluation) {
  const std::string& family = FindOp(op.op)->Family();
  std::vector<std::string> labels;
  for (const DecidingClause& clause : ClausesOf(op, evaluation))
    labels.push_back(clause.op == family ? clause.clause->label : clause.Id());
  return labels;
}

std::string ClauseId(const OpSpec& op, const std::string& label) {
  return label.find('/') == std::string::npos ? op.Family() + "/" + label
                                              : label;
}

std::set<std::string> ExecutedClauses(const Case& whole, const Policy& policy) {
  if (whole.trait) return TraitClauses(*whole.trait, policy);
  const Case c = whole.chunk > 0 ? ChunkOf(whole, 0) : whole;
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  std::set<std::string> labels;
  const std::shared_ptr<const Function> main = OfTensors(c.program.main());
  for (const Op& op : main->body) {
    std::vector<Tensor> operands;
    for (const Op::Operand& operand : op.inputs)
      operands.push_back(values.at(operand.value));
    for (const TypedName& capture : Captures(op))
      operands.push_back(values.at(capture.name));
    const Evaluation evaluation =
        Evaluate(op, operands, policy, Marks::kCounted);
    if (op.op == c.op) {
      for (const std::string& label : ClauseLabels(op, evaluation))
        labels.insert(label);
    }
    for (size_t i = 0; i < op.outputs.size(); ++i)
      values[op.outputs[i].value] = evaluation.outputs[i].lo;
  }
  return labels;
}

}  // namespace assay
