#include "fuzz/proposals/function_of_type.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/proposals/control_ops.h"
#include "fuzz/proposals/function_drawer.h"

namespace assay {
namespace {

bool IsPlainScalar(const ValueType& type) {
  return type.IsTensor() && type.tensor().shape.empty() && !type.IsQuantized();
}

// Defines a value that has no arguments: a constant, a token, or a tuple.
void Define(const TypedName& value, Function* function) {
  Op op;
  if (const TensorType* tensor = value.type.AsTensor()) {
    Tensor zeros(*tensor);
    std::fill_n(zeros.data(), zeros.byte_size(), std::byte{0});
    op.op = "constant";
    op.attributes = {{"value", std::move(zeros)}};
    op.outputs = {{"output", value.name, value.type}};
  } else if (const TupleType* tuple = value.type.AsTuple()) {
    op.op = "tuple";
    for (size_t k = 0; k < tuple->types.size(); ++k) {
      const TypedName member = {value.name + "_" + std::to_string(k),
                                tuple->types[k]};
      Define(member, function);
      op.inputs.push_back({"val", member.name, member.type});
    }
    op.outputs = {{"result", value.name, value.type}};
  } else {
    op.op = "after_all";
    op.outputs = {{"result", value.name, value.type}};
  }
  function->body.push_back(std::move(op));
}

// Ops on arguments give the results of scalars.
std::optional<Function> DrawOnScalars(const FunctionType& type,
                                      Choices* choices) {
  FunctionDrawer drawer("", false, choices);
  TypedNames arguments, results;
  for (const ValueType& input : type.inputs)
    arguments.push_back(drawer.AddArgument(input.tensor().element_type));
  for (size_t k = 0; k < type.outputs.size(); ++k) {
    const ElementType element = type.outputs[k].tensor().element_type;
    TypedNames fit;
    for (const TypedName& argument : arguments) {
      if (argument.type == type.outputs[k]) fit.push_back(argument);
    }
    std::vector<const OpSpec*> ops;
    for (const OpSpec* op : OpsOn(element, false)) {
      if (op->inputs.size() == 2) ops.push_back(op);
    }
    if (fit.empty()) return std::nullopt;
    const bool has_op = fit.size() > 1 && !ops.empty() &&
                        !choices->OneIn(Topic::kAttributes, 4);
    results.push_back(has_op
                          ? drawer.Add(choices->Of(Topic::kAttributes, ops)->id,
                                       {fit.front(), fit.back()}, element)
                          : choices->Of(Topic::kAttributes, fit));
  }
  return std::move(drawer).Finish(results);
}

}  // namespace

Function DrawFunction(const FunctionType& type, Choices* choices) {
  if (std::ranges::all_of(type.inputs, IsPlainScalar) &&
      std::ranges::all_of(type.outputs, IsPlainScalar)) {
    if (auto drawn = DrawOnScalars(type, choices)) return *std::move(drawn);
  }
  Function function;
  for (size_t k = 0; k < type.inputs.size(); ++k)
    function.inputs.push_back({"a" + std::to_string(k), type.inputs[k]});
  for (size_t k = 0; k < type.outputs.size(); ++k) {
    const auto fit =
        std::ranges::find(function.inputs, type.outputs[k], &TypedName::type);
    TypedName result = {"r" + std::to_string(k), type.outputs[k]};
    if (fit != function.inputs.end())
      result = *fit;
    else
      Define(result, &function);
    function.results.push_back(std::move(result));
  }
  return function;
}

}  // namespace assay
