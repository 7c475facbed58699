// FastRange computes the range of a real number in the plain case: f32 by way
// of double, f64 by way of long double, nothing subnormal or next to a power of
// two, a budget in units. Decide (real_range.h) takes 10 times as long, and
// gives the same; a test compares the two.
#ifndef ASSAY_ORACLE_REAL_FAST_RANGE_H_
#define ASSAY_ORACLE_REAL_FAST_RANGE_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "oracle/real/approximation.h"
#include "oracle/real/real_range.h"

namespace assay {

namespace fast_range {

// Parts are the bits of a positive normal number: its exponent, and the
// fraction below the leading bit.
template <class N>
struct Parts {
  static constexpr bool kIsDouble = std::is_same_v<N, double>;
  static constexpr int kFractionBits = kIsDouble ? 52 : 63;
  static constexpr int kBias = kIsDouble ? 1023 : 16383;
  int exponent;
  uint64_t fraction;
};

inline Parts<double> PartsOf(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  return {static_cast<int>(bits >> 52) - 1023,
          bits & ((uint64_t{1} << 52) - 1)};
}

// An x87 number has 64 bits of significand with the leading one, then sign and
// exponent.
struct Extended {
  uint64_t significand;
  uint16_t exponent;
};
inline Parts<long double> PartsOf(long double x) {
  Extended bits;
  std::memcpy(&bits, &x, 10);
  return {bits.exponent - 16383, bits.significand & ~(uint64_t{1} << 63)};
}

template <class N>
N PowerOfTwo(int exponent) {
  if constexpr (std::is_same_v<N, double>) {
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
  } else {
    const Extended bits = {uint64_t{1} << 63,
                           static_cast<uint16_t>(exponent + 16383)};
    N x = 0;
    std::memcpy(&x, &bits, 10);
    return x;
  }
}

}  // namespace fast_range

// A PlainRange has nothing special: all its values are numbers of the format.
template <class T>
struct PlainRange {
  typename T::Native lo, hi, near;
  float rest;
  int16_t unit;
};

// Returns whether the value is NaN, an infinity, or zero, which is one value
// whatever the budget.
template <class N>
bool IsSpecial(const Approximation<N>& near) {
  return near.distance == Distance::kNone &&
         !(near.value != 0 &&
           std::fabs(near.value) <= std::numeric_limits<N>::max());
}

// Returns whether bounds are a number of units, and nothing else.
inline bool AreUnits(const Bounds& bounds) {
  return !bounds.tolerance && !bounds.terms;
}

// Returns whether the plain case applied, and then sets `*range` to what Decide
// gives. T is F32 and N double, or F64 and long double. `is_short` says that
// the value has no more bits than T has. Precondition: AreUnits(bounds).
template <class T, class N>
inline bool FastRange(const Approximation<N>& near, bool is_short,
                      const Bounds& bounds, PlainRange<T>* range) {
  using Native = typename T::Native;
  using P = fast_range::Parts<N>;
  constexpr int kDrop = P::kFractionBits - T::kFormat.mantissa_bits;
  constexpr uint64_t kHalf = uint64_t{1} << (kDrop - 1);
  // The margin is in units of the fraction, and is twice as many in a lower
  // binade.
  constexpr uint64_t kMargin = uint64_t{2}
                               << (P::kFractionBits - kMarginBits<N>);
  constexpr uint64_t kOne = uint64_t{1} << P::kFractionBits;
  N value = std::fabs(near.value);
  const bool negative = std::signbit(near.value);
  const N allowed = static_cast<N>(bounds.ulp - 0.5);
  if (value == std::numeric_limits<N>::min() &&
      near.distance == Distance::kSmaller) {
    // The real value is positive, and less than every number of the format.
    constexpr int kLast = T::kFormat.min_exponent() - T::kFormat.mantissa_bits;
    const N end = std::ldexp(std::trunc(allowed + N(0.5)), kLast);
    const Native zero = negative ? -Native(0) : Native(0);
    *range = {negative ? static_cast<Native>(-end) : zero,
              negative ? zero : static_cast<Native>(end), zero, 0, kLast};
    return true;
  }
  // Random operands mislead every prediction, so there is one branch from here:
  // conditions are joined by |, and signs are bits.
  //
  // The following counts halves of units. Nothing is decided between a number
  // of few digits and four margins beyond it, so a step of 16 bits stands for
  // all of that.
  const bool is_beside = near.distance >= Distance::kGreater;
  constexpr N kStep = N(16) / N(uint64_t{1} << P::kFractionBits);
  static constexpr N kSteps[] = {0, 0, kStep, -kStep};  // by Distance
  value += value * kSteps[static_cast<size_t>(near.distance)];
  const N twice = 2 * allowed;
  const bool is_few = is_short & (twice == std::trunc(twice));

  const P parts = fast_range::PartsOf(value);
  const int unit = parts.exponent - T::kFormat.mantissa_bits;
  const N slack = allowed * fast_range::PowerOfTwo<N>(unit);
  const N outer = value + slack, inner = value - slack;
  const auto is_hard = [](N end) {
    const uint64_t rest =
        fast_range::PartsOf(end).fraction & ((uint64_t{1} << kDrop) - 1);
    return rest - kHalf + 2 * kMargin <= 4 * kMargin;
  };
  const bool is_hard_anywhere =
      (parts.fraction - kMargin > kOne - 2 * kMargin) | is_hard(outer) |
      is_hard(inner);
  if ((near.distance == Distance::kNone) |
      (parts.exponent <= T::kFormat.min_exponent()) |
      (parts.exponent >= T::kFormat.max_exponent()) |
      (is_beside ? !is_few : is_hard_anywhere)) [[unlikely]]
    return false;
  using Bits = typename T::Bits;
  constexpr Bits kSign = Bits{1} << (T::kBitWidth - 1);
  const Bits sign = negative ? kSign : 0;
  const auto with_sign = [&](Bits magnitude) {
    return std::bit_cast<Native>(magnitude | sign);
  };
  const auto rounded = static_cast<Native>(value);
  const auto rest =
      static_cast<float>((value - rounded) * fast_range::PowerOfTwo<N>(-unit));
  const auto bits = [](N magnitude) {
    return std::bit_cast<Bits>(static_cast<Native>(magnitude));
  };
  const Bits swap =
      (bits(inner) ^ bits(outer)) & static_cast<Bits>(-Bits{negative});
  const Native lo = with_sign(bits(inner) ^ swap);
  const Native hi = with_sign(bits(outer) ^ swap);
  *range = {std::max(lo, static_cast<Native>(bounds.least)),
            std::min(hi, static_cast<Native>(bounds.greatest)),
            with_sign(std::bit_cast<Bits>(rounded)), negative ? -rest : rest,
            static_cast<int16_t>(unit)};
  return true;
}

// Computes the range for a budget with other errors than units. Its ends may
// lie anywhere: beyond zero, several binades away, in infinity. Precondition:
// bounds.terms.
template <class T, class N>
bool FastRangeOfTerms(const Approximation<N>& near, const Bounds& bounds,
                      PlainRange<T>* range) {
  using Native = typename T::Native;
  using P = fast_range::Parts<N>;
  constexpr uint64_t kMargin = uint64_t{2}
                               << (P::kFractionBits - kMarginBits<N>);
  constexpr uint64_t kOne = uint64_t{1} << P::kFractionBits;
  constexpr N kStep = N(16) / N(kOne);
  const ErrorTerms& terms = *bounds.terms;
  const bool negative = std::signbit(near.value);
  if (bounds.tolerance || near.distance == Distance::kNone) return false;
  N value = std::fabs(near.value);
  const bool is_beside = near.distance >= Distance::kGreater;
  if (is_beside)
    value += value * (near.distance == Distance::kGreater ? kStep : -kStep);
  const P parts = fast_range::PartsOf(value);
  const bool is_beside_power = parts.fraction - kMargin > kOne - 2 * kMargin;
  if ((!is_beside && is_beside_power) ||
      parts.exponent <= T::kFormat.min_exponent() ||
      parts.exponent >= T::kFormat.max_exponent())
    return false;
  const int unit = parts.exponent - T::kFormat.mantissa_bits;
  const N one = fast_range::PowerOfTwo<N>(unit);
  const auto rounded = static_cast<Native>(value);
  const auto rest = static_cast<float>((value - rounded) / one);
  const auto with_sign = [&](auto x) { return negative ? -x : x; };
  range->near = with_sign(rounded);
  range->rest = with_sign(rest);
  range->unit = static_cast<int16_t>(unit);
  if (terms.any) {
    range->lo = range->hi = range->near;
    return true;
  }
  // Next to a pole of tan, a small uncertainty becomes large.
  if (terms.through == ErrorTerms::Through::kTan && value * terms.rise > 0.5)
    return false;
  const auto reach = ReachOf<N>(terms, value);
  const bool rounds = bounds.ulp > 0;
  const N both = (rounds ? static_cast<N>(bounds.ulp - 0.5) * one : N(0)) +
                 static_cast<N>(terms.absolute) +
                 static_cast<N>(terms.relative) * value;
  const N outward = both + reach->outward, inward = both + reach->inward;
  // If nothing is rounded, the nearest value must lie between the ends.
  if ((!rounds && both < one) || (inward > value && !terms.MayChangeSign()))
    return false;
  // The uncertainty of an end is four margins of the value at most, and less
  // than eight times as much of the added error; and roundings.
  const N unknown = value * (N(32) / N(int64_t{1} << kMarginBits<N>)) +
                    (outward + inward) * kStep;
  const N tiny = fast_range::PowerOfTwo<N>(T::kFormat.min_exponent() + 1);
  constexpr Native kInfinity = std::numeric_limits<Native>::infinity();
  // `inside` is the side of the end on which values are accepted.
  const auto decide = [&](N end, Native inside, Native* result) {
    const auto value_at = [&](N x) {
      auto at = static_cast<Native>(x);
      if (!rounds && (inside < 0 ? at > x : at < x))
        at = std::nextafter(at, inside);
      return std::clamp(at, static_cast<Native>(bounds.least),
                        static_cast<Native>(bounds.greatest));
    };
    *result = value_at(end - unknown);
    return (*result == value_at(end + unknown)) & (std::fabs(end) > tiny);
  };
  const N outer = with_sign(value + outward), inner = with_sign(value - inward);
  return decide(negative ? outer : inner, kInfinity, &range->lo) &
         decide(negative ? inner : outer, -kInfinity, &range->hi);
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_FAST_RANGE_H_
