// The kinds of value that formulas compute with, as far as their text says, and
// which of them an operator can compare. Private to the formula_*.cc files.
#ifndef ASSAY_SPEC_FORMULA_FORMULA_TYPE_H_
#define ASSAY_SPEC_FORMULA_FORMULA_TYPE_H_

#include <set>
#include <string>
#include <vector>

namespace assay {

// The set of kinds that are possible.
using Kinds = unsigned;
inline constexpr Kinds kTensorKind = 1;  // a value computed at run time
inline constexpr Kinds kTypeKind = 2;    // of a tensor
inline constexpr Kinds kElementTypeKind = 4;
inline constexpr Kinds kNumberKind = 8;
inline constexpr Kinds kBooleanKind = 16;
inline constexpr Kinds kSymbolKind = 32;  // an enum constant
inline constexpr Kinds kNoneKind = 64;
inline constexpr Kinds kShapeKind = 128;  // a list that shape() gave
inline constexpr Kinds kListKind = 256;   // any other list
inline constexpr Kinds kFunctionKind = 512;  // an input function
inline constexpr Kinds kAnyKind = 1023;      // nothing is known
inline constexpr Kinds kListKinds = kShapeKind | kListKind;

// "a tensor or a type".
std::string Describe(Kinds kinds);

struct FormulaType {
  Kinds kinds = kAnyKind;
  Kinds element = kAnyKind;            // of lists and shapes
  std::set<std::string> symbols = {};  // that an enum constant may be

  bool MayBe(Kinds k) const { return (kinds & k) != 0; }
  // This or `other`.
  void Add(const FormulaType& other);
};

struct FunctionSignature {
  std::vector<FormulaType> parameters;
  FormulaType result;
};

// Why `lhs op rhs` can never be what was meant; "" if it can. `op`: one of = !=
// < <= > >= in.
std::string CompareComplaint(const std::string& op, const FormulaType& lhs,
                             const FormulaType& rhs);

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_TYPE_H_
