// Tests run programs, which are written as lists
// (region_call_test_support.h), on tensors in row-major order.
#ifndef ASSAY_BACKENDS_BROKEN_PROGRAM_PROGRAM_CALL_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_PROGRAM_PROGRAM_CALL_TEST_SUPPORT_H_

#include <list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "backends/broken/kernel/region_call_test_support.h"
#include "backends/broken/program/program.h"
#include "backends/broken/program/run_program.h"

namespace assay::broken {

struct ProgramCall {
  const AssayFunction* function;
  std::vector<Values> inputs;  // of its arguments
};

// Returns the types of all values of a function, by their numbers.
inline std::vector<const char*> TypesOfValues(const AssayFunction& function) {
  std::vector<const char*> types(
      function.argument_types,
      function.argument_types + function.num_arguments);
  for (int32_t i = 0; i < function.num_ops; ++i) {
    const AssayFunctionOp& op = function.ops[i];
    types.insert(types.end(), op.output_types,
                 op.output_types + op.num_outputs);
  }
  return types;
}

// Returns a dense tensor of a type such as "tensor<2xi8>".
inline Placed OfType(const char* text, Values values = {}) {
  const AssayFunction function = {1, &text,   0,       nullptr,
                                  0, nullptr, nullptr, {}};
  program::Function read;
  EXPECT_EQ(ReadFunction(function, &read).status, ASSAY_OK) << text;
  const program::TensorType& type = read.arguments.at(0).type;
  return Dense(type.element, type.shape, std::move(values));
}

// Runs a program with the active hooks. If the answer is not ASSAY_OK, the
// result has only status and message.
inline Left RunCall(const ProgramCall& call, Side side) {
  std::list<Page> pages;
  std::list<PlacedTensor> tensors;
  std::vector<AssayTensor> inputs, outputs;
  const auto place = [&](const Placed& operand) {
    tensors.push_back(PlacedTensor::OnNewPages(operand, side, &pages));
    tensors.back().Write();
    return tensors.back().ToAbi();
  };
  const std::vector<const char*> types = TypesOfValues(*call.function);
  for (size_t k = 0; k < call.inputs.size(); ++k)
    inputs.push_back(place(OfType(types.at(k), call.inputs[k])));
  for (int32_t k = 0; k < call.function->num_results; ++k) {
    const auto number = static_cast<size_t>(call.function->results[k]);
    outputs.push_back(
        place(OfType(number < types.size() ? types[number] : kOfI8)));
  }
  AssaySeconds seconds = {};
  AssayProgram program = {};
  program.struct_size = sizeof(program);
  program.stablehlo = "";
  program.entry = "main";
  program.num_inputs = static_cast<int32_t>(inputs.size());
  program.inputs = inputs.data();
  program.num_outputs = static_cast<int32_t>(outputs.size());
  program.outputs = outputs.data();
  program.num_replicas = program.num_partitions = 1;
  program.seconds = &seconds;
  program.function = call.function;
  char message[256] = "";
  Left left = {};
  left.status = program::RunProgram(&program, message, sizeof(message));
  left.message = message;
  left.rounding = std::fegetround();
  left.flags = std::fetestexcept(FE_ALL_EXCEPT);
  left.control = ControlRegister();
  if (left.status != ASSAY_OK) return left;
  for (Page& page : pages) left.pages.push_back(page.Content());
  auto tensor = std::next(tensors.begin(), std::ssize(inputs));
  for (; tensor != tensors.end(); ++tensor) tensor->Read(&left.result);
  return left;
}

inline Left RunSound(const ProgramCall& call) {
  ActiveHooks() = SoundHooks();
  return RunCall(call, Side::kTightBehind);
}

inline Values SoundResult(const ProgramCall& call) {
  const Left left = RunSound(call);
  EXPECT_EQ(left.status, ASSAY_OK) << left.message;
  return left.result;
}

// Returns a constant of a type such as "tensor<2xi8>", which lasts as long as
// the program.
inline FunctionOp ConstantOf(const char* type, Values values) {
  static std::list<std::pair<Page, Placed>> all;
  static std::list<AssayTensor> tensors;
  auto& [page, placed] = all.emplace_back();
  placed = OfType(type, std::move(values));
  PlacedTensor tensor(placed, &page, page.begin());
  tensor.Write();
  AssayTensor& abi = tensors.emplace_back(tensor.ToAbi());
  abi.tensor.shape = placed.shape.data();
  abi.tensor.strides = placed.strides.data();
  return {"constant", {}, {type}, {}, {}, &abi};
}

// Returns each op of a function and of those in it that controls nothing, as a
// program of its own on values that count from 1.
inline std::vector<ProgramCall> OpsOf(const AssayFunction& function) {
  static std::list<AssayFunction> functions;
  static std::list<std::vector<int32_t>> numbers;
  static std::list<Types> all_types;
  static std::list<AssayFunctionOp> ops;
  std::vector<ProgramCall> calls;
  const std::vector<const char*> types = TypesOfValues(function);
  for (int32_t i = 0; i < function.num_ops; ++i) {
    const AssayFunctionOp& op = function.ops[i];
    const bool is_applied = std::string(op.op) == "reduce";
    for (int32_t k = 0; k < op.num_functions && !is_applied; ++k) {
      for (ProgramCall& inner : OpsOf(op.functions[k]))
        calls.push_back(std::move(inner));
    }
    if (op.num_functions > 0 && !is_applied) continue;
    Types& arguments = all_types.emplace_back();
    std::vector<Values> values;
    for (int32_t k = 0; k < op.num_inputs; ++k) {
      arguments.push_back(types[static_cast<size_t>(op.inputs[k])]);
      const Placed operand = OfType(arguments.back());
      values.push_back(Iota(static_cast<int>(CountOf(operand.shape))));
    }
    std::vector<int32_t>& inputs = numbers.emplace_back(arguments.size());
    std::iota(inputs.begin(), inputs.end(), 0);
    std::vector<int32_t>& results =
        numbers.emplace_back(static_cast<size_t>(op.num_outputs));
    std::iota(results.begin(), results.end(), op.num_inputs);
    AssayFunctionOp& alone = ops.emplace_back(op);
    alone.inputs = inputs.data();
    calls.push_back({&functions.emplace_back(AssayFunction{op.num_inputs,
                                                           arguments.data(),
                                                           1,
                                                           &alone,
                                                           op.num_outputs,
                                                           results.data(),
                                                           nullptr,
                                                           {}}),
                     values});
  }
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_PROGRAM_PROGRAM_CALL_TEST_SUPPORT_H_
