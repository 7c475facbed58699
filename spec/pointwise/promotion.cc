// Promote is elementwise_dtypes of PyTorch, with the names of its parts.
#include "spec/pointwise/promotion.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/error.h"

namespace assay {
namespace {

using enum ElementType;
using OperandKind = PromotionOperand::Kind;

// Returns the place of a type in the order, or nullopt outside of it.
std::optional<int> Place(ElementType type) {
  switch (type) {
    case kI1:
      return 0;
    case kUi8:
    case kI8:
      return 1;
    case kI16:
      return 2;
    case kI32:
      return 3;
    case kI64:
      return 4;
    case kF16:
    case kBF16:
      return 5;
    case kF32:
      return 6;
    case kF64:
      return 7;
    case kComplexF32:
      return 8;
    case kComplexF64:
      return 9;
    default:
      return std::nullopt;
  }
}

// This is PyTorch's get_higher_dtype.
std::optional<ElementType> Higher(ElementType a, ElementType b) {
  if (a == b) return a;
  const std::optional<int> place_a = Place(a), place_b = Place(b);
  if (!place_a || !place_b) return std::nullopt;
  if (*place_a != *place_b) return *place_a < *place_b ? b : a;
  return IsInteger(a) ? kI16 : kF32;
}

// This is PyTorch's corresponding_complex_dtype.
std::optional<ElementType> ComplexOf(ElementType type) {
  if (IsComplex(type)) return type;
  if (type == kF64) return kComplexF64;
  if (type == kF32 || type == kF16 || type == kBF16) return kComplexF32;
  return std::nullopt;
}

ElementType DefaultType(PromotionCategory category) {
  switch (category) {
    case PromotionCategory::kBool:
      return kI1;
    case PromotionCategory::kInteger:
      return kI64;
    case PromotionCategory::kFloat:
      return kF32;
    case PromotionCategory::kComplex:
      return kComplexF32;
  }
  ASSAY_CHECK(!"a category");
}

// Returns the highest type of the category among operands of one kind. nullopt
// with an empty reason means that no operand has the category.
std::optional<ElementType> HighestOf(std::span<const PromotionOperand> operands,
                                     OperandKind kind,
                                     PromotionCategory category,
                                     std::string* reason) {
  std::optional<ElementType> highest;
  for (const PromotionOperand& operand : operands) {
    if (operand.kind != kind) continue;
    std::optional<ElementType> type = operand.type;
    if (category == PromotionCategory::kComplex && IsFloat(*type)) {
      type = ComplexOf(*type);
      if (!type) {
        *reason = fmt::format("{} has no complex type", Name(operand.type));
        return std::nullopt;
      }
    }
    if (CategoryOf(*type) != category) continue;
    const std::optional<ElementType> higher =
        highest ? Higher(*highest, *type) : type;
    if (!higher) {
      *reason = fmt::format("{} and {} have no common type", Name(*highest),
                            Name(*type));
      return std::nullopt;
    }
    highest = higher;
  }
  return highest;
}

std::optional<ElementType> ResultType(
    std::span<const PromotionOperand> operands, std::string* reason) {
  reason->clear();
  PromotionCategory category = PromotionCategory::kBool;
  for (const PromotionOperand& operand : operands)
    category = std::max(category, CategoryOf(operand.type));
  for (const OperandKind kind : {OperandKind::kTensor, OperandKind::kZeroDim}) {
    const std::optional<ElementType> highest =
        HighestOf(operands, kind, category, reason);
    if (highest || !reason->empty()) return highest;
  }
  return DefaultType(category);
}

}  // namespace

PromotionCategory CategoryOf(ElementType type) {
  if (IsBoolean(type)) return PromotionCategory::kBool;
  if (IsInteger(type)) return PromotionCategory::kInteger;
  return IsFloat(type) ? PromotionCategory::kFloat
                       : PromotionCategory::kComplex;
}

const char* Name(PromotionCategory category) {
  constexpr const char* kNames[] = {"bool", "integer", "float", "complex"};
  return kNames[static_cast<size_t>(category)];
}

ElementType ComputationType(ElementType type) {
  return IsFloat(type) && Info(type).bits < 32 ? kF32 : type;
}

std::optional<Promotion> Promote(PromotionMethod method,
                                 std::span<const PromotionOperand> operands,
                                 std::string* reason) {
  if (operands.empty()) {
    *reason = "no argument takes part";
    return std::nullopt;
  }
  const std::optional<ElementType> highest = ResultType(operands, reason);
  if (!highest) return std::nullopt;
  const ElementType type = *highest;
  const Promotion by_default = {ComputationType(type), type};
  switch (method) {
    case PromotionMethod::kDefault:
      return by_default;
    case PromotionMethod::kNoOpmath:
      return Promotion{type, type};
    case PromotionMethod::kIntToFloat:
      return IsBoolean(type) || IsInteger(type) ? Promotion{kF32, kF32}
                                                : by_default;
    case PromotionMethod::kAlwaysBool:
      return Promotion{by_default.computation, kI1};
    case PromotionMethod::kComplexToFloat:
      if (type == kComplexF32) return Promotion{type, kF32};
      if (type == kComplexF64) return Promotion{type, kF64};
      return by_default;
    case PromotionMethod::kBoolToLong:
      return IsBoolean(type) ? Promotion{kI64, kI64} : by_default;
  }
  ASSAY_CHECK(!"a method");
}

}  // namespace assay
