// A Plan is what a search knows of an op before it begins: the constraints on
// shapes and numbers, with the element types, the enum values and the counts of
// a call put in.
//
// Tensors whose shapes a constraint makes equal share one shape of the plan, so
// that most elementwise calls have no constraint left. A part of a constraint
// that rests on types or functions alone is settled: by the signature, or by
// what draws the functions. A constraint that the plan does not understand is
// left to the formulas, which judge the complete call.
#ifndef ASSAY_CASES_SEARCH_PLAN_H_
#define ASSAY_CASES_SEARCH_PLAN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cases/search/expression.h"
#include "spec/op_spec.h"

namespace assay {

// An ungiven number or list of numbers among the attributes of a call.
struct PlannedNumbers {
  const InputSpec* input;
  // An equation gives it once everything else is known, so it is chosen last.
  bool is_given = false;
  bool is_unique = false;  // no element of the list stands in it twice
};

// So many constraints, or shapes, have a bit of a mask.
inline constexpr size_t kMostMasked = 64;

struct Plan {
  // False if a constraint is false whatever the shapes and numbers are.
  bool is_feasible = true;
  // Some constraint is left to the formulas.
  bool has_opaque = false;
  // The shape of each tensor: operands, results, and constants of any type.
  std::vector<size_t> shape_of;
  size_t shapes = 0;
  std::vector<const InputSpec*> constants;  // of any type, behind the results
  std::vector<PlannedNumbers> vectors, scalars;
  std::vector<Expression> constraints;
  // By shape, then by list, then by number: the constraints with it in them, as
  // bits; and the constraints that have an alternative. Constraints beyond
  // kMostMasked have no bit.
  std::vector<uint64_t> constraints_with;
  uint64_t constraints_with_or = 0;
  // The constraint that must be false, if one must.
  bool violates = false;
};

// Returns the plan of calls with the operands, results and attributes of
// `call`, whose shapes do not matter; element types of variadic operands do not
// matter either. If `violated` is not empty, the constraint of that label must
// be false; a plan without any shape or number in it is then not feasible.
Plan MakePlan(const OpSpec& spec, const Op& call, std::string_view violated);

// Returns whether all attributes of calls of the op can be given or searched:
// constants of any type, numbers, lists of numbers, enum and truth values.
bool CanBeSearched(const OpSpec& spec);

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_PLAN_H_
