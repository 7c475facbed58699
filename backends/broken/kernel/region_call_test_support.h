// Tests make calls of ops that are given a function, which is written as lists
// here: values have numbers, arguments first.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_REGION_CALL_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_REGION_CALL_TEST_SUPPORT_H_

#include <list>
#include <string>
#include <utility>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {

inline constexpr char kOfI1[] = "tensor<i1>", kOfI8[] = "tensor<i8>",
                      kOfI32[] = "tensor<i32>", kOfF32[] = "tensor<f32>",
                      kOfBf16[] = "tensor<bf16>";

using Types = std::vector<const char*>;

// The lists of an AssayFunction, or of one of its ops.
struct FunctionOp {
  std::string op;
  std::vector<int32_t> inputs;
  Types types;  // of the results
  std::map<std::string, std::string> attributes = {};
  std::vector<const AssayFunction*> functions = {};
  const AssayTensor* value = nullptr;  // of a constant
  int32_t num_captures = 0;
};

// The lists of a function that was made last as long as the program.
inline const AssayFunction* FunctionOf(Types arguments,
                                       std::vector<FunctionOp> function_ops,
                                       std::vector<int32_t> function_results,
                                       const char* monoid = nullptr) {
  struct Lists {
    Types arguments;
    std::vector<FunctionOp> ops;
    std::vector<int32_t> results;
    std::list<std::vector<AssayAttribute>> attributes;
    std::list<std::vector<AssayFunction>> functions;
    std::vector<AssayFunctionOp> abi_ops;
    AssayFunction function;
  };
  static std::list<Lists> all;
  Lists& lists = all.emplace_back(Lists{std::move(arguments),
                                        std::move(function_ops),
                                        std::move(function_results),
                                        {},
                                        {},
                                        {},
                                        {}});
  for (const FunctionOp& op : lists.ops) {
    auto& attributes = lists.attributes.emplace_back();
    for (const auto& [name, text] : op.attributes)
      attributes.push_back({name.c_str(), text.c_str(), nullptr, {}});
    if (op.value != nullptr) attributes.push_back({"value", "", op.value, {}});
    auto& functions = lists.functions.emplace_back();
    for (const AssayFunction* function : op.functions)
      functions.push_back(*function);
    AssayFunctionOp& abi = lists.abi_ops.emplace_back();
    abi.op = op.op.c_str();
    abi.num_inputs = static_cast<int32_t>(op.inputs.size());
    abi.inputs = op.inputs.data();
    abi.num_outputs = static_cast<int32_t>(op.types.size());
    abi.output_types = op.types.data();
    abi.num_attributes = static_cast<int32_t>(attributes.size());
    abi.attributes = attributes.data();
    abi.num_functions = static_cast<int32_t>(functions.size());
    abi.functions = functions.data();
    abi.num_captures = op.num_captures;
  }
  lists.function = {static_cast<int32_t>(lists.arguments.size()),
                    lists.arguments.data(),
                    static_cast<int32_t>(lists.abi_ops.size()),
                    lists.abi_ops.data(),
                    static_cast<int32_t>(lists.results.size()),
                    lists.results.data(),
                    monoid,
                    {}};
  return &lists.function;
}

// Returns a function of two arguments of a type.
inline const AssayFunction* Binary(const char* op, const char* type,
                                   const char* monoid = nullptr) {
  return FunctionOf({type, type}, {{op, {0, 1}, {type}}}, {2}, monoid);
}

// Returns a function of that many arguments which returns some of them.
inline const AssayFunction* Arguments(const Types& types,
                                      std::vector<int32_t> results) {
  return FunctionOf(types, {}, std::move(results));
}

// Returns a comparator of operands of type i8 that compares arguments 0 and 1.
inline const AssayFunction* Comparator(const char* direction, size_t operands) {
  return FunctionOf(
      Types(2 * operands, kOfI8),
      {{"compare", {0, 1}, {kOfI1}, {{"comparison_direction", direction}}}},
      {static_cast<int32_t>(2 * operands)});
}

// What is behind the operands is captured.
inline LayoutCall MapOf(const AssayFunction* function,
                        std::vector<Placed> inputs, int32_t operands,
                        Placed result) {
  return {"map", std::move(inputs), {std::move(result)}, {},
          {},    function,          {operands}};
}

inline LayoutCall ReduceOf(const AssayFunction* function,
                           std::vector<Placed> inputs,
                           const std::vector<Placed>& init_values,
                           std::vector<Placed> results,
                           const std::string& dimensions) {
  const auto count = static_cast<int32_t>(inputs.size());
  inputs.insert(inputs.end(), init_values.begin(), init_values.end());
  return {"reduce",
          std::move(inputs),
          std::move(results),
          {{"dimensions", dimensions}},
          {},
          function,
          {count, count}};
}

// The results are dense.
inline LayoutCall SortOf(const AssayFunction* comparator,
                         std::vector<Placed> inputs,
                         const std::string& dimension) {
  std::vector<Placed> results;
  for (const Placed& input : inputs)
    results.push_back(Dense(input.type, input.shape));
  const auto count = static_cast<int32_t>(inputs.size());
  return {"sort",
          std::move(inputs),
          std::move(results),
          {{"dimension", dimension}, {"is_stable", "true"}},
          {},
          comparator,
          {count}};
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_REGION_CALL_TEST_SUPPORT_H_
