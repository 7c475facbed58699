// A FormulaType has the kinds of value that an expression may have, as far as
// its text says. CompareComplaint tells which of them an operator can compare.
// Only the formula_*.cc files use this header.
#ifndef ASSAY_SPEC_FORMULA_FORMULA_TYPE_H_
#define ASSAY_SPEC_FORMULA_FORMULA_TYPE_H_

#include <set>
#include <string>
#include <vector>

namespace assay {

// This is the set of kinds that are possible.
using Kinds = unsigned;
inline constexpr Kinds kTensorKind = 1;  // a value computed at run time
inline constexpr Kinds kTypeKind = 2;    // of a tensor
inline constexpr Kinds kElementTypeKind = 4;
inline constexpr Kinds kNumberKind = 8;
inline constexpr Kinds kBooleanKind = 16;
inline constexpr Kinds kSymbolKind = 32;  // an enum constant
inline constexpr Kinds kNoneKind = 64;
inline constexpr Kinds kShapeKind = 128;      // a list that shape() gave
inline constexpr Kinds kListKind = 256;       // any other list
inline constexpr Kinds kFunctionKind = 512;   // an input function
inline constexpr Kinds kConstantKind = 1024;  // a list that is a constant
inline constexpr Kinds kAnyKind = 2047;       // nothing is known
inline constexpr Kinds kListKinds = kShapeKind | kListKind | kConstantKind;

// Returns a text such as "a tensor or a type".
std::string Describe(Kinds kinds);

struct FormulaType {
  Kinds kinds = kAnyKind;
  Kinds element = kAnyKind;            // of lists and shapes
  std::set<std::string> symbols = {};  // that an enum constant may be

  bool MayBe(Kinds k) const { return (kinds & k) != 0; }
  // Extends this type to one that is this or `other`.
  void Add(const FormulaType& other);
};

struct FunctionSignature {
  std::vector<FormulaType> parameters;
  FormulaType result;
};

// Returns why `lhs op rhs` can never be what was meant, or "" if it can. `op`
// is one of = != < <= > >= in.
std::string CompareComplaint(const std::string& op, const FormulaType& lhs,
                             const FormulaType& rhs);

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_TYPE_H_
