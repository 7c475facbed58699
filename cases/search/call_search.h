// A search completes a call: it gives shapes to operands and results, and
// values to the numbers and lists of numbers among the attributes, so that all
// constraints of the op hold, or all but one.
//
// It knows nothing of any op. One variable after the other is chosen, those
// first on which others rest; what the constraints then exclude is excluded at
// once (domains.h), and where nothing is left of a variable the last choice is
// taken back.
#ifndef ASSAY_CASES_SEARCH_CALL_SEARCH_H_
#define ASSAY_CASES_SEARCH_CALL_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/search/choices.h"
#include "cases/search/plan.h"

namespace assay {

struct SearchGoal {
  // Some tensor has this shape where the constraints let it, and dimensions of
  // others lean to it. Which one is a choice; without choices it is the first.
  Shape seed;
  int64_t most_elements = INT64_MAX;  // of a tensor
  // Shapes that are given: of the operands, then of the results.
  std::vector<std::optional<Shape>> given = {};
  // The label of the constraint that must be false; empty: all must be true.
  std::string_view violated = {};
  // Searched attributes that the call leaves out.
  std::vector<std::string_view> absent = {};
  // Adds what rests on shapes and numbers, such as functions, to a call that is
  // found. All constraints are asked then.
  std::function<void(Op* call)> finish = nullptr;
};

class CallSearch {
 public:
  explicit CallSearch(const OpSpec& spec);

  // Completes a call that has operands and results of the right element types,
  // and all attributes that are not searched. Returns whether a call was found
  // in a bounded number of choices; if none was, the call is as it was.
  // Elements of a constant of any type are zero.
  bool Complete(const SearchGoal& goal, Choices* choices, Op* call);

  // Returns the labels of the constraints that are false whatever shapes and
  // numbers such a call is given, and whether a call may be found.
  struct ByTypes {
    std::vector<std::string_view> false_labels;
    bool is_feasible;
  };
  ByTypes Judge(const Op& call, const SearchGoal& goal);

 private:
  const Plan& PlanOf(const Op& call, const SearchGoal& goal);

  const OpSpec& spec_;
  const bool has_variadic_;
  // By what a plan depends on: types, attributes, counts, violated constraint.
  std::unordered_map<std::string, Plan> plans_;
  std::string key_;  // of the last call
};

// Returns whether no constraint is false or undecided, or exactly the one of
// this label is false, if it is not empty.
bool SatisfiesAllBut(const OpSpec& spec, const Op& call,
                     std::string_view violated);

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_CALL_SEARCH_H_
