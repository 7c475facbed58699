// An Approximation is a value of a real function by libm, with what is known
// about its distance from the real one.
//
// libm's functions err by a few units in their last place; the margins here are
// 2^9 (double) and 2^4 (long double) units, so nothing depends on a proof about
// any library. Where the real value is nearer to a number of few digits than
// the margin (exp(x) for tiny x is 1 and a little more) the function returns
// exactly that: the number, and on which side of it the real value lies.
#ifndef ASSAY_ORACLE_REAL_APPROXIMATION_H_
#define ASSAY_ORACLE_REAL_APPROXIMATION_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace assay {

// The functions are those of IEEE 754-2019, 9.2.1, by StableHLO's names of the
// ops, and two operations of 5.4.1, for policies that give them a budget.
enum class RealFunction {
  kAtan2,
  kCbrt,
  kCosine,
  kDivide,
  kExponential,
  kExponentialMinusOne,
  kLog,
  kLogPlusOne,
  kLogistic,
  kPower,
  kRsqrt,
  kSine,
  kSqrt,
  kTan,
  kTanh
};
constexpr bool IsBinary(RealFunction f) {
  return f == RealFunction::kAtan2 || f == RealFunction::kDivide ||
         f == RealFunction::kPower;
}

enum class Distance {
  kMargin,  // |value - real| <= |value| * 2^-kMarginBits<N>
  kNone,    // value is the real one, or the special value of the function
  // The real value is not `value`, lies beyond it (of greater, or of smaller
  // magnitude), and no farther than four margins.
  kGreater,
  kSmaller
};

template <class N>
inline constexpr int kMarginBits = std::is_same_v<N, double> ? 43 : 60;

template <class N>
struct Approximation {
  N value;
  Distance distance = Distance::kMargin;
};

// Returns pow if an operand is zero, infinite or NaN, if the base is 1 or -1,
// and where there is no result (IEEE 754-2019, 9.2.1). libm's long double
// function gets some of these wrong: glibc 2.36 has pow(-inf, -2^63) = +inf.
template <class N>
std::optional<N> SpecialPower(N x, N y) {
  constexpr N kInfinity = std::numeric_limits<N>::infinity();
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const N magnitude = std::fabs(x);
  if (std::isinf(y)) {
    if (magnitude == 1) return 1;
    return (magnitude < 1) == (y < 0) ? kInfinity : 0;
  }
  const bool is_integer = std::trunc(y) == y;
  const bool is_odd = is_integer && std::fmod(y, N(2)) != 0;
  const N sign = is_odd && std::signbit(x) ? -1 : 1;
  if (x == 0 || std::isinf(x))
    return (x == 0) == (y < 0) ? sign * kInfinity : sign * 0;
  if (x < 0 && !is_integer) return std::numeric_limits<N>::quiet_NaN();
  if (magnitude == 1) return sign;
  return std::nullopt;
}

// kTiny is four margins, and kSmall has such a square: at these the real value
// is far enough from the number of few digits for a margin to tell them apart.
template <class N>
inline constexpr N kTiny = N(1) / N(int64_t{1} << (kMarginBits<N> - 2));
template <class N>
inline constexpr N kSmall = N(1) / N(int64_t{1} << (kMarginBits<N> / 2 - 1));

// A unary function takes its value from libm from `least` to `greatest`, and
// not nearer to zero than `tiny`. Elsewhere it has a special value, or is next
// to a number of few digits, or is beyond N.
template <class N>
struct LibmDomain {
  N least, greatest, tiny;
};

