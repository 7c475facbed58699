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
  const auto row = std::ranges::find(kOracle, op.op, &Row::id);
  ASSAY_CHECK(row != std::end(kOracle));
  if (flush == nullptr) return row->function({op, inputs, policy, marks});
  std::vector<Tensor> flushed;
  for (const Tensor& input : inputs) flushed.push_back(flush->Operand(input));
  return row->function({op, flushed, policy, marks, flush});
}

uint64_t ClausesOf(const Op& op, const std::vector<Tensor>& inputs,
                   const Policy& policy, int64_t index) {
  // Where a result does not lie at its operands' indices, the call as a whole.
  for (const Tensor& input : inputs) {
    if (!input.type().shape.empty() &&
        input.type().shape != op.outputs[0].type.shape)
      return Evaluate(op, inputs, policy, Marks::kCounted).marks;
  }
  Op element = op;
  std::vector<Tensor> elements;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool broadcast =
        inputs[i].type().shape.empty();  // an operand of rank 0 keeps its rank:
                                         // clauses depend on it
    TensorType type{broadcast ? Shape{} : Shape{1}, inputs[i].element_type()};
    Tensor value(type);
    value.SetBits(0, inputs[i].Bits(broadcast ? 0 : index));
    elements.push_back(value);
    element.inputs[i].type = type;
  }
  for (Op::Result& output : element.outputs)
    output.type.shape = output.type.shape.empty() ? Shape{} : Shape{1};
  return Evaluate(element, elements, policy, Marks::kCounted).marks;
}

}  // namespace assay
