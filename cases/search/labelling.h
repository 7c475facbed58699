// The variables of a plan are chosen here, one after the other. Private to the
// search.
#ifndef ASSAY_CASES_SEARCH_LABELLING_H_
#define ASSAY_CASES_SEARCH_LABELLING_H_

#include "cases/search/call_search.h"
#include "cases/search/domains.h"

namespace assay {

class Labelling {
 public:
  Labelling(const Plan& plan, const SearchGoal& goal, Choices* choices)
      : plan_(plan), goal_(goal), choices_(*choices), domains_(plan) {}

  // Returns whether every variable has a value and all constraints hold. Unless
  // tensors `may_be_empty`, none is.
  bool Run(bool may_be_empty);

  // The values, once all variables have one.
  Shape ShapeOf(size_t tensor) const;
  std::vector<int64_t> VectorOf(size_t list) const;
  int64_t ScalarOf(size_t number) const {
    return domains_[domains_.Scalar(number)].lo;
  }

 private:
  using Variable = Domains::Variable;

  // Gives the open variables values. Returns whether that succeeded.
  bool Step();
  bool PlaceSeed();
  bool DecideAlternative();
  // These find an open variable of a kind; nullopt if there is none.
  std::optional<bool> StepOfRanks();
  std::optional<bool> StepOfNumbers(bool given);
  std::optional<bool> StepOfDimensions();
  // Returns the first element of the list that is not known.
  std::optional<size_t> OpenElement(size_t list) const;
  // Tries values that `draw` returns, given an interval and the number of the
  // attempt.
  template <class Draw>
  bool Label(Variable variable, const Interval& domain, Draw draw);
  bool Try(Variable variable, int64_t value);

  int64_t DrawNumber(const Interval& domain, bool is_element);
  int64_t DrawUnique(size_t list, size_t i, const Interval& domain);
  int64_t DrawDimension(size_t shape, size_t d, const Interval& domain);
  int64_t DrawDivisor(size_t shape, const Interval& domain);
  uint32_t Below(Topic topic, int64_t n) {
    return choices_.Below(topic, static_cast<uint32_t>(n));
  }

  const Plan& plan_;
  const SearchGoal& goal_;
  Choices& choices_;
  Domains domains_;
  bool is_seed_placed_ = false;
  int steps_left_ = 0;  // until the search begins again
};

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_LABELLING_H_
