// The leaves of a tree of floats, and what their sum or product may be: shared
// by sums and products. Private to the bounds of floats.
#ifndef ASSAY_ORACLE_REDUCTION_FLOAT_LEAVES_H_
#define ASSAY_ORACLE_REDUCTION_FLOAT_LEAVES_H_

#include <algorithm>
#include <bit>
#include <cmath>

#include "oracle/elementwise/encoding.h"
#include "oracle/real/arb.h"
#include "oracle/reduction/exact_sum.h"
#include "oracle/reduction/float_bounds.h"

namespace assay::accumulation {

// Numbers that are not exact have so many bits.
constexpr slong kPrecision = 128;

// The values of a format as bounds see them.
template <class T>
struct Bounds {
  static constexpr FloatFormat kFormat = T::kFormat;
  // Half a unit in the last place, relative to the value.
  static constexpr double kUnit = std::bit_cast<double>(
      static_cast<uint64_t>(1023 - kFormat.precision()) << 52);

  static double Max() { return T::Max(false).ToDouble(); }
  static double MinNormal() { return std::ldexp(1.0, kFormat.min_exponent()); }
  static double LeastSubnormal() {
    return std::ldexp(1.0, kFormat.min_exponent() - kFormat.mantissa_bits);
  }
  // The least number that is rounded beyond the largest value.
  static long double Overflow() {
    const int exponent = std::ilogb(Max());
    return static_cast<long double>(Max()) +
           std::ldexp(0.5L, exponent - kFormat.mantissa_bits);
  }
  static T Neighbour(T value, bool is_above) {
    using Bits = typename T::Bits;
    if (value.IsZero()) {
      const T least = T::FromBits(1);
      return is_above ? least : -least;
    }
    const int step = value.SignBit() == is_above ? -1 : 1;
    const T next = T::FromBits(static_cast<Bits>(value.ToBits() + step));
    return next.magnitude() == 0 ? T::Zero(false) : next;
  }
  // Returns the values next to a number: the least that is not below it, or
  // the greatest that is not above it. Beyond all values it is the last one.
  static T Inward(double number, bool is_lower) {
    if (number >= Max()) return T::Max(false);
    if (number <= -Max()) return T::Max(true);
    const T near = T::Round(number).value;
    const double value = near.ToDouble();
    const bool is_outside = is_lower ? value < number : value > number;
    return is_outside ? Neighbour(near, is_lower) : near;
  }
};

template <class T>
void AddValue(T value, Possible* possible) {
  Possible one = Possible::Value(value.ToBits());
  one.any_nan = value.IsNan();
  possible->Add(T::kElementType, one);
}

template <class T>
void AddNan(Possible* possible) {
  if constexpr (T::kFormat.has_nan()) {
    AddValue(T::Nan(), possible);
  } else {
    possible->Add(T::kElementType, Possible::Undecided());
  }
}

// Returns whether what overflows becomes the largest value and nothing else. A
// tree then has no node beyond it, so that a sum of positive terms, P, and of
// negative ones, -N, is at least the smaller of P - N and max - N: by induction
// over the tree, since both stay below the sum of two such bounds. A product of
// magnitudes is at least the smaller of itself and of max by all factors below
// 1. Each rounding adds its error.
template <class T>
bool Saturates(const AccumulationRules& rules) {
  const Encoding encoded(rules.policy);
  NoMarks clause;
  const Allowed<T> allowed = encoded(clause, T::OfInfinity(false));
  return !rules.wider && !allowed.any && allowed.flags == 0 &&
         !allowed.value.IsInfinite() && !allowed.value.IsNan();
}

// Adds the result of an overflow, as the format or the policy has it.
template <class T>
void AddOverflow(bool negative, const Policy& policy, Possible* possible) {
  const Encoding encoded(policy);
  NoMarks clause;
  const Allowed<T> allowed = encoded(clause, T::OfInfinity(negative));
  if (allowed.any) {
    *possible = Possible::Open();
  } else if (allowed.flags == 0 &&
             (allowed.value.IsInfinite() || allowed.value.IsNan())) {
    AddValue(allowed.value, possible);
  } else {
    // The largest value absorbs addends of one sign, and not of the other.
    possible->Add(T::kElementType, Possible::Undecided());
  }
}

// Adds the values between two numbers; with `wider`, what these are rounded to.
// An end that is zero has the sign that is given.
template <class T>
void AddBetween(double lower, double upper, const AccumulationRules& rules,
                T lower_zero, T upper_zero, Possible* possible) {
  Possible::Range range;
  if (rules.wider) {
    const Rounded<T> lo = T::Round(lower), hi = T::Round(upper);
    if (lo.unencodable != Unencodable::kNot ||
        hi.unencodable != Unencodable::kNot) {
      possible->Add(T::kElementType, Possible::Undecided());
      return;
    }
    range = {lo.value.ToBits(), hi.value.ToBits()};
  } else {
    if (lower > Bounds<T>::Max() || upper < -Bounds<T>::Max()) return;
    range = {Bounds<T>::Inward(lower, true).ToBits(),
             Bounds<T>::Inward(upper, false).ToBits()};
  }
  const auto value = [](ElementBits bits) {
    return T::FromBits(static_cast<typename T::Bits>(bits));
  };
  if (value(range.lo).IsZero()) range.lo = lower_zero.ToBits();
  if (value(range.hi).IsZero()) range.hi = upper_zero.ToBits();
  Possible between = Possible::Value(range.lo);
  between.ranges[0].hi = range.hi;
  possible->Add(T::kElementType, between);
}

// The terms of a sum or product, and what they are.
template <class T>
struct Leaves {
  Leaves(const Terms& terms, T init, InitCount count)
      : init(init),
        count(count),
        leaves(terms.count + count.most),
        step(PartCount(terms.tensor.element_type())),
        bits(reinterpret_cast<const typename T::Bits*>(terms.tensor.data()) +
             terms.begin * step + terms.part),
        terms(terms.count) {
    ForEachTerm([&](T x) { Add(x); });
  }
  void Add(T x) {
    has_nan |= x.IsNan();
    if (x.IsNan()) return;
    negative ^= x.SignBit();
    all_minus_zero &= x.IsZero() && x.SignBit();
    has_zero |= x.IsZero();
    if (x.IsInfinite()) {
      (x.SignBit() ? has_minus_infinity : has_infinity) = true;
    } else if (!x.IsZero()) {
      has_numbers = true;
    }
  }
  template <class F>
  void ForEachTerm(F f) const {
    for (int64_t i = 0; i < terms; ++i) f(T::FromBits(bits[i * step]));
  }
  // Calls `f` with the terms that are numbers other than 0.
  template <class F>
  void ForEachNumber(F f) const {
    ForEachTerm([&](T x) {
      if (!x.IsNan() && !x.IsInfinite() && !x.IsZero()) f(x.ToDouble());
    });
  }
  // The initial value as numbers: none unless it enters.
  bool HasInit() const { return count.most > 0; }

