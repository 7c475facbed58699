// What is known of expressions: intervals of numbers, lengths of lists, truths.
#include <algorithm>

#include "cases/search/domains.h"
#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using RangeKind = Expression::Kind;

}  // namespace

Interval Domains::RangeOf(const Expression& e, int64_t i) {
  switch (e.kind) {
    case RangeKind::kNumber:
      return Interval::Point(e.number);
    case RangeKind::kIndex:
      return indices_[e.slot];
    case RangeKind::kRank:
      return intervals_[Rank(e.slot)];
    case RangeKind::kSize:
      return intervals_[Size(e.slot)];
    case RangeKind::kScalar:
      return intervals_[Scalar(e.slot)];
    case RangeKind::kLength:
      return LengthOf(e.children[0]);
    case RangeKind::kShape:
      return i == kEvery || i >= static_cast<int64_t>(kMostSearchedRank)
                 ? Interval{0, kInfinite}
                 : intervals_[Dimension(e.slot, static_cast<size_t>(i))];
    case RangeKind::kVector:
      return i == kEvery || i < 0 ||
                     i >= static_cast<int64_t>(kMostSearchedLength)
                 ? intervals_[Common(e.slot)]
                 : ElementOf(e.slot, static_cast<size_t>(i));
    default:
      return RangeOfPart(e, i);
  }
}

Interval Domains::RangeOfPart(const Expression& e, int64_t i) {
  const auto of = [&](size_t child) { return RangeOf(e.children[child], i); };
  const auto both = [&](auto op) {
    const Interval a = of(0), b = of(1);
    return a.IsEmpty() || b.IsEmpty() ? Interval::Undefined() : op(a, b);
  };
  switch (e.kind) {
    case RangeKind::kAdd:
      return both(Plus);
    case RangeKind::kSubtract:
      return both(Minus);
    case RangeKind::kMultiply:
      return both(Times);
    case RangeKind::kFloorDivide:
      return both([](const Interval& a, const Interval& b) {
        if (b == Interval::Point(0)) return Interval::Undefined();
        return b.Contains(0) ? Interval{} : Over(a, b);
      });
    case RangeKind::kModulo:
      return both(Modulo);
    case RangeKind::kMax:
      return both([](const Interval& a, const Interval& b) {
        return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
      });
    case RangeKind::kSum: {
      Interval sum = Interval::Point(0);
      for (const Expression& child : e.children) {
        const Interval term = RangeOf(child, 0);
        if (term.IsEmpty()) return term;
        sum = Plus(sum, term);
      }
      return sum;
    }
    case RangeKind::kProduct: {
      const Interval length = LengthOf(e.children[0]);
      if (!length.IsPoint()) return {};
      Interval product = Interval::Point(1);
      for (int64_t k = 0; k < length.lo; ++k) {
        const Interval factor = RangeOf(e.children[0], k);
        if (factor.IsEmpty()) return factor;
        product = Times(product, factor);
      }
      return product;
    }
    case RangeKind::kConditional:
      switch (TruthOfPart(e.children[0])) {
        case Truth::kTrue:
          return of(1);
        case Truth::kFalse:
          return of(2);
        default:
          return Hull(of(1), of(2));
      }
    default:
      return RangeOfList(e, i);
  }
}

