// The variables of a plan get their intervals here, and truths are asserted of
// them.
#include "cases/search/domains.h"

#include <algorithm>

#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using DomainKind = Expression::Kind;

uint64_t BitOf(size_t number) {
  return number < kMostMasked ? uint64_t{1} << number : 0;
}

}  // namespace

Domains::Domains(const Plan& plan)
    : plan_(plan),
      lists_(plan.shapes * kMembers),
      scalars_(lists_ + plan.vectors.size() * kMembers),
      intervals_(scalars_ + plan.scalars.size()),
      lengths_(plan.remembered_lengths + 1) {
  const Interval rank = {0, kMostSearchedRank};
  for (size_t shape = 0; shape < plan.shapes; ++shape) {
    intervals_[Rank(shape)] = rank;
    for (Variable v = Size(shape); v < Rank(shape) + kMembers; ++v)
      intervals_[v] = {0, kInfinite};
  }
  const auto of_type = [](ElementType type) {
    return Interval{Saturated(MinValue(type)), Saturated(MaxValue(type))};
  };
  for (size_t list = 0; list < plan.vectors.size(); ++list) {
    intervals_[Length(list)] =
        plan.vectors[list].tensor ? Interval{0, kMostSearchedLength} : rank;
    intervals_[Common(list)] = of_type(plan.vectors[list].type);
  }
  for (size_t number = 0; number < plan.scalars.size(); ++number)
    intervals_[Scalar(number)] = of_type(plan.scalars[number].type);
}

bool Domains::Narrow(Variable variable, const Interval& interval) {
  const Interval before = intervals_[variable];
  const Interval after = Intersection(before, interval);
  if (after == before) return true;
  if (after.IsEmpty()) return false;
  changes_.emplace_back(variable, before);
  intervals_[variable] = after;
  if (IsCount(variable)) ++counts_;
  has_changed_ = true;
  const size_t slot = variable < scalars_
                          ? variable / kMembers
                          : scalars_ / kMembers + variable - scalars_;
  open_ |= plan_.constraints_with[slot];
  open_shapes_ |= BitOf(slot);
  return true;
}

void Domains::Undo(const State& state) {
  for (; changes_.size() > state.changes; changes_.pop_back()) {
    intervals_[changes_.back().first] = changes_.back().second;
    if (IsCount(changes_.back().first)) ++counts_;
  }
  held_ = state.held;
  open_ = state.open;
  open_shapes_ = state.open_shapes;
}

bool Domains::Propagate() {
  constexpr int kMostRounds = 64;
  for (int round = 0; round < kMostRounds; ++round) {
    has_changed_ = false;
    alternative_.reset();
    for (size_t shape = 0; shape < plan_.shapes; ++shape) {
      const uint64_t bit = BitOf(shape);
      if (bit != 0 && (open_shapes_ & bit) == 0) continue;
      open_shapes_ &= ~bit;
      if (!PropagateSize(shape)) return false;
    }
    open_ |= plan_.constraints_with_or;
    for (size_t i = 0; i < plan_.constraints.size(); ++i) {
      const uint64_t bit = BitOf(i);
      if (bit != 0 && (open_ & ~held_ & bit) == 0) continue;
      open_ &= ~bit;
      const Truth known = Assert(plan_.constraints[i]);
      if (!IsAccepted(known)) return false;
      if (known == Truth::kTrue) held_ |= bit;
    }
    if (!has_changed_) return true;
  }
  return true;  // Intervals may shrink by one for long; a choice ends it.
}

bool Domains::IsAccepted(Truth truth) const {
  return truth != Truth::kFalse &&
         (truth != Truth::kUndefined || plan_.violates);
}

bool Domains::Choose(const Alternative& alternative, bool first) {
  indices_ = alternative.indices;
  return IsAccepted(Assert(alternative.truth->children[first ? 0 : 1]));
}

