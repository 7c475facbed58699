// A comparison is refused only if no kinds that its operands may have fit, so
// operands of unknown kind pass.
#include "spec/formula/formula_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

// Returns whether a value of kind `a` can equal one of kind `b`. None can stand
// for any member that a type lacks; a list inside of a list may hold anything.
bool CanEqual(Kinds a, Kinds b) {
  constexpr Kinds kTyped = kTensorKind | kTypeKind;
  return (a & b) != 0 || ((a | b) & (kNoneKind | kListKinds)) != 0 ||
         ((a & kTyped) != 0 && (b & kTyped) != 0);
}

// Compares operands or elements of kinds `a` and `b`, whose symbols are those
// of `lhs` and `rhs`.
std::string EqualComplaint(const std::string& op, Kinds a, Kinds b,
                           const FormulaType& lhs, const FormulaType& rhs) {
  if (!CanEqual(a, b))
    return fmt::format("'{}' between {} and {}", op, Describe(a), Describe(b));
  const auto both = [&](const std::string& symbol) {
    return rhs.symbols.contains(symbol);
  };
  if (a == kSymbolKind && b == kSymbolKind &&
      std::ranges::none_of(lhs.symbols, both)) {
    return fmt::format(
        "'{}' between enum constants that are never equal: {} and {}", op,
        fmt::join(lhs.symbols, ", "), fmt::join(rhs.symbols, ", "));
  }
  return "";
}

}  // namespace

std::string Describe(Kinds kinds) {
  static constexpr std::pair<Kinds, const char*> kNames[] = {
      {kTensorKind, "a tensor"},
      {kTypeKind, "a type"},
      {kElementTypeKind, "an element type"},
      {kNumberKind, "a number"},
      {kBooleanKind, "a truth value"},
      {kSymbolKind, "an enum constant"},
      {kNoneKind, "None"},
      {kShapeKind, "a shape"},
      {kListKind, "a list"},
      {kConstantKind, "a tensor constant"},
      {kFunctionKind, "a function"}};
  std::vector<const char*> names;
  for (const auto& [kind, name] : kNames) {
    if (kinds & kind) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

void FormulaType::Add(const FormulaType& other) {
  kinds |= other.kinds;
  element |= other.element;
  symbols.insert(other.symbols.begin(), other.symbols.end());
}

std::string CompareComplaint(const std::string& op, const FormulaType& lhs,
                             const FormulaType& rhs) {
  if (op == "in") {
    if (!rhs.MayBe(kListKinds))
      return fmt::format("'in' is followed by a list, not {}",
                         Describe(rhs.kinds));
    const bool is_list = (rhs.kinds & ~kListKinds) == 0;
    return is_list ? EqualComplaint(op, lhs.kinds, rhs.element, lhs, rhs) : "";
  }
  // A scalar is compared with every element of a list.
  const auto is_list = [](const FormulaType& type) {
    return (type.kinds & ~kListKinds) == 0;
  };
  const auto compared = [&](const FormulaType& type, const FormulaType& other) {
    return is_list(type) && (is_list(other) || !other.MayBe(kListKinds))
               ? type.element
               : type.kinds;
  };
  const Kinds a = compared(lhs, rhs), b = compared(rhs, lhs);
  if (op != "=" && op != "!=") {
    for (Kinds kinds : {a, b}) {
      if ((kinds & (kNumberKind | kListKinds)) == 0)
        return fmt::format("'{}' compares numbers, not {}", op,
                           Describe(kinds));
    }
    return "";
  }
  // A shape whose every dimension equals a number is hardly ever meant.
  if ((lhs.kinds | rhs.kinds) == (kShapeKind | kNumberKind))
    return fmt::format(
        "'{}' between a shape and a number: rank() or dim() is a number", op);
  return EqualComplaint(op, a, b, lhs, rhs);
}

}  // namespace assay
