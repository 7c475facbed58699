// Elementary functions of real numbers: those of CUDA's mathematics library, or
// of the host's, where their bounds are within the budgets (docs/accuracy.md).
// Of f32, atan2, power and tan have bounds of 3 and 4 units there: they are
// computed in f64.
//
// Smaller formats compute in f32 and are rounded once more: 4 units of f32 are
// 2^-11 of f16, and less of any other.
#ifndef ASSAY_BACKENDS_CUDA_REAL_OPS_H_
#define ASSAY_BACKENDS_CUDA_REAL_OPS_H_

#include "backends/cuda/elementary.h"
#include "backends/cuda/group.h"

namespace assay::cuda {
namespace ASSAY_CUDA_MATH {

ASSAY_DEVICE float Exp(float x) { return ::expf(x); }
ASSAY_NOINLINE double Exp(double x) { return ::exp(x); }
ASSAY_NOINLINE float ExpMinusOne(float x) { return ::expm1f(x); }
ASSAY_NOINLINE double ExpMinusOne(double x) { return ::expm1(x); }
ASSAY_NOINLINE float Log(float x) { return ::logf(x); }
ASSAY_NOINLINE double Log(double x) { return ::log(x); }
ASSAY_NOINLINE float LogPlusOne(float x) { return ::log1pf(x); }
ASSAY_NOINLINE double LogPlusOne(double x) { return ::log1p(x); }
ASSAY_NOINLINE float Sin(float x) { return ::sinf(x); }

// From here on the libraries' own reductions lose bits next to multiples of
// pi / 2: glibc's sine was off by 373 units at 0x1.782b7a20df6d4p+67. The
// tangent of such an angle is a quotient: as the inverse of a library's own it
// would have that one's error twice, where its significand is small.
inline constexpr double kLargeAngle = 0x1p15;

ASSAY_NOINLINE double Sin(double x) {
  return ::fabs(x) < kLargeAngle ? ::sin(x) : SinCos(DoubleDouble{x}).sine.hi;
}
ASSAY_NOINLINE float Cos(float x) { return ::cosf(x); }
ASSAY_NOINLINE double Cos(double x) {
  return ::fabs(x) < kLargeAngle ? ::cos(x) : SinCos(DoubleDouble{x}).cosine.hi;
}
ASSAY_DEVICE float Tanh(float x) { return ::tanhf(x); }
ASSAY_NOINLINE double Tanh(double x) { return ::tanh(x); }
ASSAY_NOINLINE float Cbrt(float x) { return ::cbrtf(x); }
// A step of Newton's method: glibc's own is off by up to 3 units. What is left
// of x would be lost where it is subnormal.
ASSAY_NOINLINE double Cbrt(double x) {
  const bool is_small = ::fabs(x) < 0x1p-900;
  const double scaled = is_small ? x * 0x1p300 : x;
  const double root = ::cbrt(scaled);
  const double square = root * root;
  const double low = ::fma(root, root, -square);
  const double rest = ::fma(low, root, ::fma(square, root, -scaled));
  const double step = rest / (3 * square);
  // Zeros, infinities and NaN are their own roots.
  const double better = step == step ? root - step : root;
  return is_small ? better * 0x1p-100 : better;
}
ASSAY_NOINLINE double Tan(double x) {
  if (::fabs(x) < kLargeAngle) return ::tan(x);
  const auto [sine, cosine] = SinCos(DoubleDouble{x});
  return (sine / cosine).hi;
}
ASSAY_NOINLINE float Modulo(float x, float y) { return ::fmodf(x, y); }
ASSAY_NOINLINE double Modulo(double x, double y) { return ::fmod(x, y); }
ASSAY_NOINLINE double ATan2(double y, double x) { return ::atan2(y, x); }
ASSAY_NOINLINE double Pow(double x, double y) { return ::pow(x, y); }
#ifdef ASSAY_CUDA_FAST
ASSAY_DEVICE float Tan(float x) { return ::tanf(x); }
ASSAY_DEVICE float ATan2(float y, float x) { return ::atan2f(y, x); }
ASSAY_DEVICE float Pow(float x, float y) { return ::powf(x, y); }
#else
ASSAY_DEVICE float Tan(float x) {
  return static_cast<float>(Tan(static_cast<double>(x)));
}
ASSAY_DEVICE float ATan2(float y, float x) {
  return static_cast<float>(
      ATan2(static_cast<double>(y), static_cast<double>(x)));
}

// x^y = 2^(y log2(x)) in f64, with fewer digits than f64 has: log2(x) to 2^-37
// of itself and 2^r to 2^-32, so that a result of f32 is off by 2^-7 units more
// than its rounding. f64's own function takes five times the arithmetic, and
// CUDA's of f32 is off by up to 4 units.
ASSAY_DEVICE double Log2OfPositive(float x) {
  // 2^exponent m, with m between sqrt(1/2) and sqrt(2).
  int exponent = 0;
  if (x < 0x1p-126f) {
    x *= 0x1p24f;
    exponent = -24;
  }
  const uint32_t above = BitCast<uint32_t>(x) - 0x3F3504F3;
  exponent += static_cast<int32_t>(above) >> 23;
  const double m = BitCast<float>((above & 0x7FFFFF) + 0x3F3504F3);
  // log(m) = 2 atanh((m - 1) / (m + 1)), the quotient from one of f32.
  const double sum = m + 1;
  double inverse = 1.0f / static_cast<float>(sum);
  inverse = ::fma(inverse, ::fma(-sum, inverse, 1.0), inverse);
  const double q = (m - 1) * inverse;
  const double square = q * q;
  double series = 1.0 / 15;
  series = ::fma(series, square, 1.0 / 13);
  series = ::fma(series, square, 1.0 / 11);
  series = ::fma(series, square, 1.0 / 9);
  series = ::fma(series, square, 1.0 / 7);
  series = ::fma(series, square, 1.0 / 5);
  series = ::fma(series, square, 1.0 / 3);
  series = ::fma(series * square, q, q);
  return ::fma(series, 0x1.71547652b82fep+1, static_cast<double>(exponent));
}

// Of -1100 < x < 1100, as an f64 that is in the range of f64.
ASSAY_DEVICE double Exp2(double x) {
  const double whole = ::rint(x);
  const double r = (x - whole) * 0x1.62e42fefa39efp-1;
  double series = 1.0 / 362880;
  series = ::fma(series, r, 1.0 / 40320);
  series = ::fma(series, r, 1.0 / 5040);
  series = ::fma(series, r, 1.0 / 720);
  series = ::fma(series, r, 1.0 / 120);
  series = ::fma(series, r, 1.0 / 24);
  series = ::fma(series, r, 1.0 / 6);
  series = ::fma(series, r, 0.5);
  series = ::fma(series, r, 1.0);
  series = ::fma(series, r, 1.0);
  return series *
         BitCast<double>(
             static_cast<uint64_t>(static_cast<int64_t>(whole) + 1023) << 52);
}

ASSAY_DEVICE bool IsInteger(float y) { return y == ::truncf(y); }
ASSAY_DEVICE bool IsOddInteger(float y) {
  const float half = y * 0.5f;
  return IsInteger(y) && half != ::truncf(half);
}

// IEEE 754-2019 pow, where one of the operands is 0, infinite or NaN.
ASSAY_NOINLINE float PowOfSpecial(float x, float y) {
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return x + y;
  const float magnitude = ::fabsf(x);
  if (::fabsf(y) == HUGE_VALF) {
    if (magnitude == 1) return 1;
    return (magnitude > 1) == (y > 0) ? HUGE_VALF : 0.0f;
  }
  const float result = (magnitude == 0) == (y > 0) ? 0.0f : HUGE_VALF;
  return IsOddInteger(y) ? ::copysignf(result, x) : result;
}

ASSAY_DEVICE float Pow(float x, float y) {
  const float magnitude = ::fabsf(x);
  const bool is_plain = magnitude > 0 && magnitude < HUGE_VALF &&
                        ::fabsf(y) < HUGE_VALF && y != 0;
  if (!is_plain) return PowOfSpecial(x, y);
  if (x < 0 && !IsInteger(y)) return BitCast<float>(0x7FC00000u);
  const double exponent = y * Log2OfPositive(magnitude);
  // Beyond these the result is infinite, or 0, in f32.
  const double bounded = exponent > 200    ? 200.0
                         : exponent < -200 ? -200.0
                                           : exponent;
  const auto result = static_cast<float>(Exp2(bounded));
  return x < 0 && IsOddInteger(y) ? -result : result;
}
#endif

struct RealExponential {
  static constexpr std::string_view kName = "exponential";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Exp(x);
  }
};

struct RealExponentialMinusOne {
  static constexpr std::string_view kName = "exponential_minus_one";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return ExpMinusOne(x);
  }
};

