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

std::vector<DecidingClause> ClausesOf(const Op& op,
                                      const std::vector<Tensor>& inputs,
                                      const Policy& policy, int64_t index,
                                      size_t output) {
  const OpCall call{op,      inputs,
                    policy,  Marks::kCounted,
                    nullptr, ElementRange{index, index + 1}};
  if (IsPointwise(op)) return PointwiseClausesOf(call, index, output);
  const uint64_t marks = FunctionsOf(op).evaluate(call).marks;
  const OpSpec& spec = *FindOp(op.op);
  std::vector<DecidingClause> clauses;
  for (const ClauseSpec& clause : spec.semantics) {
    if (marks >> clause.number & 1) clauses.push_back({spec.id, &clause});
  }
  return clauses;
}

Sources SourcesOf(const Op& op, const std::vector<Tensor>& inputs,
                  int64_t index, size_t output) {
  // Where an element comes from is no question of policy.
  const OpCall call{op, inputs, Policy::Find("assay"), Marks::kNone};
  return FunctionsOf(op).sources(call, output, index);
}

}  // namespace assay
