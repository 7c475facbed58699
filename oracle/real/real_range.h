// Decide says what a real number may become in a floating-point format, given
// how far a result may be from it.
//
// The number is known as an enclosure: a pair of fixed-point numbers in units
// of its own last place, whose lowest bit stands for everything below it. Both
// ends of the accepted range are rounded from both ends of the enclosure; if
// these agree the range is decided, and otherwise a closer enclosure is needed.
// So no result is judged by an approximation.
//
// The rule (with `ulp` the budget): the real value minus and plus (ulp - 1/2)
// units in its last place, and other errors if a budget has them, each end
// rounded to nearest with ties outward, then clipped to the function's range
// and, except for absolute errors, to the sign of the real value. The unit in
// the last place of r is the distance of the two finite values between which r
// lies (Harrison), at a value the smaller of its distances to its neighbours,
// which are those of the lower binade at a power of two. Below the normal
// numbers it is that of the subnormals, and beyond the largest value that below
// it.
#ifndef ASSAY_ORACLE_REAL_REAL_RANGE_H_
#define ASSAY_ORACLE_REAL_REAL_RANGE_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "oracle/expectation.h"
#include "oracle/real/error_terms.h"
#include "spec/accuracy.h"
#include "spec/types/float.h"

namespace assay {

// Bounds say how far results may be off, and have the range of the function.
struct Bounds {
  double ulp = 0.5;
  // If set, this replaces `ulp` (tolerance.h).
  std::optional<ResultAccuracy> tolerance;
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  std::optional<ErrorTerms> terms = std::nullopt;  // beside `ulp`
};

// A Tier says where an enclosure came from.
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
  ElementFlags flags = 0;  // of an Expectation's element
  // No enclosure told what is right, and so the element is open.
  bool undecided = false;

  static RealRange Undecided() {
    RealRange range;
    range.flags = Expectation::kOpen;
    range.tier = Tier::kBall;
    range.undecided = true;
    return range;
  }
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

// Returns the part of a number of units that Fixed has.
inline unsigned __int128 ToFixed(double units) {
  return static_cast<unsigned __int128>(
      std::ldexp(static_cast<long double>(units), Fixed::kFractionBits));
}

template <class T>
struct Ends {
  Rounded<T> inner, outer;  // of smaller and greater magnitude
  bool is_open = false;
};

// Returns the values that real - inward and real + outward, in units of 2^(unit
// - kFractionBits), are rounded to, ties outward. If `may_cross`, an end below
// zero has the other sign; else it is zero.
template <class T>
Ends<T> RoundEnds(bool negative, unsigned __int128 real, int unit,
                  unsigned __int128 outward, unsigned __int128 inward,
                  bool may_cross) {
  constexpr unsigned __int128 kLast = 1;
  outward &= ~kLast;
  inward &= ~kLast;
  if (outward == 0 && inward == 0) {
    const Rounded<T> nearest = Round<T>(negative, real, unit);
    return {nearest, nearest};
  }
  // If nothing follows, an end may be a tie: one in the last bit breaks it
  // outward.
  const unsigned beyond = (real & 1) != 0 ? 0 : 1;
  const Rounded<T> outer = Round<T>(negative, real + outward + beyond, unit);
  if (real > inward)
    return {Round<T>(negative, real - inward - beyond, unit), outer};
  if (!may_cross) return {T::OfZero(negative), outer};
  return {Round<T>(!negative, inward - real + beyond, unit), outer};
}

// Returns the ends by the rule in units in the last place.
template <class T>
Ends<T> EndsByUlp(bool negative, Fixed real, int unit, double ulp) {
  const unsigned __int128 allowed = ToFixed(ulp - 0.5);
  return RoundEnds<T>(negative, real.value, unit, allowed, allowed, false);
}

// A Coarse is a number and what may be added to it, in a unit in which the sum
// has no more than 126 bits. Bit 0 of the number says whether anything follows.
struct Coarse {
  Coarse(Fixed fine, int fine_unit, long double reach)
      : real(fine.value), unit(fine_unit) {
    constexpr int kBits = 120;
    if (reach < std::ldexp(1.0L, kBits)) return;
    shift = std::ilogb(reach) - kBits + 1;
    unit += shift;
    real = shift < 128 ? fine.value >> shift : 0;
    const bool follows = shift >= 128 || (real << shift) != fine.value;
    real |= follows ? 1 : 0;
  }
  unsigned __int128 Of(long double fine) const {
    return static_cast<unsigned __int128>(std::ldexp(fine, -shift));
  }
  unsigned __int128 real;
  int unit;
  int shift = 0;
};

// Returns whether a result is beyond the largest value of its format.
template <class T>
bool Overflows(const Rounded<T>& result) {
  return result.value.IsInfinite() ||
         result.unencodable == Unencodable::kOverflow ||
         result.unencodable == Unencodable::kE8m0Overflow;
}

// Returns the last value on this side of an end, which is the largest one if
// the end is beyond it; with `away` from zero, the first one on the other side.
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
  // The code is compared by magnitude: formats without -0 lose the sign there,
  // and those without infinity have something else after their largest value.
  if (code == 0 && T::kFormat.has_zero) return T::OfZero(negative);
  if (code > T::kFormat.max_code()) return T::OfInfinity(negative);
  nearest.value = T::FromBits(static_cast<typename T::Bits>(
      code | (negative ? T::kFormat.sign_bit() : 0)));
  return nearest;
}