Interval Domains::RangeOfList(const Expression& e, int64_t i) {
  switch (e.kind) {
    case RangeKind::kElement:
    case RangeKind::kGather: {
      const Expression& list = e.children[0];
      const Interval place =
          RangeOf(e.children[1], e.kind == RangeKind::kGather ? i : 0);
      if (place.IsEmpty() || place.hi < 0 || place.lo >= LengthOf(list).hi)
        return Interval::Undefined();
      return RangeOf(list, place.IsPoint() ? place.lo : kEvery);
    }
    case RangeKind::kItems: {
      if (i != kEvery) {
        if (i >= static_cast<int64_t>(e.children.size()))
          return Interval::Undefined();
        return RangeOf(e.children[static_cast<size_t>(i)], 0);
      }
      Interval all = Interval::Undefined();
      for (const Expression& child : e.children) {
        const Interval item = RangeOf(child, 0);
        all = all.IsEmpty() ? item : Hull(all, item);
      }
      return all;
    }
    case RangeKind::kSlice: {
      const Interval begin = RangeOf(e.children[1], 0);
      if (begin.hi < 0) return Interval::Undefined();
      return RangeOf(e.children[0],
                     i != kEvery && begin.IsPoint() ? begin.lo + i : kEvery);
    }
    case RangeKind::kRange: {
      const Interval end = RangeOf(e.children[0], 0);
      return i == kEvery ? Interval{0, std::max<int64_t>(end.hi - 1, 0)}
                         : Interval::Point(i);
    }
    case RangeKind::kWithout:
      return RangeOf(e.children[0], PlaceWithout(e, i).value_or(kEvery));
    case RangeKind::kBroadcast:
      return BroadcastRange(e, i);
    case RangeKind::kConcat: {
      if (const auto part = PartOf(e, i))
        return RangeOf(*part->first, part->second);
      return {};
    }
    case RangeKind::kMap:
      if (i == kEvery) return {};
      indices_[e.slot] = RangeOf(e.children[0], i);
      return RangeOf(e.children[1], 0);
    case RangeKind::kArranged: {
      const std::optional<int64_t> place = PlaceArranged(e, i);
      return place ? RangeOf(e.children[0], *place) : Interval{};
    }
    default:
      return {};
  }
}

std::optional<std::pair<const Expression*, int64_t>> Domains::PartOf(
    const Expression& e, int64_t i) {
  if (i == kEvery) return std::nullopt;
  for (const Expression& part : e.children) {
    const Interval length = LengthOf(part);
    if (i < length.lo) return std::pair(&part, i);
    if (!length.IsPoint()) return std::nullopt;
    i -= length.lo;
  }
  return std::nullopt;
}

std::optional<int64_t> Domains::PlaceArranged(const Expression& e, int64_t i) {
  const Interval length = LengthOf(e.children[1]);
  if (i == kEvery || !length.IsPoint()) return std::nullopt;
  for (int64_t place = 0; place < length.lo; ++place) {
    if (RangeOf(e.children[1], place) == Interval::Point(i)) return place;
  }
  return std::nullopt;
}

Interval Domains::BroadcastRange(const Expression& e, int64_t i) {
  const Interval length = LengthOf(e);
  if (i == kEvery || !length.IsPoint()) return {0, kInfinite};
  Interval size = Interval::Point(1);
  for (const Expression& shape : e.children) {
    const Interval rank = LengthOf(shape);
    if (!rank.IsPoint()) return {0, kInfinite};
    const int64_t d = i - (length.lo - rank.lo);
    if (d < 0) continue;
    const Interval of_shape = RangeOf(shape, d);
    if (of_shape == Interval::Point(1)) continue;
    // A size that is known, and not 1, is that of the result.
    if (size == Interval::Point(1) || (of_shape.IsPoint() && !size.IsPoint()))
      size = of_shape;
    else if (!size.IsPoint())
      size = Hull(size, of_shape);
  }
  return size;
}

std::optional<int64_t> Domains::PlaceWithout(const Expression& e, int64_t i) {
  const Expression& places = e.children[1];
  const Interval count = LengthOf(places);
  if (i == kEvery || !count.IsPoint()) return std::nullopt;
  uint64_t left_out = 0;
  for (int64_t k = 0; k < count.lo; ++k) {
    const Interval place = RangeOf(places, k);
    if (!place.IsPoint() || place.lo < 0 || place.lo >= 64) return std::nullopt;
    left_out |= uint64_t{1} << place.lo;
  }
  int64_t place = 0;
  for (int64_t left = i;; ++place) {
    if ((left_out >> place & 1) != 0) continue;
    if (left-- == 0) return place;
  }
}

// Places are different ones, which a constraint ensures that may be violated.
Interval Domains::CountOfPlaces(const Expression& places) {
  const Interval count = LengthOf(places);
  if (!plan_.violates || count.hi <= 1) return count;
  if (!count.IsPoint()) return {std::min<int64_t>(count.lo, 1), count.hi};
  int64_t known = 0, open = 0;
  for (int64_t i = 0; i < count.lo; ++i) {
    const Interval place = RangeOf(places, i);
    bool is_new = true;
    for (int64_t k = 0; k < i && place.IsPoint(); ++k)
      is_new &= RangeOf(places, k) != place;
    (place.IsPoint() ? known : open) += is_new ? 1 : 0;
  }
  return {std::max<int64_t>(known, 1), known + open};
}

