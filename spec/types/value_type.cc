#include "spec/types/value_type.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

constexpr std::string_view kToken = "!stablehlo.token";
constexpr std::string_view kTuple = "tuple<";
std::string List(const std::vector<ValueType>& types) {
  std::string text;
  for (const ValueType& type : types) {
    if (!text.empty()) text += ", ";
    text += type.ToString();
  }
  return text;
}

}  // namespace

bool ValueType::IsStatic() const {
  if (const TensorType* tensor = AsTensor()) return tensor->IsStatic();
  const TupleType* tuple = AsTuple();
  return tuple == nullptr ||
         std::ranges::all_of(tuple->types, &ValueType::IsStatic);
}

bool ValueType::IsQuantized() const {
  if (const TensorType* tensor = AsTensor())
    return tensor->quantization != nullptr;
  const TupleType* tuple = AsTuple();
  return tuple != nullptr &&
         std::ranges::any_of(tuple->types, &ValueType::IsQuantized);
}

std::string ValueType::ToString() const {
  if (const TensorType* tensor = AsTensor()) return tensor->ToString();
  if (const TupleType* tuple = AsTuple())
    return fmt::format("{}{}>", kTuple, List(tuple->types));
  return std::string(kToken);
}

std::string FunctionType::ToString() const {
  const bool is_one = outputs.size() == 1;
  return fmt::format("({}) -> {}{}{}", List(inputs), is_one ? "" : "(",
                     List(outputs), is_one ? "" : ")");
}

}  // namespace assay