struct RealLog {
  static constexpr std::string_view kName = "log";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Log(x);
  }
};

struct RealLogPlusOne {
  static constexpr std::string_view kName = "log_plus_one";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return LogPlusOne(x);
  }
};

// With e = exp(-|x|), which cannot overflow: 1 / (1 + e) or e / (1 + e). That
// may be in the binade below the one of e, where an error of e has twice as
// many units: f32 leaves none, f64 puts back what the sum was rounded by. Where
// e is subnormal the sum is 1, so that nothing is rounded twice.
#ifdef ASSAY_CUDA_FAST
ASSAY_DEVICE float Logistic(float x) {
  const float e = Exp(x < 0 ? x : -x);
  return (x < 0 ? e : 1) / (1 + e);
}
#else
ASSAY_NOINLINE float Logistic(float x) {
  const double e = ::exp(x < 0 ? double{x} : -double{x});
  return static_cast<float>((x < 0 ? e : 1) / (1 + e));
}
#endif
ASSAY_DEVICE double Logistic(double x) {
  const double e = Exp(x < 0 ? x : -x);
  const double sum = 1 + e;
  const double quotient = (x < 0 ? e : 1) / sum;
  const double lost = e - (sum - 1);
  return ::fma(quotient, -lost / sum, quotient);
}