template <RealFunction kF, class N>
constexpr LibmDomain<N> DomainOfLibm() {
  static_assert(!IsBinary(kF));
  using enum RealFunction;
  using Limits = std::numeric_limits<N>;
  constexpr N kLn2 = N(0.693147180559945309417L);
  constexpr N kMany = (kMarginBits<N> - 2) * kLn2;  // e^-kMany = kTiny
  // libm's error handling takes ten times as long as its functions.
  constexpr N kBeyond = Limits::max_exponent * kLn2 + 30;
  constexpr N kMax = Limits::max(), kLeast = Limits::denorm_min();
  switch (kF) {
    case kExponential:
      return {-kBeyond, kBeyond, kTiny<N>};
    case kExponentialMinusOne:
      return {-kMany, kBeyond, kTiny<N>};
    case kLog:
      return {kLeast, kMax, 0};
    case kLogPlusOne:
      return {-1 + Limits::epsilon() / 2, kMax, kTiny<N>};
    case kLogistic:
      return {-kBeyond, kMany, kTiny<N>};
    case kTanh:  // 1 - 2 e^-2x
      return {-(kMany + kLn2) / 2, (kMany + kLn2) / 2, kSmall<N>};
    case kCbrt:
      return {-kMax, kMax, kLeast};
    case kRsqrt:
    case kSqrt:
      return {kLeast, kMax, 0};
    default:  // kCosine, kSine, kTan
      return {-kMax, kMax, kSmall<N>};
  }
}

template <RealFunction kF, class N>
bool IsTiny(N x) {
  return std::fabs(x) < DomainOfLibm<kF, N>().tiny;
}
template <RealFunction kF, class N>
bool NeedsLibm(N x) {
  constexpr LibmDomain<N> kDomain = DomainOfLibm<kF, N>();
  return (x >= kDomain.least) & (x <= kDomain.greatest) & !IsTiny<kF>(x);
}

// Returns libm's f(x).
template <RealFunction kF, class N>
N Libm(N x) {
  using enum RealFunction;
  if constexpr (kF == kCbrt) return std::cbrt(x);
  if constexpr (kF == kCosine) return std::cos(x);
  if constexpr (kF == kExponential) return std::exp(x);
  if constexpr (kF == kExponentialMinusOne) return std::expm1(x);
  if constexpr (kF == kLog) return std::log(x);
  if constexpr (kF == kLogPlusOne) return std::log1p(x);
  if constexpr (kF == kLogistic) return 1 / (1 + std::exp(-x));
  if constexpr (kF == kRsqrt) return 1 / std::sqrt(x);
  if constexpr (kF == kSine) return std::sin(x);
  if constexpr (kF == kSqrt) return std::sqrt(x);
  if constexpr (kF == kTan) return std::tan(x);
  if constexpr (kF == kTanh) return std::tanh(x);
}

// Returns f(x) where N is double or long double and x a value of a format that
// N holds. `libm` is Libm(x), and may be anything unless NeedsLibm(x).
template <RealFunction kF, class N>
Approximation<N> FromLibm(N x, N libm) {
  using enum RealFunction;
  constexpr N kTiniest = std::numeric_limits<N>::min();
  if (NeedsLibm<kF>(x)) {
    if (kF == kLog && x == 1) return {0, Distance::kNone};
    // If libm underflows, any positive number that is tiny enough will do.
    if ((kF == kExponential || kF == kLogistic) && libm < kTiniest)
      return {kTiniest, Distance::kSmaller};
    return {libm};
  }
  constexpr N kInfinity = std::numeric_limits<N>::infinity();
  if (x == 0 || !(std::fabs(x) <= std::numeric_limits<N>::max()))
    return {Libm<kF>(x), Distance::kNone};
  const auto away = x > 0 ? Distance::kGreater : Distance::kSmaller;
  const auto toward = x > 0 ? Distance::kSmaller : Distance::kGreater;
  const bool is_tiny = IsTiny<kF>(x);
  switch (kF) {
    case kExponential:  // 1 + x
      if (is_tiny) return {1, away};
      if (x > 0) return {kInfinity, Distance::kNone};
      return {kTiniest, Distance::kSmaller};
    case kExponentialMinusOne:  // x + x^2 / 2
      if (is_tiny) return {x, away};
      if (x > 0) return {kInfinity, Distance::kNone};
      return {-1, Distance::kSmaller};
    case kLogPlusOne:  // x - x^2 / 2
      if (is_tiny) return {x, toward};
      break;
    case kLogistic:  // 1/2 + x / 4
      if (is_tiny) return {N(0.5), away};
      if (x > 0) return {1, Distance::kSmaller};
      return {kTiniest, Distance::kSmaller};
    case kCosine:  // 1 - x^2 / 2
      return {1, Distance::kSmaller};
    case kSine:  // x - x^3 / 6
      return {x, Distance::kSmaller};
    case kTan:  // x + x^3 / 3
      return {x, Distance::kGreater};
    case kTanh:  // x - x^3 / 3
      return {is_tiny ? x : std::copysign(N(1), x), Distance::kSmaller};
    default:
      break;
  }
  // Logarithms and roots are not defined here, except for log1p(-1).
  return {kF == kLogPlusOne && x == -1 ? -kInfinity
                                       : std::numeric_limits<N>::quiet_NaN(),
          Distance::kNone};
}

