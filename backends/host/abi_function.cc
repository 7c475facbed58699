#include "backends/host/abi_function.h"

#include "spec/op_spec.h"

namespace assay {
namespace {

template <class T>
int32_t Count(const std::vector<T>& list) {
  return static_cast<int32_t>(list.size());
}

}  // namespace

std::vector<int32_t> GroupSizesOf(const Op& op) {
  const OpSpec* const spec = FindOp(op.op);
  if (spec == nullptr) return std::vector<int32_t>(op.inputs.size(), 1);
  std::vector<int32_t> sizes;
  for (const InputSpec& input : spec->inputs) {
    if (input.IsValue())
      sizes.push_back(static_cast<int32_t>(op.Inputs(input.name).size()));
  }
  return sizes;
}

Function WithCaptures(const Function& function,
                      const std::vector<TypedName>& captures) {
  Function closed = function;
  closed.inputs.insert(closed.inputs.end(), captures.begin(), captures.end());
  return closed;
}

std::string MonoidOf(const Function& function) {
  if (function.inputs.size() != 2 || function.body.size() != 1 ||
      function.results.size() != 1 ||
      function.inputs[0].type != function.inputs[1].type)
    return "";
  const Op& op = function.body[0];
  if (op.inputs.size() != 2 || op.outputs.size() != 1 ||
      op.inputs[0].value != function.inputs[0].name ||
      op.inputs[1].value != function.inputs[1].name ||
      op.outputs[0].value != function.results[0].name)
    return "";
  const OpSpec* spec = FindOp(op.op);
  return spec != nullptr && !spec->monoid.empty() ? op.op : "";
}

// Returns nullptr if a value is no tensor.
const std::vector<const char*>* AbiFunctions::TypesOf(
    const std::vector<TypedName>& values) {
  std::vector<const char*>& types = lists_.emplace_front().types;
  for (const TypedName& value : values) {
    if (!value.type.IsTensor()) return nullptr;
    types.push_back(values_.Text(value.type.ToString()));
  }
  return &types;
}

bool AbiFunctions::Convert(const Function& function, AssayFunction* converted) {
  const auto* types = TypesOf(function.inputs);
  if (types == nullptr) return false;
  AssayFunction result = {};
  result.num_arguments = Count(*types);
  result.argument_types = types->data();
  Numbers numbers;
  const auto define = [&numbers](const std::string& name) {
    const auto number = static_cast<int32_t>(numbers.size());
    numbers.emplace(name, number);
  };
  for (const TypedName& input : function.inputs) define(input.name);
  Lists& lists = lists_.emplace_front();
  for (const Op& op : function.body) {
    if (!ConvertOp(op, numbers, &lists.ops.emplace_back())) return false;
    for (const Op::Result& output : op.outputs) define(output.value);
  }
  for (const TypedName& value : function.results)
    lists.numbers.push_back(numbers.at(value.name));
  result.num_ops = Count(lists.ops);
  result.ops = lists.ops.data();
  result.num_results = Count(lists.numbers);
  result.results = lists.numbers.data();
  const std::string monoid = MonoidOf(function);
  if (!monoid.empty()) result.monoid = values_.Text(monoid);
  *converted = result;
  return true;
}

bool AbiFunctions::ConvertOp(const Op& op, const Numbers& numbers,
                             AssayFunctionOp* converted) {
  std::vector<TypedName> outputs;
  for (const Op::Result& output : op.outputs)
    outputs.push_back({output.value, output.type});
  const auto* types = TypesOf(outputs);
  if (types == nullptr) return false;
  Lists& lists = lists_.emplace_front();
  for (const Op::Operand& input : op.inputs)
    lists.numbers.push_back(numbers.at(input.value));
  const std::vector<TypedName> captures = Captures(op);
  for (const TypedName& capture : captures)
    lists.numbers.push_back(numbers.at(capture.name));
  for (const Attribute& attribute : op.attributes)
    lists.attributes.push_back(values_.Make(attribute));
  for (const Function& function : op.regions) {
    if (!Convert(WithCaptures(function, captures),
                 &lists.functions.emplace_back()))
      return false;
  }
  if (op.callee != nullptr &&
      !Convert(*op.callee, &lists.functions.emplace_back()))
    return false;
  converted->op = values_.Text(op.op);
  converted->num_inputs = Count(lists.numbers);
  converted->inputs = lists.numbers.data();
  converted->num_outputs = Count(*types);
  converted->output_types = types->data();
  converted->num_attributes = Count(lists.attributes);
  converted->attributes = lists.attributes.data();
  converted->num_functions = Count(lists.functions);
  converted->functions = lists.functions.data();
  converted->num_captures = Count(captures);
  return true;
}

}  // namespace assay
