#include "oracle/control/of_tensors.h"

#include <unordered_map>
#include <utility>

#include "spec/op_spec.h"

namespace assay {
namespace {

class Converter {
 public:
  Function Of(const Function &function) {
    Function made;
    made.name = function.name;
    for (const TypedName &input : function.inputs) Add(input, &made.inputs);
    for (const Op &op : function.body) made.body.push_back(Of(op));
    for (const TypedName &result : function.results) Add(result, &made.results);
    return made;
  }

 private:
  static void Add(const TypedName &value, std::vector<TypedName> *values) {
    for (TypedName &tensor : TensorsOf(value))
      values->push_back(std::move(tensor));
  }

  // `result = operand[index]`: what is not in the result is no operand.
  static TypedName OperandOf(const Op &op, const Op::Operand &operand) {
    TypedName value{operand.value, operand.type};
    if (op.op != "get_tuple_element") return value;
    const Tensor &index = std::get<Tensor>(op.FindAttribute("index")->value);
    return MembersOf(value)[static_cast<size_t>(index.Bits(0))];
  }

  Op Of(const Op &op) {
    // All that backends are given is tensors.
    if (!FindOp(op.op)->control) return op;
    Op made;
    made.op = op.op;
    made.attributes = op.attributes;
    for (const Op::Operand &operand : op.inputs) {
      for (TypedName &tensor : TensorsOf(OperandOf(op, operand)))
        made.inputs.push_back({operand.name, std::move(tensor.name),
                               std::move(tensor.type), operand.is_scalar});
    }
    for (const Function &region : op.regions)
      made.regions.push_back(Of(region));
    for (const Op::Result &result : op.outputs) {
      for (TypedName &tensor : TensorsOf({result.value, result.type}))
        made.outputs.push_back(
            {result.name, std::move(tensor.name), std::move(tensor.type)});
    }
    if (op.callee != nullptr) made.callee = Of(op.callee);
    return made;
  }

  std::shared_ptr<const Function> Of(
      const std::shared_ptr<const Function> &callee) {
    std::shared_ptr<const Function> &made = made_[callee.get()];
    if (made == nullptr) made = std::make_shared<const Function>(Of(*callee));
    return made;
  }

  std::unordered_map<const Function *, std::shared_ptr<const Function>> made_;
};

}  // namespace

std::shared_ptr<const Function> OfTensors(const Function &function) {
  if (HasTensorsAlone(function)) return {std::shared_ptr<void>(), &function};
  return std::make_shared<const Function>(Converter().Of(function));
}

}  // namespace assay