Interval Domains::LengthOf(const Expression& e) {
  switch (e.kind) {
    case RangeKind::kShape:
      return intervals_[Rank(e.slot)];
    case RangeKind::kVector:
      return intervals_[Length(e.slot)];
    case RangeKind::kItems:
      return Interval::Point(static_cast<int64_t>(e.children.size()));
    case RangeKind::kSlice:
      return Minus(RangeOf(e.children[2], 0), RangeOf(e.children[1], 0));
    case RangeKind::kRange:
      return RangeOf(e.children[0], 0);
    case RangeKind::kWithout: {
      const Interval length = LengthOf(e.children[0]);
      return Intersection({0, kInfinite},
                          Minus(length, CountOfPlaces(e.children[1])));
    }
    case RangeKind::kGather:
      return LengthOf(e.children[1]);
    case RangeKind::kMap:
      return LengthOf(e.children[0]);
    case RangeKind::kArranged:
      return Intersection(LengthOf(e.children[0]), LengthOf(e.children[1]));
    case RangeKind::kConcat: {
      Interval length = Interval::Point(0);
      for (const Expression& part : e.children)
        length = Plus(length, LengthOf(part));
      return length;
    }
    case RangeKind::kConditional:
      switch (TruthOfPart(e.children[0])) {
        case Truth::kTrue:
          return LengthOf(e.children[1]);
        case Truth::kFalse:
          return LengthOf(e.children[2]);
        default:
          return Hull(LengthOf(e.children[1]), LengthOf(e.children[2]));
      }
    case RangeKind::kBroadcast: {
      const Interval a = LengthOf(e.children[0]), b = LengthOf(e.children[1]);
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    }
    default: {
      Interval length = {0, kInfinite};
      for (const Expression& child : e.children) {
        if (child.is_list) length = Intersection(length, LengthOf(child));
      }
      return length;
    }
  }
}

Truth Domains::TruthOfPart(const Expression& e) {
  const auto of = [&](size_t child) { return TruthOfPart(e.children[child]); };
  switch (e.kind) {
    case RangeKind::kAnd: {
      Truth all = Truth::kTrue;
      for (const Expression& child : e.children)
        all = And(all, TruthOfPart(child));
      return all;
    }
    case RangeKind::kOr:
      return Or(of(0), of(1));
    case RangeKind::kNot:
      return Not(of(0));
    case RangeKind::kEqual:
      return TruthOfEquality(e);
    case RangeKind::kLess:
    case RangeKind::kLessOrEqual:
      return TruthOfOrder(e);
    case RangeKind::kIsUnique:
      return TruthOfUnique(e);
    case RangeKind::kIsSorted:
      return TruthOfSorted(e);
    case RangeKind::kIsIn:
      return TruthOfMembership(e);
    case RangeKind::kIsBroadcastable:
      return TruthOfBroadcastable(e);
    case RangeKind::kForAll:
      return ForAll(e, [&] { return TruthOfPart(e.children[1]); });
    case RangeKind::kConditional:
      switch (of(0)) {
        case Truth::kTrue:
          return of(1);
        case Truth::kFalse:
          return of(2);
        default:
          return of(0);
      }
    default:
      return Truth::kDeferred;
  }
}

Truth Domains::TruthOfEquality(const Expression& e) {
  const Expression &a = e.children[0], &b = e.children[1];
  int64_t length = 1;
  if (a.is_list || b.is_list) {
    const Interval of_a = LengthOf(a.is_list ? a : b);
    const Interval of_b = LengthOf(b.is_list ? b : a);
    if (of_a.IsEmpty() || of_b.IsEmpty()) return Truth::kUndefined;
    if (Intersection(of_a, of_b).IsEmpty()) return Truth::kFalse;
    if (!of_a.IsPoint() || !of_b.IsPoint()) return Truth::kDeferred;
    length = of_a.lo;
  }
  Truth all = Truth::kTrue;
  for (int64_t i = 0; i < length; ++i) {
    const Interval lhs = RangeOf(a, i), rhs = RangeOf(b, i);
    if (lhs.IsEmpty() || rhs.IsEmpty())
      all = And(all, Truth::kUndefined);
    else if (Intersection(lhs, rhs).IsEmpty())
      return Truth::kFalse;
    else if (!lhs.IsPoint() || !rhs.IsPoint())
      all = And(all, Truth::kDeferred);
  }
  return all;
}

