// RangeOf returns which values of a format are allowed for a real function
// f(x), in three tiers.
//
//   libm in double        results of f32 and below; once in 2^19 it cannot tell
//   libm in long double   results of f64; once in 2^6
//   balls (ball.h)        the rest, with as many digits as needed
//
// A tier never guesses: Decide (real_range.h) returns nothing if its enclosure
// leaves a choice. StableHLO's inequality has a tier of its own, of exact
// numbers (tolerance.h). Formats of 16 bits or less keep their results in a
// table.
#ifndef ASSAY_ORACLE_REAL_REAL_H_
#define ASSAY_ORACLE_REAL_REAL_H_

#include <bit>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "oracle/real/approximation.h"
#include "oracle/real/ball.h"
#include "oracle/real/fast_range.h"
#include "oracle/real/real_range.h"
#include "oracle/real/tolerance.h"

namespace assay {

template <class N>
inline constexpr Tier kTierOf =
    std::is_same_v<N, double> ? Tier::kDouble : Tier::kLongDouble;
// Returns whether a value that the function is next to has no more bits than
// its format. The quotient that atan2 is next to may have all bits of N.
constexpr bool IsShort(RealFunction f) { return f != RealFunction::kAtan2; }

namespace real {

// Returns a magnitude in units of 2^(unit - kFractionBits), which are fewer
// than 2^63.
template <class N>
unsigned __int128 InUnits(N magnitude, int unit) {
  if (magnitude == 0) return 1;
  int exponent = 0;
  constexpr int kDigits = std::numeric_limits<N>::digits;
  const auto significand = static_cast<uint64_t>(
      std::ldexp(std::frexp(magnitude, &exponent), kDigits));
  const int shift = exponent - kDigits - unit + Fixed::kFractionBits;
  const unsigned __int128 value = significand;
  if (shift >= 0) return value << shift;
  if (shift <= -kDigits) return 1;
  const unsigned __int128 kept = value >> -shift;
  const bool follows = (kept << -shift) != value;
  return kept | (follows ? 1 : 0);
}

// Precondition: the value is not zero, infinite or NaN.
template <class T, class N>
std::optional<Enclosure> EnclosureOf(const Approximation<N>& near) {
  const N magnitude = std::fabs(near.value);
  int exponent = 0;
  const bool is_power = std::frexp(magnitude, &exponent) == N(0.5);
  const Distance distance = near.distance;
  // The binade of 2^k itself and of smaller values is the lower one.
  const bool is_lower = is_power && distance != Distance::kGreater;
  const int binade = exponent - (is_lower ? 2 : 1);
  Enclosure real{near.value < 0, {}, {}, UnitOf<T>(binade)};
  constexpr int kBeyond = T::kFormat.precision() + 3;
  if (exponent - real.unit > kBeyond) {
    real.low.value = real.high.value = static_cast<unsigned __int128>(1)
                                       << (kBeyond + Fixed::kFractionBits);
    return real;
  }
  unsigned __int128 at = InUnits(magnitude, real.unit);
  real.low.value = real.high.value = at;
  const N margin = magnitude * (N(1) / N(int64_t{1} << kMarginBits<N>));
  // Below everything that Fixed has, a bit for "more than nothing" remains.
  if (distance == Distance::kGreater) {
    real.low.value = at | 1;
    real.high.value = (at + InUnits(4 * margin, real.unit)) | 1;
  } else if (distance == Distance::kSmaller) {
    const unsigned __int128 error = InUnits(4 * margin, real.unit) + 2;
    real.low.value = at > error ? (at - error) | 1 : 1;
    real.high.value = at > 1 ? at - 1 : 1;
  } else if (distance == Distance::kMargin) {
    int low_exponent = 0, high_exponent = 0;
    std::frexp(magnitude - margin, &low_exponent);
    std::frexp(magnitude + margin, &high_exponent);
    if (low_exponent != high_exponent &&
        UnitOf<T>(low_exponent - 1) != UnitOf<T>(high_exponent - 1))
      return std::nullopt;
    real.unit = UnitOf<T>(high_exponent - 1);
    at = InUnits(magnitude, real.unit);
    const unsigned __int128 error = InUnits(margin, real.unit) + 2;
    real.low.value = at > error ? (at - error) | 1 : 1;
    real.high.value = (at + error) | 1;
  }
  return real;
}

// Returns a result that is exactly a value, an infinity or NaN.
template <class T>
RealRange<T> Exactly(const Rounded<T>& value) {
  RealRange<T> range{value, value, value.value};
  range.unit = static_cast<int16_t>(UnitOf<T>(T::kFormat.min_exponent()));
  return range;
}

// Returns what libm can tell.
template <class T, class N>
std::optional<RealRange<T>> ByLibm(const Approximation<N>& near,
                                   const Bounds& bounds) {
  if (std::isnan(near.value)) return Exactly<T>(T::OfNan());
  if (std::isinf(near.value)) return Exactly<T>(T::OfInfinity(near.value < 0));
  if (near.value == 0) return Exactly<T>(T::OfZero(std::signbit(near.value)));
  const std::optional<Enclosure> real = EnclosureOf<T>(near);
  std::optional<RealRange<T>> range;
  if (real) range = Decide<T>(*real, bounds);
  if (range)
    range->tier = near.distance == Distance::kNone ? Tier::kExact : kTierOf<N>;
  return range;
}

}  // namespace real

// WideOf is the type in which libm computes for a format.
template <class T>
using WideOf = std::conditional_t<T::kElementType == ElementType::kF64,
                                  long double, double>;

// Returns whether f(x) is NaN, an infinity or zero. An exponential that is
// beyond N is a number.
template <class N>
bool HasSpecialValue(RealFunction f, N x, const Approximation<N>& near) {
  const bool is_exponential = f == RealFunction::kExponential ||
                              f == RealFunction::kExponentialMinusOne;
  if (is_exponential && std::isinf(near.value)) return std::isinf(x);
  return IsSpecial(near);
}

// Returns the values of T's format that are allowed for f(x) or f(x, y).
template <class T>
RealRange<T> RangeOf(RealFunction f, T x, T y, const Bounds& bounds) {
  using N = WideOf<T>;
  const auto near = Approximate<N>(f, N(x.ToNative()), N(y.ToNative()));
  if (bounds.tolerance && !HasSpecialValue(f, N(x.ToNative()), near))
    return RangeByTolerance<T>(f, x.ToDouble(), y.ToDouble(),
                               *bounds.tolerance);
  if constexpr (T::kIsNative) {
    PlainRange<T> plain;
    const bool is_plain =
        AreUnits(bounds) ? FastRange<T>(near, IsShort(f), bounds, &plain)
        : bounds.terms   ? FastRangeOfTerms<T>(near, bounds, &plain)
                         : false;
    if (is_plain) {
      const auto of = [](typename T::Native value) {
        return T::FromBits(std::bit_cast<typename T::Bits>(value));
      };
      RealRange<T> range = {{of(plain.lo)}, {of(plain.hi)}, of(plain.near),
                            plain.rest,     plain.unit,     kTierOf<N>};
      if (bounds.terms && bounds.terms->any) range.flags = Expectation::kOpen;
      return range;
    }
  }
  if (const auto range = real::ByLibm<T>(near, bounds)) return *range;
  return RangeByBalls<T>(f, x.ToDouble(), y.ToDouble(), bounds);
}

// A RangeTable has the ranges of a unary function of a format of 16 bits or
// less, each operand once. It is not shared between threads.
template <class T>
class RangeTable {
  static_assert(T::kBitWidth <= 16);

 public:
  RangeTable(RealFunction f, const Bounds& bounds) : f_(f), bounds_(bounds) {}
  const RealRange<T>& operator()(T x) {
    Entry& entry = entries_[x.ToBits()];
    if (!entry.known) entry = {true, RangeOf<T>(f_, x, x, bounds_)};
    return entry.range;
  }
  // Returns the table of the function and these bounds, made at its first use
  // in a thread. Precondition: the bounds are in units.
  static RangeTable& For(RealFunction f, const Bounds& bounds) {
    thread_local std::map<std::pair<RealFunction, double>, RangeTable> tables;
    return tables.try_emplace({f, bounds.ulp}, f, bounds).first->second;
  }

 private:
  struct Entry {
    bool known = false;
    RealRange<T> range;
  };
  RealFunction f_;
  Bounds bounds_;
  std::vector<Entry> entries_ = std::vector<Entry>(size_t{1} << T::kBitWidth);
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_REAL_H_
