// What a real number may become in a floating-point format, given how far a
// result may be from it.
//
// The number is known as an enclosure: a pair of fixed-point numbers in units
// of its own last place, whose lowest bit stands for everything below it. Both
// ends of what is accepted are rounded from both ends of the enclosure; where
// these agree the range is decided, and otherwise a closer enclosure is needed.
// So no result is judged by an approximation.
//
// The rule (with `ulp` the budget): the real value minus and plus (ulp - 1/2)
// units in its last place, each end rounded to nearest with ties outward, then
// clipped to the function's range and to the sign of the real value. The unit
// in the last place of r is the distance of the two values nearest to r, at a
// power of two that of the lower binade, and that of the subnormals below.
#ifndef ASSAY_ORACLE_REAL_RANGE_H_
#define ASSAY_ORACLE_REAL_RANGE_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "spec/accuracy.h"
#include "spec/float.h"

namespace assay {

// How far results may be, and the range of the function.
struct Bounds {
  double ulp = 0.5;
  std::optional<ResultAccuracy> tolerance;  // instead of `ulp`
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
};

// Where an enclosure came from.
enum class Tier : uint8_t { kExact, kDouble, kLongDouble, kBall };
inline constexpr int kTiers = 4;

template <class T>
struct RealRange {
  Rounded<T> lo, hi;
  // The real value is near + rest * 2^unit, where 2^unit is one unit in its
  // last place and `near` is next to it. (Beyond the format `near` is its
  // infinity, which counts as the next power of two, or NaN.)
  T near;
  float rest = 0;
  int16_t unit = 0;
  Tier tier = Tier::kExact;
  bool or_nan = false;  // NaN is right as well
};

// |real| in units of 2^(unit - kFractionBits); bit 0 is set if anything
// follows.
struct Fixed {
  static constexpr int kFractionBits = 63;
  unsigned __int128 value = 0;
};

// real is between `low` and `high` (both ends included), which are equal if it
// is known exactly, or up to their last bit.
struct Enclosure {
  bool negative = false;
  Fixed low, high;
  int unit = 0;
};

namespace real_range {

// (-1)^negative * value * 2^(unit - kFractionBits), rounded to nearest even.
template <class T>
Rounded<T> Round(bool negative, unsigned __int128 value, int unit) {
  const auto high = static_cast<uint64_t>(value >> 64);
  const int shift = high == 0 ? 0 : 64 - std::countl_zero(high);
  const bool follows =
      (value & ((static_cast<unsigned __int128>(1) << shift) - 1)) != 0;
  return T::Round(negative, static_cast<uint64_t>(value >> shift) | follows,
                  unit - Fixed::kFractionBits + shift);
}

template <class T>
bool Same(const Rounded<T>& a, const Rounded<T>& b) {
  return a.value.ToBits() == b.value.ToBits() &&
         a.unencodable == b.unencodable && a.tininess == b.tininess;
}

// The part of a number of units that Fixed has.
inline unsigned __int128 ToFixed(double units) {
  return static_cast<unsigned __int128>(
      std::ldexp(static_cast<long double>(units), Fixed::kFractionBits));
}

template <class T>
struct Ends {
  Rounded<T> inner, outer;  // of smaller and greater magnitude
};

// By the rule in units in the last place.
template <class T>
Ends<T> EndsByUlp(bool negative, Fixed real, int unit, double ulp) {
  const unsigned __int128 allowed =
      ToFixed(ulp - 0.5) & ~static_cast<unsigned __int128>(1);
  if (allowed == 0) {
    const Rounded<T> nearest = Round<T>(negative, real.value, unit);
    return {nearest, nearest};
  }
  // Where nothing follows, an end may be a tie: one of the last bit breaks it
  // outward.
  const unsigned outward = (real.value & 1) != 0 ? 0 : 1;
  const Rounded<T> outer =
      Round<T>(negative, real.value + allowed + outward, unit);
  const Rounded<T> inner =
      real.value <= allowed
          ? T::OfZero(negative)
          : Round<T>(negative, real.value - allowed - outward, unit);
  return {inner, outer};
}

// Whether a result is beyond the largest value of its format.
template <class T>
bool Overflows(const Rounded<T>& result) {
  return result.value.IsInfinite() ||
         result.unencodable == Unencodable::kOverflow ||
         result.unencodable == Unencodable::kE8m0Overflow;
}

// The last value on this side of an end, which is the largest one where the end
// is beyond it; `away` from zero: the first one on the other side.
template <class T>
Rounded<T> Directed(bool negative, unsigned __int128 value, int unit,
                    bool away) {
  Rounded<T> nearest = Round<T>(negative, value, unit);
  if (!away && Overflows(nearest)) return {T::Max(negative)};
  if (nearest.exact || nearest.unencodable != Unencodable::kNot ||
      nearest.value.IsInfinite())
    return nearest;
  const long double at =
      std::fabs(std::ldexp(static_cast<long double>(nearest.value.ToDouble()),
                           Fixed::kFractionBits - unit));
  const bool is_beyond = static_cast<unsigned __int128>(at) > value;
  uint64_t code = nearest.value.magnitude();
  if (away && !is_beyond) ++code;
  if (!away && is_beyond && code-- == 0) return T::OfZero(negative);
  // By magnitude: formats without -0 lose the sign there, and those without
  // infinity have something else after their largest value.
  if (code == 0 && T::kFormat.has_zero) return T::OfZero(negative);
  if (code > T::kFormat.max_code()) return T::OfInfinity(negative);
  nearest.value = T::FromBits(static_cast<typename T::Bits>(
      code | (negative ? T::kFormat.sign_bit() : 0)));
  return nearest;
}

// By StableHLO's inequality: the values between the ends, and no rounding.
template <class T>
Ends<T> EndsByTolerance(bool negative, Fixed real, int unit,
                        const ResultAccuracy& rule) {
  const double epsilon = std::ldexp(1.0, 1 - T::kFormat.precision());
  const double relative =
      std::max(rule.rtol, static_cast<double>(rule.ulps) * epsilon);
  const long double units =
      std::max(std::ldexp(static_cast<long double>(rule.atol),
                          Fixed::kFractionBits - unit),
               static_cast<long double>(real.value) * relative);
  // Beyond 2^126 the tolerance is greater than every number here.
  const auto allowed =
      static_cast<unsigned __int128>(std::min(units, std::ldexp(1.0L, 126)));
  // No tolerance reaches an infinity; a real value that overflows is one.
  const Rounded<T> rounded = Round<T>(negative, real.value, unit);
  const Rounded<T> outer =
      Overflows(rounded)
          ? rounded
          : Directed<T>(negative, real.value + allowed, unit, false);
  const Rounded<T> inner =
      real.value > allowed
          ? Directed<T>(negative, real.value - allowed, unit, true)
          : Directed<T>(!negative, allowed - real.value, unit, false);
  return {inner, outer};
}

}  // namespace real_range

// The range of a real number other than 0; nullopt if the enclosure is too wide
// to tell.
template <class T>
std::optional<RealRange<T>> Decide(const Enclosure& real,
                                   const Bounds& bounds) {
  namespace rr = real_range;
  const auto ends = [&](Fixed value) {
    return bounds.tolerance
               ? rr::EndsByTolerance<T>(real.negative, value, real.unit,
                                        *bounds.tolerance)
               : rr::EndsByUlp<T>(real.negative, value, real.unit, bounds.ulp);
  };
  rr::Ends<T> low = ends(real.low);
  if (real.low.value != real.high.value) {
    const rr::Ends<T> high = ends(real.high);
    if (!rr::Same(low.inner, high.inner) || !rr::Same(low.outer, high.outer))
      return std::nullopt;
  }
  if (!bounds.tolerance) {
    const auto clip = [&](Rounded<T>* end) {
      if (end->unencodable != Unencodable::kNot) return;
      const double value = end->value.ToDouble();
      if (value > bounds.greatest) *end = T::Round(bounds.greatest);
      if (value < bounds.least) *end = T::Round(bounds.least);
    };
    clip(&low.inner);
    clip(&low.outer);
  }
  const Rounded<T> near =
      rr::Round<T>(real.negative, real.low.value, real.unit);
  RealRange<T> range{low.inner, low.outer, near.value};
  if (real.negative) std::swap(range.lo, range.hi);
  range.unit = static_cast<int16_t>(real.unit);
  // Beyond the format there is nothing to measure.
  const bool is_number = near.unencodable == Unencodable::kNot ||
                         near.unencodable == Unencodable::kE8m0Tie;
  if (!is_number || near.value.IsInfinite()) return range;
  const long double middle =
      std::ldexp((static_cast<long double>(real.low.value) +
                  static_cast<long double>(real.high.value)) /
                     2,
                 -Fixed::kFractionBits);
  const long double at = std::fabs(
      std::ldexp(static_cast<long double>(near.value.ToDouble()), -real.unit));
  const auto rest = static_cast<float>(middle - at);
  range.rest = real.negative ? -rest : rest;
  return range;
}

// The unit in the last place of numbers in the binade of 2^exponent.
template <class T>
constexpr int UnitOf(int exponent) {
  return std::clamp(exponent, T::kFormat.min_exponent(),
                    T::kFormat.max_exponent()) -
         T::kFormat.mantissa_bits;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_RANGE_H_
