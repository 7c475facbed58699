// Programs are read from the ABI's form of functions, and checked.
#include <string.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/regions.h"
#include "backends/broken/program/control.h"
#include "backends/broken/program/program.h"
#include "backends/calls/tensors.h"

namespace assay::broken::program {
namespace {

Refusal Malformed(const std::string& text) { return {ASSAY_INVALID, text}; }

Refusal Missing(const std::string& text) {
  return {ASSAY_UNSUPPORTED, text + " not implemented"};
}

bool IsRefused(const Refusal& refusal) { return refusal.status != ASSAY_OK; }

// Reads a type such as "tensor<2x3xf32>".
bool ReadType(std::string_view text, TensorType* type) {
  constexpr std::string_view kBegin = "tensor<";
  constexpr size_t kMostBytes = size_t{1} << 46;
  if (!text.starts_with(kBegin)) return false;
  text.remove_prefix(kBegin.size());
  size_t count = 1;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    int64_t size = 0;
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9';
         text.remove_prefix(1)) {
      if (__builtin_mul_overflow(size, 10, &size) ||
          __builtin_add_overflow(size, text[0] - '0', &size))
        return false;
    }
    if (!text.starts_with('x')) return false;
    text.remove_prefix(1);
    type->shape.push_back(size);
    if (__builtin_mul_overflow(count, static_cast<size_t>(size), &count))
      return false;
  }
  const std::string scalar = std::string(kBegin) + std::string(text);
  return type->shape.size() <= kMaxRank && count <= kMostBytes &&
         calls::ParseScalarType(scalar.c_str(), &type->element);
}

// Adds values of these types.
bool AddValues(const char* const* types, int32_t count, Function* function,
               std::vector<Value>* values) {
  for (int32_t i = 0; i < count; ++i) {
    Value value = {function->NewNumber(), {}};
    if (!ReadType(types[i], &value.type)) return false;
    values->push_back(std::move(value));
  }
  return true;
}

// Takes the value of a constant as it lies in the attribute.
bool ReadLiteral(const AssayFunctionOp& abi, Op* op) {
  if (abi.num_attributes != 1 || abi.num_inputs != 0 || op->outputs.size() != 1)
    return false;
  const AssayTensor* const tensor = abi.attributes[0].value;
  if (tensor == nullptr) return false;
  const DLTensor& value = tensor->tensor;
  const TensorType& type = op->outputs[0].type;
  if (TensorType{value.dtype, {value.shape, value.shape + value.ndim}} != type)
    return false;
  const unsigned char* const first = calls::FirstElement(value);
  op->literal.emplace(first, first + type.Bytes());
  return true;
}

std::vector<TensorType> TypesOf(const std::vector<Value>& values) {
  std::vector<TensorType> types;
  for (const Value& value : values) types.push_back(value.type);
  return types;
}

class FunctionReader {
 public:
  FunctionReader(const AssayFunction& abi, Function* function)
      : abi_(abi), function_(*function) {}

  Refusal Read() {
    if (!AddValues(abi_.argument_types, abi_.num_arguments, &function_,
                   &function_.arguments))
      return Missing("an argument of such a type");
    types_ = TypesOf(function_.arguments);
    for (int32_t i = 0; i < abi_.num_ops; ++i) {
      Refusal refusal = ReadOp(abi_.ops[i]);
      if (IsRefused(refusal)) {
        refusal.text = std::string(abi_.ops[i].op) + ": " + refusal.text;
        return refusal;
      }
    }
    function_.results = {abi_.results, abi_.results + abi_.num_results};
    if (!AreDefined(function_.results))
      return Malformed("a result is not defined");
    return {};
  }

  // The types of values with these numbers, which are defined.
  std::vector<TensorType> TypesOfNumbers(const std::vector<int32_t>& numbers) {
    std::vector<TensorType> types;
    for (const int32_t number : numbers)
      types.push_back(types_[static_cast<size_t>(number)]);
    return types;
  }