bool Domains::IsSolved() {
  return std::ranges::all_of(plan_.constraints, [&](const Expression& truth) {
    const Truth known = TruthOfPart(truth);
    return known == Truth::kTrue || (known != Truth::kFalse && plan_.violates);
  });
}

// The number of elements is the product of the dimensions.
bool Domains::PropagateSize(size_t shape) {
  const Interval rank = intervals_[Rank(shape)];
  if (!rank.IsPoint()) return true;
  __int128 least = 1, most = 1;
  for (int64_t d = 0; d < rank.lo; ++d) {
    const Interval& size = intervals_[Dimension(shape, static_cast<size_t>(d))];
    least = Saturated(least * size.lo);
    most = Saturated(most * size.hi);
  }
  if (!Narrow(Size(shape), {Saturated(least), Saturated(most)})) return false;
  const Interval all = intervals_[Size(shape)];
  for (int64_t d = 0; d < rank.lo; ++d) {
    const Variable variable = Dimension(shape, static_cast<size_t>(d));
    const Interval size = intervals_[variable];
    if (size.IsPoint()) continue;
    // The product of the other dimensions.
    __int128 others_least = 1, others_most = 1;
    for (int64_t other = 0; other < rank.lo; ++other) {
      if (other == d) continue;
      const Interval& of_other =
          intervals_[Dimension(shape, static_cast<size_t>(other))];
      others_least = Saturated(others_least * of_other.lo);
      others_most = Saturated(others_most * of_other.hi);
    }
    const auto low = static_cast<int64_t>(others_least);
    const auto high = static_cast<int64_t>(others_most);
    // An empty tensor has dimensions that could be large; all stay below the
    // greatest number of elements.
    Interval to = {0, low > 1 ? all.hi / low : all.hi};
    if (all.lo > 0) {
      if (high == 0) return false;
      to.lo = high >= kInfinite ? 1 : (all.lo + high - 1) / high;
    }
    if (!Narrow(variable, to)) return false;
  }
  return true;
}

Truth Domains::Assert(const Expression& e) {
  switch (e.kind) {
    case DomainKind::kAnd: {
      Truth all = Truth::kTrue;
      for (const Expression& child : e.children) all = And(all, Assert(child));
      return all;
    }
    case DomainKind::kOr: {
      const Truth a = TruthOfPart(e.children[0]),
                  b = TruthOfPart(e.children[1]);
      if (a == Truth::kTrue || b == Truth::kTrue) return Truth::kTrue;
      if (a == Truth::kFalse) return Assert(e.children[1]);
      if (b == Truth::kFalse) return Assert(e.children[0]);
      if (!alternative_) alternative_ = {&e, indices_};
      return Truth::kDeferred;
    }
    case DomainKind::kEqual:
    case DomainKind::kLess:
    case DomainKind::kLessOrEqual:
      return AssertComparison(e);
    case DomainKind::kIsUnique: {
      const Expression& list = e.children[0];
      const Interval every = RangeOf(list, kEvery);
      if (!every.IsEmpty() &&
          !NarrowLength(list, {0, Saturated(every.hi - every.lo + 1)}))
        return Truth::kFalse;
      return TruthOfPart(e);
    }
    case DomainKind::kIsSorted:
      return AssertSorted(e);
    case DomainKind::kForAll:
      return ForAll(e, [&] { return Assert(e.children[1]); });
    case DomainKind::kConditional:
      switch (TruthOfPart(e.children[0])) {
        case Truth::kTrue:
          return Assert(e.children[1]);
        case Truth::kFalse:
          return Assert(e.children[2]);
        default:
          return TruthOfPart(e);
      }
    default:
      return TruthOfPart(e);
  }
}

