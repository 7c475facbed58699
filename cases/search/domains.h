// Domains has what every variable of a plan may still be, and narrows it by the
// constraints.
//
// The variables are ranks, sizes of dimensions, numbers of elements, lengths
// and elements of lists, and numbers. Each has an interval. A constraint is
// evaluated on intervals, to a truth that is perhaps not known yet, and what
// must hold is passed down to the variables in it (HC4 of constraint
// programming). Both are repeated until nothing changes.
#ifndef ASSAY_CASES_SEARCH_DOMAINS_H_
#define ASSAY_CASES_SEARCH_DOMAINS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cases/search/interval.h"
#include "cases/search/plan.h"
#include "spec/formula/formula.h"

namespace assay {

inline constexpr size_t kMostSearchedRank = 8;
// The most elements of a list of rows. Other lists are as long as ranks are.
inline constexpr size_t kMostSearchedLength = 16;

class Domains {
 public:
  // The number of a variable. A shape has a rank, a number of elements and
  // dimensions; a list has a length, an interval of all its elements, and
  // elements.
  using Variable = size_t;
  static constexpr size_t kMembers = 2 + kMostSearchedLength;

  // `plan` must outlive the object.
  explicit Domains(const Plan& plan);

  Variable Rank(size_t shape) const { return shape * kMembers; }
  Variable Size(size_t shape) const { return shape * kMembers + 1; }
  Variable Dimension(size_t shape, size_t d) const {
    return shape * kMembers + 2 + d;
  }
  Variable Length(size_t list) const { return lists_ + list * kMembers; }
  Variable Common(size_t list) const { return Length(list) + 1; }
  Variable Element(size_t list, size_t i) const { return Length(list) + 2 + i; }
  Variable Scalar(size_t number) const { return scalars_ + number; }

  const Interval& operator[](Variable variable) const {
    return intervals_[variable];
  }
  // What an element of a list may be.
  Interval ElementOf(size_t list, size_t i) const {
    return Intersection(intervals_[Common(list)], intervals_[Element(list, i)]);
  }

  // Narrows a variable; false if nothing is left of it.
  bool Narrow(Variable variable, const Interval& interval);
  // Narrows everything by the constraints. Returns false if one of them is
  // false.
  bool Propagate();

  // A disjunction of which it is not known which side holds, and the first
  // index of each For all around it.
  struct Alternative {
    const Expression* truth;
    std::array<Interval, kMostIndices> indices;
  };
  // The first one that Propagate met, if it met one.
  const std::optional<Alternative>& alternative() const { return alternative_; }
  // Requires the last side of the disjunction, or the first one.
  bool Choose(const Alternative& alternative, bool first);

  // Whether all constraints are known to hold. If the plan violates one, others
  // may be undefined, and formulas decide.
  bool IsSolved();

  // A state to which Undo goes back.
  struct State {
    size_t changes;
    uint64_t held, open, open_shapes;
  };
  State Mark() const { return {changes_.size(), held_, open_, open_shapes_}; }
  void Undo(const State& state);

 private:
  static constexpr int64_t kEvery = -1;  // element: what any of them may be

  // The first four say what is known: numbers and elements as intervals,
  // lengths of lists, and truths.
  Interval RangeOf(const Expression& e, int64_t i);
  Interval RangeOfPart(const Expression& e, int64_t i);
  Interval RangeOfList(const Expression& e, int64_t i);
  Interval BroadcastRange(const Expression& e, int64_t i);
  Interval LengthOf(const Expression& e) {
    if (e.kind == Expression::Kind::kShape) return intervals_[Rank(e.slot)];
    if (e.kind == Expression::Kind::kVector) return intervals_[Length(e.slot)];
    return e.remembered == 0 ? LengthOfPart(e) : RememberedLength(e);
  }
  Interval LengthOfPart(const Expression& e);
  Interval RememberedLength(const Expression& e);
  bool IsCount(Variable variable) const {
    return variable >= scalars_ || variable % kMembers == 0;
  }
  Interval CountOfPlaces(const Expression& places);
  Truth TruthOfPart(const Expression& e);
  Truth TruthOfEquality(const Expression& e);
  Truth TruthOfOrder(const Expression& e);
  Truth TruthOfUnique(const Expression& e);
  Truth TruthOfSorted(const Expression& e);
  Truth TruthOfMembership(const Expression& e);
  Truth TruthOfBroadcastable(const Expression& e);
  // Returns the part of a kConcat that has element `i`, with its place there.
  std::optional<std::pair<const Expression*, int64_t>> PartOf(
      const Expression& e, int64_t i);
  // Returns the place of element `i` of a kArranged in its list.
  std::optional<int64_t> PlaceArranged(const Expression& e, int64_t i);
  // Returns the place of element `i` of a kWithout in its list.
  std::optional<int64_t> PlaceWithout(const Expression& e, int64_t i);
  template <class F>  // F(): the truth of the body
  Truth ForAll(const Expression& e, F truth_of_body);

  // These pass down what must hold. They return false if it cannot.
  bool NarrowTo(const Expression& e, int64_t i, const Interval& to);
  bool NarrowList(const Expression& e, int64_t i, const Interval& to);
  bool NarrowOperands(const Expression& e, int64_t i, const Interval& to);
  bool NarrowProduct(const Expression& list, const Interval& to);
  bool NarrowBroadcast(const Expression& e, int64_t i, const Interval& to);
  bool NarrowLength(const Expression& e, const Interval& to);
  bool IsAccepted(Truth truth) const;
  Truth Assert(const Expression& e);
  Truth AssertComparison(const Expression& e);
  Truth AssertElement(const Expression& e, int64_t i);
  bool NarrowElements(const Expression& e);
  Truth AssertSorted(const Expression& e);
  bool PropagateSize(size_t shape);

  const Plan& plan_;
  size_t lists_, scalars_;
  std::vector<Interval> intervals_;
  std::vector<std::pair<Variable, Interval>> changes_;
  // Lengths by the number of their list. They hold as long as `counts_`, which
  // every change of a rank, length or number moves on, is what it was.
  struct Remembered {
    uint64_t counts = 0;
    Interval length;
  };
  std::vector<Remembered> lengths_;
  uint64_t counts_ = 1;
  std::array<Interval, kMostIndices> indices_;  // of For all
  std::optional<Alternative> alternative_;
  // Bit k of `held_` is set if constraint k holds whatever the open variables
  // become, and bit k of `open_` if a variable of it has changed since it was
  // looked at; one that is held or not open is not looked at again. Neither are
  // the dimensions of a shape, but for those with a bit in `open_shapes_`.
  uint64_t held_ = 0, open_ = ~uint64_t{0}, open_shapes_ = ~uint64_t{0};
  bool has_changed_ = false;
};

template <class F>
Truth Domains::ForAll(const Expression& e, F truth_of_body) {
  const Expression& range = e.children[0];
  const Interval length = LengthOf(range);
  if (!length.IsPoint()) return Truth::kDeferred;
  Truth all = Truth::kTrue;
  for (int64_t i = 0; i < length.lo && all != Truth::kFalse; ++i) {
    indices_[e.slot] = RangeOf(range, i);
    all = std::min(all, truth_of_body());
  }
  return all;
}

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_DOMAINS_H_
