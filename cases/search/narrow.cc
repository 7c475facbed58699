// What must hold of an expression is passed down to the variables in it.
#include <algorithm>

#include "cases/search/domains.h"

namespace assay {
namespace {

using NarrowKind = Expression::Kind;

int64_t CeilingDivide(int64_t a, int64_t b) { return -FloorDivide(-a, b); }

// Returns the x of which x * factor may be in the interval.
Interval Factors(const Interval& product, const Interval& factor) {
  if (factor.IsPoint() && factor.lo != 0) {
    const int64_t by = factor.lo;
    return by > 0 ? Interval{CeilingDivide(product.lo, by),
                             FloorDivide(product.hi, by)}
                  : Interval{CeilingDivide(product.hi, by),
                             FloorDivide(product.lo, by)};
  }
  if (factor.lo > 0 && product.lo >= 0)
    return {CeilingDivide(product.lo, factor.hi),
            FloorDivide(product.hi, factor.lo)};
  return {};
}

// Returns the x of which floor(x / divisor) may be in the interval, for a
// divisor above 0.
Interval Dividends(const Interval& quotient, const Interval& divisor) {
  const Interval low = Times(Interval::Point(quotient.lo), divisor);
  const Interval high = Times(Interval::Point(quotient.hi + 1), divisor);
  return {low.lo, high.hi - 1};
}

// Returns the divisors above 0 of which floor(x / divisor) may be in the
// interval, where x and the quotients are below 0.
Interval Divisors(const Interval& quotient, const Interval& dividend) {
  Interval divisors = {1, kInfinite};
  if (quotient.hi >= 0 || dividend.hi >= 0) return divisors;
  divisors.lo = CeilingDivide(-dividend.hi, -quotient.lo);
  if (quotient.hi < -1)
    divisors.hi = FloorDivide(-dividend.lo - 1, -(quotient.hi + 1));
  return divisors;
}

// Returns the least interval of the numbers in `of` that leave this rest.
Interval Congruent(const Interval& of, int64_t divisor, int64_t rest) {
  const auto is_far = [](int64_t end) {
    return end <= -kInfinite || end >= kInfinite;
  };
  Interval numbers = of;
  if (!is_far(of.lo))
    numbers.lo = CeilingDivide(of.lo - rest, divisor) * divisor + rest;
  if (!is_far(of.hi))
    numbers.hi = FloorDivide(of.hi - rest, divisor) * divisor + rest;
  return numbers;
}

}  // namespace

bool Domains::NarrowTo(const Expression& e, int64_t i, const Interval& to) {
  switch (e.kind) {
    case NarrowKind::kNumber:
    case NarrowKind::kIndex:
      return !Intersection(RangeOf(e, i), to).IsEmpty();
    case NarrowKind::kRank:
      return Narrow(Rank(e.slot), to);
    case NarrowKind::kSize:
      return Narrow(Size(e.slot), to);
    case NarrowKind::kScalar:
      return Narrow(Scalar(e.slot), to);
    case NarrowKind::kLength:
      return NarrowLength(e.children[0], to);
    case NarrowKind::kShape:
      if (i == kEvery) return true;
      return i >= 0 && i < static_cast<int64_t>(kMostSearchedRank) &&
             Narrow(Dimension(e.slot, static_cast<size_t>(i)), to);
    case NarrowKind::kVector:
      if (i == kEvery) return Narrow(Common(e.slot), to);
      return i >= 0 && i < static_cast<int64_t>(kMostSearchedLength) &&
             Narrow(Element(e.slot, static_cast<size_t>(i)),
                    Intersection(to, intervals_[Common(e.slot)]));
    default:
      return NarrowList(e, i, to);
  }
}

bool Domains::NarrowList(const Expression& e, int64_t i, const Interval& to) {
  switch (e.kind) {
    case NarrowKind::kItems:
      return i == kEvery || NarrowTo(e.children[static_cast<size_t>(i)], 0, to);
    case NarrowKind::kSlice: {
      const Interval begin = RangeOf(e.children[1], 0);
      return i == kEvery || !begin.IsPoint() ||
             NarrowTo(e.children[0], begin.lo + i, to);
    }
    case NarrowKind::kRange:
      return i == kEvery || to.Contains(i);
    case NarrowKind::kWithout: {
      const std::optional<int64_t> place = PlaceWithout(e, i);
      return !place || NarrowTo(e.children[0], *place, to);
    }
    case NarrowKind::kElement:
    case NarrowKind::kGather: {
      const Interval place =
          RangeOf(e.children[1], e.kind == NarrowKind::kGather ? i : 0);
      return !place.IsPoint() || place.lo < 0 ||
             NarrowTo(e.children[0], place.lo, to);
    }
    case NarrowKind::kBroadcast:
      return NarrowBroadcast(e, i, to);
    case NarrowKind::kProduct:
      return NarrowProduct(e.children[0], to);
    case NarrowKind::kConcat: {
      const auto part = PartOf(e, i);
      return !part || NarrowTo(*part->first, part->second, to);
    }
    case NarrowKind::kMap:
      if (i == kEvery) return true;
      indices_[e.slot] = RangeOf(e.children[0], i);
      return NarrowTo(e.children[1], 0, to);
    case NarrowKind::kArranged: {
      const std::optional<int64_t> place = PlaceArranged(e, i);
      return !place || NarrowTo(e.children[0], *place, to);
    }
    default:
      return NarrowOperands(e, i, to);
  }
}

bool Domains::NarrowOperands(const Expression& e, int64_t i,
                             const Interval& to) {
  const Expression &a = e.children[0], &b = e.children[1];
  const auto narrow = [&](const Expression& operand, const Interval& interval) {
    return NarrowTo(operand, i, interval);
  };
  switch (e.kind) {
    case NarrowKind::kAdd:
      return narrow(a, Minus(to, RangeOf(b, i))) &&
             narrow(b, Minus(to, RangeOf(a, i)));
    case NarrowKind::kSubtract:
      return narrow(a, Plus(to, RangeOf(b, i))) &&
             narrow(b, Minus(RangeOf(a, i), to));
    case NarrowKind::kMultiply:
      return narrow(a, Factors(to, RangeOf(b, i))) &&
             narrow(b, Factors(to, RangeOf(a, i)));
    case NarrowKind::kFloorDivide: {
      const Interval divisor = RangeOf(b, i);
      if (divisor.lo <= 0) return true;
      return narrow(a, Dividends(to, divisor)) &&
             narrow(b, Divisors(to, RangeOf(a, i)));
    }
    case NarrowKind::kModulo: {
      const Interval divisor = RangeOf(b, i);
      if (!divisor.IsPoint() || divisor.lo <= 0 || !to.IsPoint()) return true;
      return narrow(a, Congruent(RangeOf(a, i), divisor.lo, to.lo));
    }
    case NarrowKind::kMax: {
      const Interval x = RangeOf(a, i), y = RangeOf(b, i);
      return narrow(a, {to.lo > y.hi ? to.lo : -kInfinite, to.hi}) &&
             narrow(b, {to.lo > x.hi ? to.lo : -kInfinite, to.hi});
    }
    case NarrowKind::kSum: {
      for (const Expression& term : e.children) {
        Interval others = Interval::Point(0);
        for (const Expression& other : e.children) {
          if (&other != &term) others = Plus(others, RangeOf(other, 0));
        }
        if (!NarrowTo(term, 0, Minus(to, others))) return false;
      }
      return true;
    }
    case NarrowKind::kConditional:
      switch (TruthOfPart(a)) {
        case Truth::kTrue:
          return narrow(b, to);
        case Truth::kFalse:
          return narrow(e.children[2], to);
        default:
          return true;
      }
    default:
      return true;
  }
}

bool Domains::NarrowProduct(const Expression& list, const Interval& to) {
  const Interval length = LengthOf(list);
  for (int64_t i = 0; length.IsPoint() && i < length.lo; ++i) {
    Interval others = Interval::Point(1);
    for (int64_t k = 0; k < length.lo; ++k) {
      if (k != i) others = Times(others, RangeOf(list, k));
    }
    if (!NarrowTo(list, i, Factors(to, others))) return false;
  }
  return true;
}

// A dimension of the result is that of the one shape whose dimension is not 1.
bool Domains::NarrowBroadcast(const Expression& e, int64_t i,
                              const Interval& to) {
  const Interval length = LengthOf(e);
  if (i == kEvery || !length.IsPoint()) return true;
  for (size_t k = 0; k < 2; ++k) {
    const Interval rank = LengthOf(e.children[k]);
    const Interval other_rank = LengthOf(e.children[1 - k]);
    if (!rank.IsPoint() || !other_rank.IsPoint()) return true;
    const int64_t d = i - (length.lo - rank.lo);
    const int64_t other_d = i - (length.lo - other_rank.lo);
    if (d < 0) continue;
    const Interval other =
        other_d < 0 ? Interval::Point(1) : RangeOf(e.children[1 - k], other_d);
    const bool decides = other == Interval::Point(1);
    if (!NarrowTo(e.children[k], d,
                  decides ? to : Hull(to, Interval::Point(1))))
      return false;
  }
  return true;
}

bool Domains::NarrowLength(const Expression& e, const Interval& to) {
  switch (e.kind) {
    case NarrowKind::kShape:
      return Narrow(Rank(e.slot), to);
    case NarrowKind::kVector:
      return Narrow(Length(e.slot), to);
    case NarrowKind::kRange:
      return NarrowTo(e.children[0], 0, to);
    case NarrowKind::kGather:
      return NarrowLength(e.children[1], to);
    case NarrowKind::kMap:
      return NarrowLength(e.children[0], to);
    case NarrowKind::kConcat:
      for (const Expression& part : e.children) {
        Interval others = Interval::Point(0);
        for (const Expression& other : e.children) {
          if (&other != &part) others = Plus(others, LengthOf(other));
        }
        if (!NarrowLength(part, Minus(to, others))) return false;
      }
      return true;
    case NarrowKind::kConditional:
      switch (TruthOfPart(e.children[0])) {
        case Truth::kTrue:
          return NarrowLength(e.children[1], to);
        case Truth::kFalse:
          return NarrowLength(e.children[2], to);
        default:
          return !Intersection(LengthOf(e), to).IsEmpty();
      }
    case NarrowKind::kWithout:
      if (plan_.violates)
        return NarrowLength(e.children[0],
                            Plus(to, CountOfPlaces(e.children[1])));
      return NarrowLength(e.children[0], Plus(to, LengthOf(e.children[1]))) &&
             NarrowLength(e.children[1], Minus(LengthOf(e.children[0]), to));
    case NarrowKind::kSlice: {
      const Interval begin = RangeOf(e.children[1], 0);
      return NarrowTo(e.children[2], 0, Plus(to, begin));
    }
    case NarrowKind::kBroadcast:
      for (const Expression& shape : e.children) {
        if (!NarrowLength(shape, {0, to.hi})) return false;
      }
      return !Intersection(LengthOf(e), to).IsEmpty();
    case NarrowKind::kItems:
      return !Intersection(LengthOf(e), to).IsEmpty();
    default:
      // Arithmetic on lists of different lengths is undefined, which a call
      // that violates another constraint may be.
      if (plan_.violates) return true;
      for (const Expression& child : e.children) {
        if (child.is_list && !NarrowLength(child, to)) return false;
      }
      return true;
  }
}

}  // namespace assay
