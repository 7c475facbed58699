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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/search/expression.h"
#include "spec/op_spec.h"

namespace assay {

// An ungiven number or list of numbers among the attributes of a call, or the
// elements of an operand for which formulas ask. Lists of rows are searched as
// one list of all their elements.
struct PlannedNumbers {
  const InputSpec* input;
  ElementType type;
  // The tensor of `shape_of` that has the elements; nullopt of a list.
  std::optional<size_t> tensor = std::nullopt;
  // An equation gives it once everything else is known, so it is chosen last.
  bool is_given = false;
  bool is_unique = false;  // no element of the list stands in it twice
};

// So many constraints, or shapes, have a bit of a mask.
inline constexpr size_t kMostMasked = 64;

struct Plan {
  // False if a constraint cannot hold whatever the shapes and numbers are, or
  // the one that must be false cannot be.
  bool is_feasible = true;
  // The labels of the constraints that are false whatever these are.
  std::vector<std::string_view> false_labels;
  // Functions decide the constraint that must be false.
  bool is_up_to_functions = false;
  // Some constraint is left to the formulas.
  bool has_opaque = false;
  // The shape of each tensor: operands, results, constants of any type, and
  // lists of rows.
  std::vector<size_t> shape_of;
  size_t shapes = 0;
  std::vector<const InputSpec*> constants;  // of any type, behind the results
  size_t first_constant = 0, first_matrix = 0;  // in shape_of
  std::vector<PlannedNumbers> vectors, scalars;
  // The lists whose lengths rest on ranks, lengths and numbers alone.
  size_t remembered_lengths = 0;
  std::vector<Expression> constraints;
  // By shape, then by list, then by number: the constraints with it in them, as
  // bits; and the constraints that have an alternative. Constraints beyond
  // kMostMasked have no bit.
  std::vector<uint64_t> constraints_with;
  uint64_t constraints_with_or = 0;
  // The constraint that must be false, if one must.
  bool violates = false;
};

// Whether element types of variadic operands do not matter to a plan of such
// calls: a table or a proposal has those that go together.
bool HasTypesThatFit(const OpSpec& spec, const Op& call);

// Whether an attribute is searched unless it is given.
bool IsSearched(const InputSpec& input);

// Returns the plan of calls with the operands, results and attributes of
// `call`, whose shapes do not matter. Searched attributes in `absent` are left
// out. If `violated` is not empty, the constraint of that label must be false.
Plan MakePlan(const OpSpec& spec, const Op& call, std::string_view violated,
              const std::vector<std::string_view>& absent = {});

// Returns whether all that calls of the op have can be given or searched, which
// holds of all but functions, types and lists of enums.
bool CanBeSearched(const OpSpec& spec);

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_PLAN_H_
