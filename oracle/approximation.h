// Real functions by libm: a value, and what is known of its distance from the
// real one.
//
// libm's functions err by a few units in their last place; the margins here are
// 2^9 (double) and 2^4 (long double) units, so nothing rests on a proof of
// anybody's library. Where the real value is nearer to a number of few digits
// than the margin (exp(x) for tiny x is 1 and a little more) the function says
// so exactly: that number, and on which side of it the real value lies.
#ifndef ASSAY_ORACLE_APPROXIMATION_H_
#define ASSAY_ORACLE_APPROXIMATION_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace assay {

// The functions of IEEE 754-2019, 9.2.1, by StableHLO's names of the ops.
enum class RealFunction {
  kAtan2,
  kCbrt,
  kCosine,
  kExponential,
  kExponentialMinusOne,
  kLog,
  kLogPlusOne,
  kLogistic,
  kPower,
  kRsqrt,
  kSine,
  kTan,
  kTanh
};
constexpr bool IsBinary(RealFunction f) {
  return f == RealFunction::kAtan2 || f == RealFunction::kPower;
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

// pow where an operand is zero, infinite or NaN, where the base is 1 or -1, and
// where there is no result (IEEE 754-2019, 9.2.1). libm's long double function
// gets some of these wrong: glibc 2.36 has pow(-inf, -2^63) = +inf.
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

// f(x) or f(x, y), where N is double or long double and the operands are values
// of a format that N holds.
template <RealFunction kF, class N>
Approximation<N> Approximate(N x, N y = 0) {
  using enum RealFunction;
  // Four margins, and what has such a square: at these the real value is far
  // enough from the number of few digits for a margin to tell them apart.
  constexpr N kTiny = N(1) / N(int64_t{1} << (kMarginBits<N> - 2));
  constexpr N kSmall = N(1) / N(int64_t{1} << (kMarginBits<N> / 2 - 1));
  constexpr N kLn2 = N(0.693147180559945309417L);
  constexpr N kMany = (kMarginBits<N> - 2) * kLn2;  // e^-kMany = kTiny
  constexpr N kNan = std::numeric_limits<N>::quiet_NaN();
  constexpr N kBeyond = std::numeric_limits<N>::max_exponent * kLn2 + 30;
  const N magnitude = std::fabs(x);
  const bool is_special =
      !(magnitude <= std::numeric_limits<N>::max()) || x == 0;
  const auto special = [](N value) {
    return Approximation<N>{value, Distance::kNone};
  };
  // Where libm underflows: any positive number that is tiny enough.
  const auto positive = [](N value) -> Approximation<N> {
    if (value >= std::numeric_limits<N>::min()) return {value};
    return {std::numeric_limits<N>::min(), Distance::kSmaller};
  };
  if constexpr (kF == kExponential) {
    if (is_special) return special(std::exp(x));
    if (magnitude < kTiny)
      return {1, x > 0 ? Distance::kGreater : Distance::kSmaller};
    // libm's error handling takes ten times as long as the function.
    if (magnitude > kBeyond)
      return x > 0 ? special(std::numeric_limits<N>::infinity()) : positive(0);
    return positive(std::exp(x));
  } else if constexpr (kF == kExponentialMinusOne) {
    if (is_special) return special(std::expm1(x));
    if (magnitude < kTiny)  // x + x^2 / 2
      return {x, x > 0 ? Distance::kGreater : Distance::kSmaller};
    if (x < -kMany) return {-1, Distance::kSmaller};
    return {std::expm1(x)};
  } else if constexpr (kF == kLog) {
    if (x < 0) return special(kNan);  // libm's error handling is slow
    if (is_special || x == 1) return special(std::log(x));
    return {std::log(x)};
  } else if constexpr (kF == kLogPlusOne) {
    if (x < -1) return special(kNan);
    if (is_special || x == -1) return special(std::log1p(x));
    if (magnitude < kTiny)  // x - x^2 / 2
      return {x, x > 0 ? Distance::kSmaller : Distance::kGreater};
    return {std::log1p(x)};
  } else if constexpr (kF == kLogistic) {
    if (is_special) return special(1 / (1 + std::exp(-x)));
    if (magnitude < kTiny)  // 1/2 + x / 4
      return {N(0.5), x > 0 ? Distance::kGreater : Distance::kSmaller};
    if (x > kMany) return {1, Distance::kSmaller};
    // e^x / (1 + e^x), which is e^x up to an eighth of the margin.
    if (x < -kBeyond) return positive(0);
    if (x < -(kMany + 5 * kLn2)) return positive(std::exp(x));
    return {1 / (1 + std::exp(-x))};
  } else if constexpr (kF == kSine) {
    if (is_special) return special(std::sin(x));
    if (magnitude < kSmall) return {x, Distance::kSmaller};  // x - x^3 / 6
    return {std::sin(x)};
  } else if constexpr (kF == kCosine) {
    if (is_special) return special(std::cos(x));
    if (magnitude < kSmall) return {1, Distance::kSmaller};  // 1 - x^2 / 2
    return {std::cos(x)};
  } else if constexpr (kF == kTan) {
    if (is_special) return special(std::tan(x));
    if (magnitude < kSmall) return {x, Distance::kGreater};  // x + x^3 / 3
    return {std::tan(x)};
  } else if constexpr (kF == kTanh) {
    if (is_special) return special(std::tanh(x));
    if (magnitude < kSmall) return {x, Distance::kSmaller};  // x - x^3 / 3
    if (magnitude > (kMany + kLn2) / 2)                      // 1 - 2 e^-2x
      return {std::copysign(N(1), x), Distance::kSmaller};
    return {std::tanh(x)};
  } else if constexpr (kF == kCbrt) {
    if (is_special) return special(std::cbrt(x));
    return {std::cbrt(x)};
  } else if constexpr (kF == kRsqrt) {
    if (x < 0) return special(kNan);
    if (is_special) return special(1 / std::sqrt(x));
    return {1 / std::sqrt(x)};
  } else if constexpr (kF == kAtan2) {
    const N angle = std::atan2(x, y);
    if (is_special || !std::isfinite(y) || y == 0) {
      // 0, pi and its fractions: only zeros and NaN are numbers of N.
      const bool is_number = angle == 0 || std::isnan(angle);
      return {angle, is_number ? Distance::kNone : Distance::kMargin};
    }
    const N quotient = x / y;
    if (y > 0 && std::fabs(quotient) < kSmall &&
        std::fma(quotient, y, -x) == 0)  // q - q^3 / 3
      return {quotient, Distance::kSmaller};
    return {angle};
  } else {
    static_assert(kF == kPower);
    if (const std::optional<N> value = SpecialPower(x, y))
      return special(*value);
    const N power = std::pow(x, y);
    if (std::fabs(power) < std::numeric_limits<N>::min())
      return {std::copysign(std::numeric_limits<N>::min(), power),
              Distance::kSmaller};
    const N exponent = y * std::log(magnitude);
    if (std::fabs(exponent) < kTiny)
      return {power < 0 ? N(-1) : N(1),
              exponent > 0 ? Distance::kGreater : Distance::kSmaller};
    return {power};
  }
}

// The same where the function is not known at compile time.
template <class N>
Approximation<N> Approximate(RealFunction f, N x, N y);

}  // namespace assay

#endif  // ASSAY_ORACLE_APPROXIMATION_H_
