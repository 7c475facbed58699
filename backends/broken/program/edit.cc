#include "backends/broken/program/edit.h"

#include <string.h>

#include <algorithm>
#include <string>

#include "backends/broken/kernel/functions.h"
#include "backends/calls/attributes.h"

namespace assay::broken::program {
namespace {

struct Definition {
  const Op* op;  // nullptr: an argument
  const Value* value;
};

Definition DefinitionOf(const Function& function, int32_t number) {
  const auto find = [number](const std::vector<Value>& values) {
    const auto found = std::ranges::find(values, number, &Value::number);
    return found == values.end() ? nullptr : &*found;
  };
  for (const Op& op : function.ops) {
    if (const Value* value = find(op.outputs)) return {&op, value};
  }
  return {nullptr, find(function.arguments)};
}

}  // namespace

void FoldEveryOp(Fold fold, Function* function) {
  for (size_t i = function->ops.size(); i-- > 0;) {
    for (Function& inner : function->ops[i].functions)
      FoldEveryOp(fold, &inner);
    fold(function, i);
  }
}

const Op* ResultOf(std::string_view name, const Function& function,
                   int32_t number) {
  const Op* const op = DefinitionOf(function, number).op;
  return op != nullptr && op->name == name ? op : nullptr;
}

const TensorType& TypeOf(const Function& function, int32_t number) {
  return DefinitionOf(function, number).value->type;
}

std::optional<int64_t> IntegerOf(const Function& function, int32_t number) {
  const Op* const op = ResultOf("constant", function, number);
  if (op == nullptr) return std::nullopt;
  const TensorType& type = op->outputs[0].type;
  const bool is_signed = type.element.code == kDLInt;
  if (!type.shape.empty() || (!is_signed && type.element.code != kDLUInt))
    return std::nullopt;
  uint64_t bits = 0;
  memcpy(&bits, op->literal->data(), type.Bytes());
  bits = is_signed ? SignExtended(bits, type.element.bits)
                   : ZeroExtended(bits, type.element.bits);
  return static_cast<int64_t>(bits);
}

void ReplaceUses(Function* function, int32_t number, int32_t other) {
  for (Op& op : function->ops) std::ranges::replace(op.inputs, number, other);
  std::ranges::replace(function->results, number, other);
}

std::vector<int64_t> NumbersIn(const Op& op, std::string_view attribute) {
  for (const Attribute& each : op.attributes) {
    if (each.name != attribute) continue;
    const AssayAttribute abi = {
        each.name.c_str(), each.text.c_str(), each.tensor, {}};
    AssayCall call = {};
    call.num_attributes = 1;
    call.attributes = &abi;
    return calls::ListOf(call, abi.name).value_or(std::vector<int64_t>());
  }
  return {};
}

void SetNumbers(Op* op, std::string_view attribute,
                const std::vector<int64_t>& numbers) {
  std::string text = "[";
  for (const int64_t number : numbers)
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  text += "]";
  std::erase_if(op->attributes,
                [&](const Attribute& each) { return each.name == attribute; });
  op->attributes.push_back({std::string(attribute), text, nullptr});
}

}  // namespace assay::broken::program
