// Functions of the notation, applied to terms.
#include <algorithm>
#include <array>

#include "cases/search/compile.h"
#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using FunctionKind = Expression::Kind;

// What is not known of an element type is settled, but it is not quantized.
Term OfUnknownType(const std::string& name) {
  constexpr std::array kOfQuantized = {
      "is_quantized", "is_per_axis_quantized", "is_per_tensor_quantized",
      "storage_type", "storage_min",           "storage_max",
      "scales",       "expressed_type",        "quantization_dimension",
      "zero_points"};
  if (std::ranges::find(kOfQuantized, name) == kOfQuantized.end()) return {};
  return Constant(CallFunction(name, {ElementType::kI1}));
}

// Functions of the element type are constants.
Term OfElementType(const std::string& name, const Term::Tensor& tensor,
                   const Term::List& arguments) {
  if (!tensor.type) return OfUnknownType(name);
  if (name == "element_type") return Constant(*tensor.type);
  const auto baseline = [&] {
    TensorType type;
    if (const auto* quantized = tensor.type->As<Value::Quantized>())
      type.quantization = quantized->quantization;
    else
      type.element_type = *tensor.type->As<ElementType>();
    return CallFunction("baseline_element_type", {type});
  };
  if (name == "baseline_element_type") return Constant(baseline());
  if (name == "baseline_type") {
    Term::Tensor type = tensor;
    type.type = baseline();
    return {type};
  }
  if (arguments.size() == 1)
    return Constant(CallFunction(name, {*tensor.type}));
  throw NotUnderstood();
}

Term OfTensor(const std::string& name, const Term::Tensor& tensor,
              const Term::List& arguments) {
  const auto of_slot = [&](FunctionKind kind) {
    return Expression::OfSlot(kind, tensor.number);
  };
  if (name == "is_tensor") return Constant(true);
  if (name == "is_token") return Constant(false);
  if (name == "type" || (name == "baseline_type" && !tensor.type))
    return {tensor};
  if (name == "shape") return {of_slot(FunctionKind::kShape)};
  if (name == "rank") return {of_slot(FunctionKind::kRank)};
  if (name == "size") return {of_slot(FunctionKind::kSize)};
  if (name == "axes")
    return Compiled(FunctionKind::kRange, {of_slot(FunctionKind::kRank)});
  if (name == "dim")
    return Compiled(FunctionKind::kElement, {of_slot(FunctionKind::kShape),
                                             ToExpression(arguments[1])});
  if (name == "value") {
    if (!tensor.values) throw NotUnderstood();
    if (tensor.has_rows) return {Term::Matrix{tensor.number, *tensor.values}};
    return {Expression::OfSlot(FunctionKind::kVector, *tensor.values)};
  }
  if (name == "broadcast" || name == "is_broadcastable") {
    const auto* other = arguments[1].As<Term::Tensor>();
    if (other == nullptr) throw NotUnderstood();
    return Compiled(name == "broadcast" ? FunctionKind::kBroadcast
                                        : FunctionKind::kIsBroadcastable,
                    {of_slot(FunctionKind::kShape),
                     Expression::OfSlot(FunctionKind::kShape, other->number)});
  }
  return OfElementType(name, tensor, arguments);
}

Term OfMatrix(const std::string& name, const Term::Matrix& matrix,
              const Term::List& arguments) {
  const auto of_shape = [&](FunctionKind kind) {
    return Expression::OfSlot(kind, matrix.shape);
  };
  if (name == "shape") return {of_shape(FunctionKind::kShape)};
  if (name == "size") return {of_shape(FunctionKind::kSize)};
  if (name == "dim")
    return Compiled(FunctionKind::kElement, {of_shape(FunctionKind::kShape),
                                             ToExpression(arguments[1])});
  if (name == "is_unique")
    return Compiled(FunctionKind::kIsUnique,
                    {Expression::OfSlot(FunctionKind::kVector, matrix.list)});
  throw NotUnderstood();
}

// Precondition: it is one of three functions.
Term OfTerms(const std::string& name, const Term::List& list,
             const Term::List& arguments) {
  if (name == "size") return Constant(static_cast<int64_t>(list.size()));
  if (name == "same") {
    Term::List all;
    for (size_t i = 1; i < list.size(); ++i)
      all.push_back(Equality(list[0], list[i]));
    return Conjunction(all);
  }
  return Compiled(FunctionKind::kSum, ToExpression(arguments[0]).children);
}

}  // namespace

Term Apply(const std::string& name, const Term::List& arguments) {
  if (IsAnySettled(arguments)) return OfUnknownType(name);
  if (AreAllConstant(arguments)) {
    std::vector<Value> values;
    for (const Term& term : arguments) values.push_back(*ConstantOf(term));
    return Constant(CallFunction(name, values));
  }
  if (const auto* tensor = arguments[0].As<Term::Tensor>())
    return OfTensor(name, *tensor, arguments);
  if (const auto* matrix = arguments[0].As<Term::Matrix>())
    return OfMatrix(name, *matrix, arguments);
  const auto* list = arguments[0].As<Term::List>();
  if (list != nullptr && (name == "size" || name == "same" || name == "sum"))
    return OfTerms(name, *list, arguments);
  const Expression first = ToExpression(arguments[0]);
  if (name == "size")
    return first.is_list ? Compiled(FunctionKind::kLength, {first})
                         : Constant(int64_t{1});
  if (name == "is_unique") return Compiled(FunctionKind::kIsUnique, {first});
  if (name == "is_sorted") return Compiled(FunctionKind::kIsSorted, {first});
  if (name == "range") return Compiled(FunctionKind::kRange, {first});
  if (name == "product") return Compiled(FunctionKind::kProduct, {first});
  constexpr std::pair<const char*, FunctionKind> kOfTwo[] = {
      {"without", FunctionKind::kWithout},
      {"max", FunctionKind::kMax},
      {"arranged", FunctionKind::kArranged}};
  for (const auto& [function, kind] : kOfTwo) {
    if (name == function)
      return Compiled(kind, {first, ToExpression(arguments[1])});
  }
  throw NotUnderstood();
}

}  // namespace assay
