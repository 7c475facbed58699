// What is known of the truths of expressions.
#include <algorithm>

#include "cases/search/domains.h"
#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using TruthKind = Expression::Kind;

}  // namespace

Truth Domains::TruthOfPart(const Expression& e) {
  const auto of = [&](size_t child) { return TruthOfPart(e.children[child]); };
  switch (e.kind) {
    case TruthKind::kAnd: {
      Truth all = Truth::kTrue;
      for (const Expression& child : e.children)
        all = And(all, TruthOfPart(child));
      return all;
    }
    case TruthKind::kOr:
      return Or(of(0), of(1));
    case TruthKind::kNot:
      return Not(of(0));
    case TruthKind::kEqual:
      return TruthOfEquality(e);
    case TruthKind::kLess:
    case TruthKind::kLessOrEqual:
      return TruthOfOrder(e);
    case TruthKind::kIsUnique:
      return TruthOfUnique(e);
    case TruthKind::kIsSorted:
      return TruthOfSorted(e);
    case TruthKind::kIsIn:
      return TruthOfMembership(e);
    case TruthKind::kIsBroadcastable:
      return TruthOfBroadcastable(e);
    case TruthKind::kForAll:
      return ForAll(e, [&] { return TruthOfPart(e.children[1]); });
    case TruthKind::kConditional:
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
  const int64_t strict = e.kind == TruthKind::kLess ? 1 : 0;
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