struct RealLogistic {
  static constexpr std::string_view kName = "logistic";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Logistic(x);
  }
};

// Two roundings: at most 1.5 units.
struct RealReciprocalRoot {
  static constexpr std::string_view kName = "rsqrt";
  static constexpr int kInputs = 1;
  ASSAY_DEVICE float operator()(float x, const Parameters&) const {
    return 1.0f / ::sqrtf(x);
  }
  ASSAY_DEVICE double operator()(double x, const Parameters&) const {
    return 1.0 / ::sqrt(x);
  }
};

struct RealCubeRoot {
  static constexpr std::string_view kName = "cbrt";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Cbrt(x);
  }
};

struct RealSine {
  static constexpr std::string_view kName = "sine";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Sin(x);
  }
};

struct RealCosine {
  static constexpr std::string_view kName = "cosine";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Cos(x);
  }
};

struct RealTangent {
  static constexpr std::string_view kName = "tan";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Tan(x);
  }
};

struct RealHyperbolicTangent {
  static constexpr std::string_view kName = "tanh";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T x, const Parameters&) const {
    return Tanh(x);
  }
};

struct RealArcTangent2 {
  static constexpr std::string_view kName = "atan2";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T y, T x, const Parameters&) const {
    return ATan2(y, x);
  }
};

// Exact.
struct RealRemainder {
  static constexpr std::string_view kName = "remainder";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters&) const {
    return Modulo(a, b);
  }
};

struct RealPower {
  static constexpr std::string_view kName = "power";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T x, T y, const Parameters&) const {
    return Pow(x, y);
  }
};

using RealUnary =
    OpList<RealExponentialMinusOne, RealLog, RealLogPlusOne, RealLogistic,
           RealCubeRoot, RealSine, RealCosine, RealTangent>;
// In f32, those of few instructions: memory limits them.
using RealQuick =
    OpList<RealExponential, RealReciprocalRoot, RealHyperbolicTangent>;
using RealBinary = OpList<RealArcTangent2, RealPower, RealRemainder>;

}  // namespace ASSAY_CUDA_MATH
}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_REAL_OPS_H_
