// What is known of expressions: intervals of numbers and lengths of lists.
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

Interval Domains::RememberedLength(const Expression& e) {
  Remembered& known = lengths_[e.remembered];
  if (known.counts != counts_) known = {counts_, LengthOfPart(e)};
  return known.length;
}

Interval Domains::LengthOfPart(const Expression& e) {
  switch (e.kind) {
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

}  // namespace assay
