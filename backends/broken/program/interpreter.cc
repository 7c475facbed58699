#include "backends/broken/program/interpreter.h"

#include <string.h>

#include <algorithm>

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/regions.h"
#include "backends/broken/program/control.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/tensors.h"

namespace assay::broken::program {

class Interpreter::TensorValue {
 public:
  TensorValue(const TensorType& type, size_t* alive)
      : type_(type),
        strides_(calls::RowMajor(type.shape)),
        alive_(*alive),
        data_(type.Bytes()) {
    alive_ += data_.size();
  }
  ~TensorValue() { alive_ -= data_.size(); }
  TensorValue(const TensorValue&) = delete;
  TensorValue& operator=(const TensorValue&) = delete;

  unsigned char* data() { return data_.data(); }
  const unsigned char* data() const { return data_.data(); }
  size_t bytes() const { return data_.size(); }

  // The tensor points to this value. The kernel does not write operands.
  AssayTensor ToAbi() const {
    AssayTensor tensor = {};
    tensor.tensor = {const_cast<unsigned char*>(data_.data()),
                     {kDLCPU, 0},
                     static_cast<int>(type_.shape.size()),
                     type_.element,
                     const_cast<int64_t*>(type_.shape.data()),
                     const_cast<int64_t*>(strides_.data()),
                     0};
    return tensor;
  }

 private:
  const TensorType type_;
  const std::vector<int64_t> strides_;
  size_t& alive_;
  std::vector<unsigned char> data_;
};

Refusal Interpreter::Run(const Function& function, const AssayTensor* inputs,
                         const AssayTensor* outputs) {
  Values arguments;
  for (const Value& argument : function.arguments) {
    const auto value = Make("an argument", argument.type);
    if (value == nullptr) break;
    if (value->bytes() > 0)
      memcpy(value->data(), calls::FirstElement(inputs->tensor),
             value->bytes());
    ++inputs;
    arguments.push_back(value);
  }
  if (IsRefused()) return refusal_;
  const Values results = Call(function, arguments);
  for (const Shared& result : results) {
    if (result->bytes() > 0)
      memcpy(calls::FirstElement(outputs->tensor), result->data(),
             result->bytes());
    ++outputs;
  }
  return refusal_;
}

Interpreter::Values Interpreter::Call(const Function& function,
                                      const Values& arguments) {
  Values values(static_cast<size_t>(function.num_values));
  const auto value_of = [&values](int32_t number) -> Shared& {
    return values[static_cast<size_t>(number)];
  };
  const auto all_of = [&](const std::vector<int32_t>& numbers) {
    Values all;
    for (const int32_t number : numbers) all.push_back(value_of(number));
    return all;
  };
  for (size_t i = 0; i < arguments.size(); ++i)
    value_of(function.arguments[i].number) = arguments[i];
  const std::vector<std::vector<int32_t>> last_uses = LastUses(function);
  for (const int32_t number : last_uses[0]) value_of(number) = nullptr;
  for (size_t i = 0; i < function.ops.size(); ++i) {
    const Op& op = function.ops[i];
    const Values results = RunProgramOp(op, all_of(op.inputs));
    if (IsRefused()) return {};
    for (size_t k = 0; k < results.size(); ++k)
      value_of(op.outputs[k].number) = results[k];
    for (const int32_t number : last_uses[i + 1]) value_of(number) = nullptr;
  }
  return all_of(function.results);
}

Interpreter::Values Interpreter::RunProgramOp(const Op& op,
                                              const Values& inputs) {
  if (IsControl(op.name)) return RunControl(op, inputs);
  if (!op.literal) return RunKernel(op, inputs);
  const auto value = Make(op.name, op.outputs[0].type);
  if (value == nullptr) return {};
  std::ranges::copy(*op.literal, value->data());
  return {value};
}

Interpreter::Values Interpreter::RunControl(const Op& op,
                                            const Values& inputs) {
  if (op.name == "optimization_barrier") return inputs;
  if (op.name == "func.call") return Call(op.functions[0], inputs);
  if (op.name == "while") return RunWhile(op, inputs);
  const Values captures(inputs.begin() + 1, inputs.end());
  if (op.name == "if")
    return Call(op.functions[*inputs[0]->data() != 0 ? 0 : 1], captures);
  int32_t index = 0;
  memcpy(&index, inputs[0]->data(), sizeof(index));
  const auto last = static_cast<int32_t>(op.functions.size()) - 1;
  // Every index that no branch has is that of the last one.
  if (index < 0 || index > last) index = last;
  return Call(op.functions[static_cast<size_t>(index)], captures);
}

Interpreter::Values Interpreter::RunWhile(const Op& op, Values state) {
  const Values captures(
      state.end() - static_cast<std::ptrdiff_t>(op.num_captures), state.end());
  while (true) {
    const Values predicate = Call(op.functions[0], state);
    if (IsRefused()) return {};
    if (*predicate[0]->data() == 0) break;
    if (++rounds_ > kMostRounds) {
      Refuse(op.name, "more than 2^16 rounds");
      return {};
    }
    state = Call(op.functions[1], state);
    if (IsRefused()) return {};
    state.insert(state.end(), captures.begin(), captures.end());
  }
  state.resize(op.NumOperands());
  return state;
}

Interpreter::Values Interpreter::RunKernel(const Op& op, const Values& inputs) {
  std::vector<AssayTensor> tensors;
  for (const Shared& input : inputs) tensors.push_back(input->ToAbi());
  Values results;
  for (const Value& output : op.outputs) {
    const auto result = Make(op.name, output.type);
    if (result == nullptr) return {};
    tensors.push_back(result->ToAbi());
    results.push_back(result);
  }
  std::vector<AssayAttribute> attributes;
  for (const Attribute& attribute : op.attributes) {
    attributes.push_back(
        {attribute.name.c_str(), attribute.text.c_str(), attribute.tensor, {}});
  }
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op.name.c_str();
  call.num_inputs = static_cast<int32_t>(inputs.size());
  call.inputs = tensors.data();
  call.num_outputs = static_cast<int32_t>(results.size());
  call.outputs = tensors.data() + inputs.size();
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  // An op that takes several groups of tensors takes as many in each.
  const size_t num_groups = NumGroups(call.op);
  std::vector<int32_t> groups(
      num_groups,
      static_cast<int32_t>(op.NumOperands() / std::max<size_t>(num_groups, 1)));
  if (op.body != nullptr) {
    call.num_regions = 1;
    call.functions = op.body;
    call.num_captures = static_cast<int32_t>(op.num_captures);
    call.num_input_groups = static_cast<int32_t>(num_groups);
    call.input_group_sizes = groups.data();
  }
  char message[256] = "";
  const int32_t status = AnswerCall(&call, message, sizeof(message));
  if (status == ASSAY_OK) return results;
  refusal_ = {static_cast<AssayStatus>(status), message};
  return {};
}

std::shared_ptr<Interpreter::TensorValue> Interpreter::Make(
    const std::string& user, const TensorType& type) {
  const size_t bytes = type.Bytes();
  if (bytes <= kMostBytes && bytes_ + bytes <= kMostBytes)
    return std::make_shared<TensorValue>(type, &bytes_);
  Refuse(user, "more than 2^30 bytes at a time");
  return nullptr;
}

void Interpreter::Refuse(const std::string& user, const std::string& text) {
  refusal_ = {ASSAY_UNSUPPORTED, user + ": " + text};
}

}  // namespace assay::broken::program