// Returns the values from real - inward to real + outward, without rounding. No
// error reaches an infinity; a real value that overflows is one.
template <class T>
Ends<T> ValuesBetween(bool negative, Fixed real, int unit, long double outward,
                      long double inward) {
  const Coarse coarse(real, unit, std::max(outward, inward));
  const Rounded<T> rounded = Round<T>(negative, real.value, unit);
  const Rounded<T> outer =
      Overflows(rounded)
          ? rounded
          : Directed<T>(negative, coarse.real + coarse.Of(outward), coarse.unit,
                        false);
  const unsigned __int128 least = coarse.Of(inward);
  const Rounded<T> inner =
      coarse.real > least
          ? Directed<T>(negative, coarse.real - least, coarse.unit, true)
          : Directed<T>(!negative, least - coarse.real, coarse.unit, false);
  return {inner, outer};
}

// Returns the ends by errors that add up. If the real value is not known
// exactly, each error is computed from the value's enclosure, so a closer one
// decides.
template <class T>
Ends<T> EndsByTerms(bool negative, Fixed real, int unit, double ulp,
                    const ErrorTerms& terms) {
  const auto value = static_cast<long double>(real.value);
  const long double one = std::ldexp(1.0L, Fixed::kFractionBits - unit);
  const auto reach = ReachOf<long double>(terms, value / one);
  const Rounded<T> nearest = Round<T>(negative, real.value, unit);
  if (terms.any || !reach) return {nearest, nearest, true};
  const long double both = terms.absolute * one + terms.relative * value;
  if (ulp == 0) {
    Ends<T> ends = ValuesBetween<T>(negative, real, unit, both, both);
    // Among subnormals, the nearest value may be farther than that.
    const auto magnitude = [&](const Rounded<T>& end) {
      return negative ? -end.value.ToDouble() : end.value.ToDouble();
    };
    if (magnitude(ends.outer) < magnitude(nearest)) ends.outer = nearest;
    if (magnitude(ends.inner) > magnitude(nearest)) ends.inner = nearest;
    return ends;
  }
  // A half of `ulp` is the last rounding.
  const long double units =
      std::ldexp(static_cast<long double>(ulp) - 0.5L, Fixed::kFractionBits);
  const long double outward = units + both + reach->outward * one;
  const long double inward = units + both + reach->inward * one;
  const Coarse coarse(real, unit, std::max(outward, inward));
  return RoundEnds<T>(negative, coarse.real, coarse.unit, coarse.Of(outward),
                      coarse.Of(inward), terms.MayChangeSign());
}

}  // namespace real_range

// Returns the range of a real number other than 0; nullopt if the enclosure is
// too wide to tell. Precondition: the bounds have no tolerance.
template <class T>
std::optional<RealRange<T>> Decide(const Enclosure& real,
                                   const Bounds& bounds) {
  namespace rr = real_range;
  const auto clip = [&](Rounded<T>* end) {
    if (end->unencodable != Unencodable::kNot) return;
    const double value = end->value.ToDouble();
    if (value > bounds.greatest) *end = T::Round(bounds.greatest);
    if (value < bounds.least) *end = T::Round(bounds.least);
  };
  const auto ends_of = [&](Fixed value) {
    rr::Ends<T> ends =
        bounds.terms
            ? rr::EndsByTerms<T>(real.negative, value, real.unit, bounds.ulp,
                                 *bounds.terms)
            : rr::EndsByUlp<T>(real.negative, value, real.unit, bounds.ulp);
    clip(&ends.inner);
    clip(&ends.outer);
    return ends;
  };
  const rr::Ends<T> low = ends_of(real.low);
  if (real.low.value != real.high.value) {
    const rr::Ends<T> high = ends_of(real.high);
    if (!rr::Same(low.inner, high.inner) || !rr::Same(low.outer, high.outer) ||
        low.is_open != high.is_open)
      return std::nullopt;
  }
  const Rounded<T> near =
      rr::Round<T>(real.negative, real.low.value, real.unit);
  RealRange<T> range{low.inner, low.outer, near.value};
  if (low.is_open) range.flags = Expectation::kOpen;
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

// Returns the unit in the last place of numbers in the binade of 2^exponent.
template <class T>
constexpr int UnitOf(int exponent) {
  return std::clamp(exponent, T::kFormat.min_exponent(),
                    T::kFormat.max_exponent()) -
         T::kFormat.mantissa_bits;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_REAL_RANGE_H_