template <class N>
Approximation<N> ApproximateAtan2(N x, N y) {
  const N angle = std::atan2(x, y);
  if (x == 0 || y == 0 || !std::isfinite(x) || !std::isfinite(y)) {
    // Among 0, pi and its fractions, only zeros and NaN are numbers of N.
    const bool is_number = angle == 0 || std::isnan(angle);
    return {angle, is_number ? Distance::kNone : Distance::kMargin};
  }
  const N quotient = x / y;
  if (y > 0 && std::fabs(quotient) < kSmall<N> &&
      std::fma(quotient, y, -x) == 0)  // q - q^3 / 3
    return {quotient, Distance::kSmaller};
  return {angle};
}

// For operands of T's format, fma of N tells whether N has the quotient.
template <class N>
Approximation<N> ApproximateQuotient(N x, N y) {
  const N quotient = x / y;
  const bool is_exact = x == 0 || y == 0 || !std::isfinite(x) ||
                        !std::isfinite(y) || std::fma(quotient, y, -x) == 0;
  return {quotient, is_exact ? Distance::kNone : Distance::kMargin};
}

template <class N>
Approximation<N> ApproximatePower(N x, N y) {
  if (const std::optional<N> value = SpecialPower(x, y))
    return {*value, Distance::kNone};
  const N power = std::pow(x, y);
  if (std::fabs(power) < std::numeric_limits<N>::min())
    return {std::copysign(std::numeric_limits<N>::min(), power),
            Distance::kSmaller};
  const N exponent = y * std::log(std::fabs(x));
  if (std::fabs(exponent) < kTiny<N>)
    return {power < 0 ? N(-1) : N(1),
            exponent > 0 ? Distance::kGreater : Distance::kSmaller};
  return {power};
}

// Returns f(x), or f(x, y) of the two binary functions.
template <RealFunction kF, class N>
Approximation<N> Approximate(N x, N y = 0) {
  if constexpr (kF == RealFunction::kAtan2) {
    return ApproximateAtan2(x, y);
  } else if constexpr (kF == RealFunction::kDivide) {
    return ApproximateQuotient(x, y);
  } else if constexpr (kF == RealFunction::kPower) {
    return ApproximatePower(x, y);
  } else {
    return FromLibm<kF>(x, NeedsLibm<kF>(x) ? Libm<kF>(x) : N(0));
  }
}

// Replaces an array of operands that need libm by Libm(x).
void LibmOfEach(RealFunction f, double* x, size_t count);
template <RealFunction kF, class N>
void LibmOfEach(N* x, size_t count) {
  if constexpr (std::is_same_v<N, double>) {
    LibmOfEach(kF, x, count);
  } else {
    for (size_t i = 0; i < count; ++i) x[i] = Libm<kF>(x[i]);
  }
}

// Does the same for a function that is not known at compile time.
template <class N>
Approximation<N> Approximate(RealFunction f, N x, N y);

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_APPROXIMATION_H_