  T init;
  InitCount count;
  int64_t leaves;
  bool negative = false;  // the sign of the product
  bool has_nan = false, has_zero = false, all_minus_zero = true;
  bool has_infinity = false, has_minus_infinity = false;
  bool has_numbers = false;  // finite and not zero

 private:
  int64_t step;
  const typename T::Bits* bits;
  int64_t terms;
};
// Returns the exponent of the last bit of a number other than 0.
inline int LastBit(double number) {
  ExactSum sum;
  sum.Add(number);
  return sum.LastBit();
}

// Calls `f` with the terms, and with the initial value among them where that is
// no number other than 0: one of them is as good as many, or two if they have a
// sign.
template <class T, class F>
Possible WithInits(const Terms& terms, T init, InitCount count, F f) {
  if (count.most == 0) return f(Leaves<T>(terms, init, {0, 0}));
  if (!init.IsNan() && !init.IsInfinite() && !init.IsZero()) {
    if (count.most == InitCount::kAny) return Possible::Open();
    return f(Leaves<T>(terms, init, count));
  }
  Possible possible;
  for (int64_t t = count.least; t <= std::min<int64_t>(count.most, 2); ++t) {
    Leaves<T> with(terms, init, {0, 0});
    for (int64_t k = 0; k < t; ++k) with.Add(init);
    possible.Add(T::kElementType, f(with));
  }
  return possible;
}

template <class T>
T ValueOfBits(ElementBits bits) {
  return T::FromBits(static_cast<typename T::Bits>(bits));
}
}  // namespace assay::accumulation

#endif  // ASSAY_ORACLE_REDUCTION_FLOAT_LEAVES_H_
