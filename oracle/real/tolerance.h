// StableHLO's inequality for results (ResultAccuracy) is computed for a real
// function:
//
//   |real - result| <= max(atol, |real| * max(rtol, ulps * epsilon))
//
// It is about exact values, so nothing is rounded: the accepted values are
// those of the format between the two numbers for which it is an equation, with
// either sign of zero. If there are none, the format has nothing nearer than
// its value nearest to the real one, which is accepted, and both of these if
// the real value lies exactly halfway.
//
// Everything here is exact. A number that is compared is a fraction, or is
// irrational and between two fractions that are moved closer together until
// both give the same.
#ifndef ASSAY_ORACLE_REAL_TOLERANCE_H_
#define ASSAY_ORACLE_REAL_TOLERANCE_H_

#include <optional>

#include "oracle/real/approximation.h"
#include "oracle/real/real_range.h"

namespace assay {

// |number| = significand * 2^exponent, where bit 0 of the significand is set if
// anything follows. The significand of a number other than 0 has 63 bits or
// more.
struct TruncatedReal {
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
  friend bool operator==(const TruncatedReal&, const TruncatedReal&) = default;
};

struct ToleranceEnds {
  TruncatedReal real, low, high;
  friend bool operator==(const ToleranceEnds&, const ToleranceEnds&) = default;
};

// Returns the real value of f(x), or f(x, y), and the ends of the interval in
// which the inequality holds, for a format of `precision` bits; nullopt if no
// enclosure tells them. Precondition: f(x) is a number other than 0.
std::optional<ToleranceEnds> EndsByTolerance(RealFunction f, double x, double y,
                                             const ResultAccuracy& rule,
                                             int precision);

namespace tolerance {

// Values are numbered by their place: 0 is zero, n the n-th above it, -n the
// n-th below.
template <class T>
struct Places {
  static constexpr FloatFormat kFormat = T::kFormat;
  static constexpr int64_t kNoZero = kFormat.has_zero ? 0 : 1;
  static constexpr int64_t kGreatest =
      static_cast<int64_t>(kFormat.max_code()) + kNoZero;
  static constexpr int64_t kLeast = kFormat.has_sign ? -kGreatest : kNoZero;

  // `negative` says which zero is returned for place 0.
  static T At(int64_t place, bool negative) {
    const bool is_below = place < 0 || (place == 0 && negative);
    const int64_t code = (place < 0 ? -place : place) - kNoZero;
    const bool has_sign = code != 0 || kFormat.has_negative_zero();
    return T::FromBits(static_cast<typename T::Bits>(
        static_cast<uint64_t>(code) |
        (is_below && has_sign ? kFormat.sign_bit() : 0)));
  }
};

// A Place is where a number lies: at a place or between it and the next one,
// half way or not. A number beyond the largest value has the place of that.
struct Place {
  int64_t below = 0, above = 0;
  bool is_halfway = false;
};

template <class T>
Place PlaceOf(const TruncatedReal& x) {
  using P = Places<T>;
  constexpr FloatFormat kFormat = T::kFormat;
  if (x.significand == 0) return {};
  const int leading = x.exponent + 63 - std::countl_zero(x.significand);
  const int binade = std::max(leading, kFormat.min_exponent());
  Place place;
  if (binade > kFormat.max_exponent()) {
    place = {P::kGreatest, P::kGreatest + 1};
  } else {
    const int drop = binade - kFormat.mantissa_bits - x.exponent;
    const uint64_t kept = drop < 64 ? x.significand >> drop : 0;
    const uint64_t rest = drop < 64 ? x.significand - (kept << drop) : 1;
    const auto code = static_cast<int64_t>(
        kept + (static_cast<uint64_t>(binade - kFormat.min_exponent())
                << kFormat.mantissa_bits));
    place.below = std::min(code, P::kGreatest);
    place.above = place.below + (rest != 0 || code > P::kGreatest ? 1 : 0);
    place.is_halfway =
        drop < 64 && code < P::kGreatest && rest == uint64_t{1} << (drop - 1);
  }
  if (x.negative) {
    std::swap(place.below, place.above);
    place.below = -place.below;
    place.above = -place.above;
  }
  return place;
}

// Returns how far x is from a value, in units of 2^unit.
template <class T>
float RestOf(const TruncatedReal& x, T near, int unit) {
  const auto magnitude =
      std::ldexp(static_cast<long double>(x.significand), x.exponent - unit);
  const long double at =
      std::ldexp(static_cast<long double>(near.ToDouble()), -unit);
  return static_cast<float>((x.negative ? -magnitude : magnitude) - at);
}

}  // namespace tolerance

// Precondition: f(x) is a number other than 0.
template <class T>
RealRange<T> RangeByTolerance(RealFunction f, double x, double y,
                              const ResultAccuracy& rule) {
  using P = tolerance::Places<T>;
  const auto ends = EndsByTolerance(f, x, y, rule, T::kFormat.precision());
  if (!ends) return RealRange<T>::Undecided();
  const TruncatedReal& real = ends->real;
  const Rounded<T> nearest =
      T::Round(real.negative, real.significand, real.exponent);
  RealRange<T> range{nearest, nearest, nearest.value};
  range.tier = Tier::kBall;
  const int64_t low =
      std::max(tolerance::PlaceOf<T>(ends->low).above, P::kLeast);
  const int64_t high =
      std::min(tolerance::PlaceOf<T>(ends->high).below, P::kGreatest);
  const bool is_value =
      nearest.unencodable == Unencodable::kNot && !nearest.value.IsInfinite();
  // A result that is no value of the format lies beyond one end of its values.
  const bool is_above = !is_value && !real.negative &&
                        nearest.unencodable != Unencodable::kE8m0Zero &&
                        nearest.unencodable != Unencodable::kE8m0Tie;
  const bool is_below =
      !is_value && !is_above && nearest.unencodable != Unencodable::kE8m0Tie;
  if (low <= high) {
    if (!is_below) range.lo = {P::At(low, true)};
    if (!is_above) range.hi = {P::At(high, false)};
  } else if (const auto at = tolerance::PlaceOf<T>(real);
             is_value && at.is_halfway) {
    range.lo = {P::At(at.below, real.negative)};
    range.hi = {P::At(at.above, real.negative)};
  }
  const int binade = real.exponent + 63 - std::countl_zero(real.significand);
  const bool is_power = std::has_single_bit(real.significand);
  range.unit = static_cast<int16_t>(UnitOf<T>(binade - (is_power ? 1 : 0)));
  if (is_value || nearest.unencodable == Unencodable::kE8m0Tie)
    range.rest = tolerance::RestOf<T>(real, nearest.value, range.unit);
  return range;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_TOLERANCE_H_
