#include "backends/broken/program/run_program.h"

#include <stdio.h>

#include <vector>

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/program/interpreter.h"
#include "backends/broken/program/program.h"

namespace assay::broken::program {
namespace {

// Returns whether there is a tensor of its type for each value.
bool HaveTypes(const std::vector<TensorType>& types, const AssayTensor* tensors,
               int32_t count) {
  if (types.size() != static_cast<size_t>(count)) return false;
  for (const TensorType& type : types) {
    const DLTensor& tensor = (tensors++)->tensor;
    if (TensorType{tensor.dtype, {tensor.shape, tensor.shape + tensor.ndim}} !=
        type)
      return false;
  }
  return true;
}

std::vector<TensorType> TypesOfResults(const Function& function) {
  std::vector<TensorType> by_number(static_cast<size_t>(function.num_values));
  const auto define = [&by_number](const std::vector<Value>& values) {
    for (const Value& value : values)
      by_number[static_cast<size_t>(value.number)] = value.type;
  };
  define(function.arguments);
  for (const Op& op : function.ops) define(op.outputs);
  std::vector<TensorType> types;
  for (const int32_t number : function.results)
    types.push_back(by_number[static_cast<size_t>(number)]);
  return types;
}

Refusal ReadAndRun(const AssayProgram& program) {
  if (program.struct_size < sizeof(AssayProgram) || program.function == nullptr)
    return {ASSAY_UNSUPPORTED, "a program that is text alone"};
  if (program.num_replicas != 1 || program.num_partitions != 1)
    return {ASSAY_UNSUPPORTED, "more than one process"};
  Function function;
  Refusal refusal = ReadFunction(*program.function, &function);
  if (refusal.status != ASSAY_OK) return refusal;
  std::vector<TensorType> types;
  for (const Value& argument : function.arguments)
    types.push_back(argument.type);
  if (!HaveTypes(types, program.inputs, program.num_inputs))
    return {ASSAY_INVALID, "inputs are not those of the entry"};
  if (!HaveTypes(TypesOfResults(function), program.outputs,
                 program.num_outputs))
    return {ASSAY_INVALID, "outputs are not those of the entry"};
  ActiveHooks().simplify(&function);
  return Interpreter().Run(function, program.inputs, program.outputs);
}

}  // namespace

int32_t RunProgram(const AssayProgram* program, char* message,
                   size_t capacity) {
  const Refusal refusal = ReadAndRun(*program);
  if (refusal.status != ASSAY_OK && message != nullptr && capacity > 0)
    snprintf(message, capacity, "%s", refusal.text.c_str());
  return refusal.status;
}

}  // namespace assay::broken::program