Truth Domains::AssertComparison(const Expression& e) {
  const Expression &a = e.children[0], &b = e.children[1];
  if (!a.is_list && !b.is_list) return AssertElement(e, 0);
  // An order between lists of different lengths is undefined, which another
  // constraint forbids.
  const bool narrows_length = a.is_list && b.is_list &&
                              (e.kind == DomainKind::kEqual || !plan_.violates);
  Interval of_a = LengthOf(a.is_list ? a : b);
  Interval of_b = LengthOf(b.is_list ? b : a);
  if (narrows_length && !(of_a.IsPoint() && of_a == of_b)) {
    const bool is_undefined = of_a.IsEmpty() || of_b.IsEmpty();
    if (is_undefined) return Truth::kUndefined;
    if (!NarrowLength(a, of_b) || !NarrowLength(b, of_a)) return Truth::kFalse;
    of_a = LengthOf(a);
    of_b = LengthOf(b);
  }
  if (!of_a.IsPoint() || of_a != of_b) {
    if (e.kind != DomainKind::kEqual && !NarrowElements(e))
      return Truth::kFalse;
    return TruthOfPart(e);
  }
  Truth all = Truth::kTrue;
  for (int64_t i = 0; i < of_a.lo && all != Truth::kFalse; ++i)
    all = And(all, AssertElement(e, i));
  return all;
}

// Narrows element `i` of both sides of a comparison by one another. Where that
// decides it, the next round finds out.
Truth Domains::AssertElement(const Expression& e, int64_t i) {
  const Expression &a = e.children[0], &b = e.children[1];
  const Interval lhs = RangeOf(a, i), rhs = RangeOf(b, i);
  if (lhs.IsEmpty() || rhs.IsEmpty()) return Truth::kUndefined;
  bool can_hold = true;
  if (e.kind == DomainKind::kEqual) {
    if (lhs.IsPoint() && lhs == rhs) return Truth::kTrue;
    can_hold = !Intersection(lhs, rhs).IsEmpty() && NarrowTo(a, i, rhs) &&
               NarrowTo(b, i, lhs);
  } else {
    const int64_t strict = e.kind == DomainKind::kLess ? 1 : 0;
    if (lhs.hi + strict <= rhs.lo) return Truth::kTrue;
    can_hold = lhs.lo + strict <= rhs.hi &&
               NarrowTo(a, i, {-kInfinite, rhs.hi - strict}) &&
               NarrowTo(b, i, {lhs.lo + strict, kInfinite});
  }
  return can_hold ? Truth::kDeferred : Truth::kFalse;
}

// Each element is at least the one before it.
Truth Domains::AssertSorted(const Expression& e) {
  const Expression& list = e.children[0];
  const Interval length = LengthOf(list);
  if (!length.IsPoint()) return Truth::kDeferred;
  for (int64_t i = 1; i < length.lo; ++i) {
    const Interval before = RangeOf(list, i - 1), after = RangeOf(list, i);
    if (before.IsEmpty() || after.IsEmpty()) return Truth::kUndefined;
    if (!NarrowTo(list, i, {before.lo, kInfinite}) ||
        !NarrowTo(list, i - 1, {-kInfinite, after.hi}))
      return Truth::kFalse;
  }
  return TruthOfSorted(e);
}

// Narrows what the elements of lists may be, before it is known how many there
// are. A list without any satisfies every order.
bool Domains::NarrowElements(const Expression& e) {
  const Expression &a = e.children[0], &b = e.children[1];
  const Interval lhs = RangeOf(a, kEvery), rhs = RangeOf(b, kEvery);
  if (lhs.IsEmpty() || rhs.IsEmpty()) return true;
  const int64_t strict = e.kind == DomainKind::kLess ? 1 : 0;
  if (lhs.lo + strict > rhs.hi)
    return NarrowLength(a.is_list ? a : b, Interval::Point(0));
  return (!a.is_list || NarrowTo(a, kEvery, {-kInfinite, rhs.hi - strict})) &&
         (!b.is_list || NarrowTo(b, kEvery, {lhs.lo + strict, kInfinite}));
}

}  // namespace assay
