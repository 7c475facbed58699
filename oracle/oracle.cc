// The table of op functions is made from the listing of spec/ops at build time.
#include "oracle/oracle.h"

#include <algorithm>
#include <string_view>

#include "oracle/flush/flush.h"
#include "oracle/flush/least_scale.h"
#include "oracle/pointwise/pointwise.h"
#include "spec/error.h"

namespace assay {

#define ASSAY_OP(id, Function) Evaluation Function(const OpCall& op);
#include "ops.inc"
#undef ASSAY_OP

namespace {

struct OpFunction {
  std::string_view id;
  Evaluation (*function)(const OpCall&);
};

constexpr OpFunction kOracle[] = {
#define ASSAY_OP(id, Function) {id, &Function},
#include "ops.inc"
#undef ASSAY_OP
};

bool IsPointwise(const Op& op) { return op.op.starts_with("pointwise."); }

auto FindFunction(const Op& op) {
  if (IsPointwise(op)) return &EvaluatePointwise;
  const auto row = std::ranges::find(kOracle, op.op, &OpFunction::id);
  ASSAY_CHECK(row != std::end(kOracle));
  return row->function;
}

}  // namespace

const Tensor& OpCall::Input(std::string_view name) const {
  const auto it = std::ranges::find(op.inputs, name, &Op::Operand::name);
  ASSAY_CHECK(it != op.inputs.end());
  return inputs[static_cast<size_t>(it - op.inputs.begin())];
}

const Attribute* OpCall::FindAttribute(std::string_view name) const {
  const auto it = std::ranges::find(op.attributes, name, &Attribute::name);
  return it == op.attributes.end() ? nullptr : &*it;
}

Evaluation Evaluate(const Op& op, const std::vector<Tensor>& inputs,
                    const Policy& policy, Marks marks,
                    const FlushChoice* flush) {
  const auto function = FindFunction(op);
  // The ops that a pointwise call is made of flush their own operands.
  if (flush == nullptr || IsPointwise(op))
    return function({op, inputs, policy, marks, flush});
  std::vector<Tensor> flushed;
  for (const Tensor& input : inputs) flushed.push_back(flush->Operand(input));
  Evaluation evaluation = function({op, flushed, policy, marks, flush});
  FlushLeastScales(op, inputs, policy, *flush, &evaluation);
  return evaluation;
}

std::vector<DecidingClause> ClausesOf(const Op& op,
                                      const std::vector<Tensor>& inputs,
                                      const Policy& policy, int64_t index,
                                      size_t output) {
  const OpCall call{op, inputs, policy, Marks::kCounted, nullptr, index};
  if (IsPointwise(op)) return PointwiseClausesOf(call, index, output);
  const uint64_t marks = FindFunction(op)(call).marks;
  const OpSpec& spec = *FindOp(op.op);
  std::vector<DecidingClause> clauses;
  for (const ClauseSpec& clause : spec.semantics) {
    if (marks >> clause.number & 1) clauses.push_back({spec.id, &clause});
  }
  return clauses;
}

}  // namespace assay
