// The table of op functions, from the listing of spec/ops at build time.
#include "oracle/oracle.h"

#include <algorithm>
#include <string_view>

#include "oracle/flush.h"
#include "spec/error.h"

namespace assay {

#define ASSAY_OP(id, Function) Evaluation Function(const OpCall& op);
#include "ops.inc"
#undef ASSAY_OP

namespace {

struct Row {
  std::string_view id;
  Evaluation (*function)(const OpCall&);
};

constexpr Row kOracle[] = {
#define ASSAY_OP(id, Function) {id, &Function},
#include "ops.inc"
#undef ASSAY_OP
};

auto FindFunction(const Op& op) {
  const auto row = std::ranges::find(kOracle, op.op, &Row::id);
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
  if (flush == nullptr) return function({op, inputs, policy, marks});
  std::vector<Tensor> flushed;
  for (const Tensor& input : inputs) flushed.push_back(flush->Operand(input));
  return function({op, flushed, policy, marks, flush});
}

uint64_t ClausesOf(const Op& op, const std::vector<Tensor>& inputs,
                   const Policy& policy, int64_t index) {
  return FindFunction(op)({op, inputs, policy, Marks::kCounted, nullptr, index})
      .marks;
}

}  // namespace assay
