#include "oracle/contraction/product_sum.h"

#include <algorithm>
#include <cmath>

#include "oracle/reduction/float_leaves.h"

namespace assay {
namespace {

// Bounds are computed with 64 bits; the roundings of one are less than this.
long double Upwards(long double bound) { return bound * (1 + 0x1p-58L); }

// Values of a type next to numbers.
template <class T>
struct Values {
  static long double Max() { return T::Max(false).ToDouble(); }

  // Returns the double next to a number, on one side of it.
  static double NextDouble(long double number, bool is_below) {
    const auto near = static_cast<double>(number);
    if (is_below ? near <= number : near >= number) return near;
    return std::nextafter(near, is_below
                                    ? -std::numeric_limits<double>::infinity()
                                    : std::numeric_limits<double>::infinity());
  }
  // Returns the least value that is not below a number, or the greatest that is
  // not above it.
  static T Inward(long double number, bool is_lower) {
    if (number >= Max()) return T::Max(false);
    if (number <= -Max()) return T::Max(true);
    const double end = NextDouble(number, is_lower);
    const T near = T::Round(end).value;
    const double value = near.ToDouble();
    const bool is_outside = is_lower ? value < end : value > end;
    return is_outside ? accumulation::Bounds<T>::Neighbour(near, is_lower)
                      : near;
  }
};

template <class T>
void AddRange(T lo, T hi, Possible* possible) {
  Possible between = Possible::Value(lo.ToBits());
  between.ranges[0].hi = hi.ToBits();
  possible->Add(T::kElementType, between);
}

template <class T>
void AddSumOfInfinities(const Policy& policy, Possible* possible) {
  const Encoding encoded(policy);
  NoMarks clause;
  const Allowed<T> allowed = encoded(clause, T::OfNan());
  if (allowed.any) {
    *possible = Possible::Open();
    return;
  }
  accumulation::AddValue(allowed.value, possible);
  if ((allowed.flags & Expectation::kEitherZero) != 0) {
    accumulation::AddValue(T::Zero(false), possible);
    accumulation::AddValue(T::Zero(true), possible);
  }
}

// Adds what a number becomes that is rounded beyond the largest value. If it is
// a node below the root, a largest value that takes its place absorbs addends
// of one sign and not of the other, so that any value may come of it.
template <class T>
void AddOverflow(bool negative, bool is_root, const Policy& policy,
                 Possible* possible) {
  const Encoding encoded(policy);
  NoMarks clause;
  const Allowed<T> allowed = encoded(clause, T::OfInfinity(negative));
  if (allowed.any) {
    *possible = Possible::Open();
    return;
  }
  for (const T value :
       {allowed.value, allowed.either() ? allowed.other : allowed.value}) {
    if (is_root || value.IsNan() || value.IsInfinite()) {
      accumulation::AddValue(value, possible);
    } else {
      AddRange(T::Max(true), T::Max(false), possible);
    }
  }
}

// Adds what the numbers between two are rounded to.
template <class T>
void AddRounded(long double lower, long double upper, const Policy& policy,
                Possible* possible) {
  const auto rounded = [](long double number, bool is_lower) {
    return T::Round(T::kElementType == ElementType::kF64
                        ? static_cast<double>(number)
                        : Values<T>::NextDouble(number, is_lower));
  };
  const Rounded<T> lo = rounded(lower, true), hi = rounded(upper, false);
  const auto overflows = [](const Rounded<T>& end) {
    return end.unencodable == Unencodable::kOverflow;
  };
  if (overflows(hi) && !hi.negative)
    AddOverflow<T>(false, true, policy, possible);
  if (overflows(lo) && lo.negative)
    AddOverflow<T>(true, true, policy, possible);
  if ((overflows(lo) && !lo.negative) || (overflows(hi) && hi.negative)) return;
  AddRange(overflows(lo) ? T::Max(true) : lo.value,
           overflows(hi) ? T::Max(false) : hi.value, possible);
}

// A zero that is added to the result leaves it as it is, but for -0.
template <class T>
void AddZeros(const SumRules& rules, Possible* possible) {
  if constexpr (T::kFormat.has_negative_zero()) {
    const ElementBits minus = T::Zero(true).ToBits();
    bool is_minus_zero = false;
    for (Possible::Range& range : possible->ranges) {
      is_minus_zero |= range.hi == minus;
      if (rules.has_init && range.lo == minus) range.lo = 0;
      if (rules.has_init && range.hi == minus) range.hi = 0;
    }
    if (is_minus_zero) accumulation::AddValue(T::Zero(false), possible);
  }
}

template <class T>
SumRange OfPossible(Possible possible, const SumRules& rules) {
  AddZeros<T>(rules, &possible);
  SumRange range;
  if (possible.kind == Possible::Kind::kRanges && possible.ranges.size() == 1) {
    range.range = possible.ranges[0];
  } else {
    range.is_range = false;
    range.possible = std::move(possible);
  }
  return range;
}

// Returns a bound of the error of the root.
long double ErrorOf(const ProductSum& sum, const SumRules& rules) {
  const long double u = rules.node.unit();
  const long double h = rules.node.least_subnormal() / 2;
  const auto n = static_cast<long double>(sum.count);
  const long double f = sum.factors_fit ? 0 : rules.factor_error;
  const long double magnitude = (1 + f) * sum.magnitude + sum.of_small;
  const long double of_products = u * magnitude + n * h;
  long double error = (n - 1) * u * (magnitude + of_products) + of_products +
                      f * sum.magnitude + sum.of_small;
  if (rules.flushes)
    error += 2 * n * rules.node.min_normal() + sum.of_subnormals;
  return Upwards(error + sum.error);
}

// Returns whether all nodes of every order are exact.
bool IsExact(const ProductSum& sum, const SumRules& rules) {
  const bool keeps_all =
      !rules.flushes ||
      (sum.of_subnormals == 0 && sum.last_bit >= rules.node.min_exponent);
  return (sum.factors_fit || rules.factor_error == 0) && keeps_all &&
         sum.FitsInto(rules.node);
}

template <class T>
SumRange RangeOf(const ProductSum& sum, const SumRules& rules) {
  Possible possible;
  if (sum.has_nan || (sum.has_infinity && sum.has_minus_infinity)) {
    AddSumOfInfinities<T>(rules.policy, &possible);
    return OfPossible<T>(std::move(possible), rules);
  }
  const bool is_infinite = sum.has_infinity || sum.has_minus_infinity;
  if (sum.count == 0 && !is_infinite) {
    accumulation::AddValue(T::Zero(sum.has_minus_zero && !sum.has_plus_zero),
                           &possible);
    return OfPossible<T>(std::move(possible), rules);
  }
  const bool is_exact = IsExact(sum, rules);
  const bool above = rules.MayOverflow(sum, false);
  const bool below = rules.MayOverflow(sum, true);
  if (is_infinite) {
    if constexpr (T::kFormat.has_infinity()) {
      accumulation::AddValue(T::Infinity(sum.has_minus_infinity), &possible);
      if (sum.may_be_nan || (sum.has_infinity ? below : above))
        AddSumOfInfinities<T>(rules.policy, &possible);
    } else {
      // A factor of a wider type is infinite.
      AddOverflow<T>(sum.has_minus_infinity, !(above || below), rules.policy,
                     &possible);
    }
    return OfPossible<T>(std::move(possible), rules);
  }
  if (!above && !below && is_exact) {
    const T value = T::Round(static_cast<double>(sum.sum)).value;
    return {true, {value.ToBits(), value.ToBits()}, {}};
  }
  // One product is rounded once: twice is the same, from types that hold it.
  const bool is_one = sum.count == 1 && !rules.flushes &&
                      (sum.factors_fit || rules.factor_error == 0) &&
                      T::kFormat.precision() == rules.node.precision &&
                      (T::kFormat.precision() <= 24 || !rules.wider);
  if (is_one) {
    AddRounded<T>(sum.sum - sum.error, sum.sum + sum.error, rules.policy,
                  &possible);
    return OfPossible<T>(std::move(possible), rules);
  }
  if (above) AddOverflow<T>(false, false, rules.policy, &possible);
  if (below) AddOverflow<T>(true, false, rules.policy, &possible);
  if (above && below && T::kFormat.has_infinity())
    AddSumOfInfinities<T>(rules.policy, &possible);
  const long double error = ErrorOf(sum, rules);
  const long double lower = sum.sum - error, upper = sum.sum + error;
  if (rules.wider) {
    AddRounded<T>(lower, upper, rules.policy, &possible);
  } else if (lower <= Values<T>::Max() && upper >= -Values<T>::Max()) {
    const T lo = Values<T>::Inward(lower, true);
    const T hi = Values<T>::Inward(upper, false);
    // Unless a product is rounded to -0, sums that are zero cancel, to +0.
    const bool underflows = rules.flushes || sum.of_small > 0 ||
                            sum.last_bit < rules.node.least_exponent();
    AddRange(lo.IsZero() ? T::Zero(underflows) : lo,
             hi.IsZero() ? T::Zero(false) : hi, &possible);
  }
  return OfPossible<T>(std::move(possible), rules);
}

}  // namespace

bool SumRules::MayOverflow(const ProductSum& sum, bool negative) const {
  if (sum.count == 0) return false;
  const long double part =
      (sum.magnitude + (negative ? -sum.sum : sum.sum)) / 2;
  const long double error = IsExact(sum, *this) ? 0 : ErrorOf(sum, *this);
  return Upwards(part + sum.error) + error >= node.Overflow();
}

SumRange RangeOfSum(ElementType type, const ProductSum& sum,
                    const SumRules& rules) {
  return VisitKinds<kFloats>(type, [&]<class T>() -> SumRange {
    if constexpr (!T::kFormat.has_sign) {
      return {false, {}, Possible::Undecided()};
    } else {
      return RangeOf<T>(sum, rules);
    }
  });
}

}  // namespace assay
