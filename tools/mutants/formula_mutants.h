// A mutant of an op's formula differs from it in one token, or lacks one part
// of a conjunction, a disjunction or a condition.
//
// The suite knows a formula as well as it tells the formula from its mutants.
#ifndef ASSAY_TOOLS_MUTANTS_FORMULA_MUTANTS_H_
#define ASSAY_TOOLS_MUTANTS_FORMULA_MUTANTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "spec/op_spec.h"

namespace assay {

enum class ChangeKind { kOperator, kNumber, kName, kFunction, kDropped };

// The text from `begin` to `end` becomes `to`.
struct FormulaChange {
  ChangeKind kind;
  size_t begin, end;
  std::string to;
};

struct FormulaMutant {
  std::string label;  // "C1"; "where pads" of a definition
  ChangeKind kind;
  std::string change;  // "5: '<=' -> '<'": the column, and what becomes what
  // The op with the changed formula, and without constraints that it does not
  // enter.
  OpSpec spec;
};

struct FormulaMutants {
  std::vector<FormulaMutant> mutants;
  // The numbers of changes that the parser refuses, and the check of types.
  int unparsed = 0, untyped = 0;
};

// Returns the op with only what it takes to hold a call against its formulas.
OpSpec WithFormulasAlone(const OpSpec& spec);

// Returns the changes of a formula of the op, in the order of their places.
std::vector<FormulaChange> ChangesOf(const OpSpec& spec, std::string_view text);

// Returns the mutants of all formulas that decide a constraint: of constraints,
// of type columns and of definitions.
FormulaMutants MutantsOf(const OpSpec& spec);

// Returns at most `most` of the mutants of each formula: of every kind of
// change the same number as far as there are as many, and of each kind evenly
// over the formula.
std::vector<const FormulaMutant*> Choose(
    const std::vector<FormulaMutant>& mutants, size_t most);

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_FORMULA_MUTANTS_H_