Truth Domains::TruthOfOrder(const Expression& e) {
  const Expression &a = e.children[0], &b = e.children[1];
  const int64_t strict = e.kind == RangeKind::kLess ? 1 : 0;
  const auto of_element = [&](int64_t i) {
    const Interval lhs = RangeOf(a, i), rhs = RangeOf(b, i);
    if (lhs.IsEmpty() || rhs.IsEmpty()) return Truth::kUndefined;
    if (lhs.hi + strict <= rhs.lo) return Truth::kTrue;
    return lhs.lo + strict > rhs.hi ? Truth::kFalse : Truth::kDeferred;
  };
  if (!a.is_list && !b.is_list) return of_element(0);
  const Interval of_a = LengthOf(a.is_list ? a : b);
  const Interval of_b = LengthOf(b.is_list ? b : a);
  if (of_a.IsEmpty() || of_b.IsEmpty() || Intersection(of_a, of_b).IsEmpty())
    return Truth::kUndefined;
  if (!of_a.IsPoint() || !of_b.IsPoint()) return Truth::kDeferred;
  Truth all = Truth::kTrue;
  for (int64_t i = 0; i < of_a.lo; ++i) all = And(all, of_element(i));
  return all;
}

Truth Domains::TruthOfUnique(const Expression& e) {
  const Expression& list = e.children[0];
  const Interval length = LengthOf(list);
  bool is_known = length.IsPoint();
  for (int64_t i = 0; i < length.lo; ++i) {
    const Interval a = RangeOf(list, i);
    is_known &= a.IsPoint();
    for (int64_t k = 0; a.IsPoint() && k < i; ++k) {
      if (RangeOf(list, k) == a) return Truth::kFalse;
    }
  }
  return is_known ? Truth::kTrue : Truth::kDeferred;
}

Truth Domains::TruthOfSorted(const Expression& e) {
  const Expression& list = e.children[0];
  const Interval length = LengthOf(list);
  Truth all = length.IsPoint() ? Truth::kTrue : Truth::kDeferred;
  for (int64_t i = 1; i < length.lo; ++i) {
    const Interval before = RangeOf(list, i - 1), after = RangeOf(list, i);
    if (before.IsEmpty() || after.IsEmpty()) return Truth::kUndefined;
    if (before.lo > after.hi) return Truth::kFalse;
    if (before.hi > after.lo) all = And(all, Truth::kDeferred);
  }
  return all;
}

Truth Domains::TruthOfMembership(const Expression& e) {
  const Interval number = RangeOf(e.children[0], 0);
  if (number.IsEmpty()) return Truth::kUndefined;
  const Interval length = LengthOf(e.children[1]);
  Truth any = length.IsPoint() ? Truth::kFalse : Truth::kDeferred;
  for (int64_t i = 0; i < length.lo; ++i) {
    const Interval element = RangeOf(e.children[1], i);
    if (element.IsPoint() && element == number) return Truth::kTrue;
    if (!Intersection(element, number).IsEmpty()) any = Truth::kDeferred;
  }
  return any;
}

Truth Domains::TruthOfBroadcastable(const Expression& e) {
  const Expression &a = e.children[0], &b = e.children[1];
  const Interval rank_a = LengthOf(a), rank_b = LengthOf(b);
  if (!rank_a.IsPoint() || !rank_b.IsPoint()) return Truth::kDeferred;
  Truth all = Truth::kTrue;
  for (int64_t d = 1; d <= std::min(rank_a.lo, rank_b.lo); ++d) {
    const Interval x = RangeOf(a, rank_a.lo - d), y = RangeOf(b, rank_b.lo - d);
    if (x == Interval::Point(1) || y == Interval::Point(1)) continue;
    if (x.IsPoint() && x == y) continue;
    const bool is_open =
        x.Contains(1) || y.Contains(1) || !Intersection(x, y).IsEmpty();
    all = And(all, is_open ? Truth::kDeferred : Truth::kFalse);
  }
  return all;
}

}  // namespace assay