 private:
  bool AreDefined(const std::vector<int32_t>& numbers) const {
    return std::ranges::all_of(numbers, [&](int32_t number) {
      return number >= 0 && static_cast<size_t>(number) < types_.size();
    });
  }

  Refusal ReadOp(const AssayFunctionOp& abi) {
    Op op;
    op.name = abi.op;
    op.inputs = {abi.inputs, abi.inputs + abi.num_inputs};
    if (!AreDefined(op.inputs)) return Malformed("an operand is not defined");
    if (abi.num_captures < 0 || abi.num_captures > abi.num_inputs)
      return Malformed("number of captures");
    op.num_captures = static_cast<size_t>(abi.num_captures);
    if (!AddValues(abi.output_types, abi.num_outputs, &function_, &op.outputs))
      return Missing("a result of such a type");
    for (int32_t i = 0; i < abi.num_attributes; ++i) {
      const AssayAttribute& attribute = abi.attributes[i];
      op.attributes.push_back(
          {attribute.name, attribute.text, attribute.value});
    }
    if (op.name == "constant" && !ReadLiteral(abi, &op))
      return Malformed("its value is not that of its result");
    const Refusal refusal = ReadFunctions(abi, &op);
    if (IsRefused(refusal)) return refusal;
    for (const Value& output : op.outputs) types_.push_back(output.type);
    function_.ops.push_back(std::move(op));
    return {};
  }

  Refusal ReadFunctions(const AssayFunctionOp& abi, Op* op) {
    if (!IsControl(op->name)) {
      if (abi.num_functions == 0) return {};
      if (NumGroups(abi.op) == 0 || abi.num_functions != 1)
        return Missing("such a function");
      op->body = abi.functions;
      return {};
    }
    const std::vector<TensorType> inputs = TypesOfNumbers(op->inputs);
    for (int32_t i = 0; i < abi.num_functions; ++i) {
      Function& function = op->functions.emplace_back();
      FunctionReader reader(abi.functions[i], &function);
      const Refusal refusal = reader.Read();
      if (IsRefused(refusal)) return refusal;
      signatures_.push_back({TypesOf(function.arguments),
                             reader.TypesOfNumbers(function.results)});
    }
    const std::string wrong = CheckControl(*op, {inputs, TypesOf(op->outputs)},
                                           std::exchange(signatures_, {}));
    return wrong.empty() ? Refusal{} : Malformed(wrong);
  }

  const AssayFunction& abi_;
  Function& function_;
  std::vector<TensorType> types_;           // by number
  std::vector<Signature> signatures_ = {};  // of the functions of an op
};

}  // namespace

size_t TensorType::ElementBytes() const {
  return (static_cast<size_t>(element.bits) + 7) / 8;
}

size_t TensorType::Bytes() const {
  size_t bytes = ElementBytes();
  for (const int64_t size : shape) bytes *= static_cast<size_t>(size);
  return bytes;
}

bool TensorType::operator==(const TensorType& other) const {
  return element.code == other.element.code &&
         element.bits == other.element.bits && shape == other.shape;
}

Refusal ReadFunction(const AssayFunction& abi, Function* function) {
  return FunctionReader(abi, function).Read();
}

std::vector<std::vector<int32_t>> LastUses(const Function& function) {
  std::vector<size_t> last(static_cast<size_t>(function.num_values), 0);
  for (size_t i = 0; i < function.ops.size(); ++i) {
    const Op& op = function.ops[i];
    for (const int32_t number : op.inputs)
      last[static_cast<size_t>(number)] = i + 1;
    for (const Value& output : op.outputs)
      last[static_cast<size_t>(output.number)] = i + 1;
  }
  for (const int32_t number : function.results)
    last[static_cast<size_t>(number)] = function.ops.size() + 1;
  std::vector<std::vector<int32_t>> uses(function.ops.size() + 2);
  for (size_t number = 0; number < last.size(); ++number)
    uses[last[number]].push_back(static_cast<int32_t>(number));
  uses.pop_back();
  return uses;
}

void KeepProgram(Function*) {}

}  // namespace assay::broken::program
