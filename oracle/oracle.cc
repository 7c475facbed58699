// The table of op functions is made from the listing of spec/ops at build time.
#include "oracle/oracle.h"

#include <algorithm>
#include <string_view>

#include "oracle/elementwise/elementwise.h"
#include "oracle/flush/flush.h"
#include "oracle/flush/least_scale.h"
#include "oracle/pointwise/pointwise.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {

#define ASSAY_OP(id, Function, FunctionSources) \
  Evaluation Function(const OpCall& op);        \
  Sources FunctionSources(const OpCall& op, size_t output, int64_t index);
#include "ops.inc"
#undef ASSAY_OP

namespace {

constexpr OpFunctions kOracle[] = {
#define ASSAY_OP(id, Function, FunctionSources) \
  {id, &Function, &FunctionSources},
#include "ops.inc"
#undef ASSAY_OP
};

bool IsPointwise(const Op& op) { return op.op.starts_with("pointwise."); }

OpFunctions FunctionsOf(const Op& op) {
  if (IsPointwise(op))
    return {kPointwise, &EvaluatePointwise, &ElementwiseSources};
  const auto row = std::ranges::find(kOracle, op.op, &OpFunctions::id);
  ASSAY_CHECK(row != std::end(kOracle));
  return *row;
}

// Returns whether what the functions of the op capture follows its operands,
// which is easily forgotten.
bool HasCaptures(const Op& op, const std::vector<Tensor>& inputs) {
  return op.regions.empty() ||
         inputs.size() == op.inputs.size() + Captures(op).size();
}

}  // namespace

const Tensor& OpCall::Input(std::string_view name) const {
  const auto it = std::ranges::find(op.inputs, name, &Op::Operand::name);
  ASSAY_CHECK(it != op.inputs.end());
  return inputs[static_cast<size_t>(it - op.inputs.begin())];
}

const Attribute* OpCall::FindAttribute(std::string_view name) const {
  return op.FindAttribute(name);
}

Evaluation Evaluate(const Op& op, const std::vector<Tensor>& inputs,
                    const Policy& policy, Marks marks,
                    const FlushChoice* flush) {
  ASSAY_CHECK(HasCaptures(op, inputs));
  const auto evaluate = FunctionsOf(op).evaluate;
  // The ops that a pointwise call is made of flush their own operands.
  if (flush == nullptr || IsPointwise(op))
    return evaluate({op, inputs, policy, marks, flush});
  std::vector<Tensor> flushed;
  for (const Tensor& input : inputs) flushed.push_back(flush->Operand(input));
  Evaluation evaluation = evaluate({op, flushed, policy, marks, flush});
  FlushLeastScales(op, inputs, policy, *flush, &evaluation);
  return evaluation;
}

Evaluation EvaluateScalars(const Op& op, const std::vector<Tensor>& inputs,
                           const Policy& policy, Marks marks) {
  OpCall call{op, inputs, policy, marks};
  call.of_scalars = true;
  return FunctionsOf(op).evaluate(call);
}

void AddMarks(const OpMarks& added, std::vector<OpMarks>* marks) {
  const auto at = std::ranges::lower_bound(*marks, added.op, {}, &OpMarks::op);
  if (at != marks->end() && at->op == added.op) {
    at->marks |= added.marks;
  } else if (added.marks != 0) {
    marks->insert(at, added);
  }
}

std::vector<DecidingClause> ClausesOf(const Op& op,
                                      const Evaluation& evaluation) {
  std::vector<DecidingClause> clauses;
  const auto add = [&](const OpMarks& of) {
    for (const ClauseSpec& clause : of.op->semantics) {
      if (of.marks >> clause.number & 1)
        clauses.push_back({of.op->Family(), &clause});
    }
  };
  add({FindOp(op.op), evaluation.marks});
  for (const OpMarks& of_region : evaluation.region_marks) add(of_region);
  return clauses;
}

std::vector<DecidingClause> ClausesOf(const Op& op,
                                      const std::vector<Tensor>& inputs,
                                      const Policy& policy, int64_t index,
                                      size_t output) {
  const OpCall call{op,      inputs,
                    policy,  Marks::kCounted,
                    nullptr, ElementRange{index, index + 1}};
  if (IsPointwise(op)) return PointwiseClausesOf(call, index, output);
  return ClausesOf(op, FunctionsOf(op).evaluate(call));
}

Sources SourcesOf(const Op& op, const std::vector<Tensor>& inputs,
                  int64_t index, size_t output) {
  // Where an element comes from is no question of policy.
  const OpCall call{op, inputs, Policy::Find("assay"), Marks::kNone};
  return FunctionsOf(op).sources(call, output, index);
}

}  // namespace assay
