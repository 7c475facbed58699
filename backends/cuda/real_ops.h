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
// of itself and 2^r to 2^-32, so that a result of f32 is off by 2^-6 units more
// than its rounding. f64's own function takes many times the arithmetic, and
// CUDA's of f32 is off by up to 4 units.
//
// There are no branches, so that the elements of a thread are computed
// together, and few conversions, of which a GPU makes a quarter as many as sums
// of f64.

// 2 / (ln(2) n) of odd n up to 13, and ln(2)^n / n! of n up to 8.
ASSAY_CONSTANT double kLog2Terms[] = {
    0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1,
    0x1.a61762a7aded9p-2, 0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2,
    0x1.c68f568d31760p-3};
ASSAY_CONSTANT double kExp2Terms[] = {1.0,
                                      0x1.62e42fefa39efp-1,
                                      0x1.ebfbdff82c58fp-3,
                                      0x1.c6b08d704a0c0p-5,
                                      0x1.3b2ab6fba4e77p-7,
                                      0x1.5d87fe78a6731p-10,
                                      0x1.430912f86c787p-13,
                                      0x1.ffcbfc588b0c7p-17,
                                      0x1.62c0223a5c824p-20};

template <int kCount>
ASSAY_DEVICE double Polynomial(const double (&terms)[kCount], double x) {
  double sum = terms[kCount - 1];
  ASSAY_UNROLL
  for (int n = kCount - 2; n >= 0; --n) sum = ::fma(sum, x, terms[n]);
  return sum;
}

// Of a normal number between 1 and 4, to two units.
ASSAY_DEVICE float NearInverse(float x) {
#ifdef __CUDACC__
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
#else
  return 1 / x;
#endif
}

// An f64 whose upper half is another one.
ASSAY_DEVICE double WithUpper(double x, uint32_t upper) {
  return BitCast<double>((BitCast<uint64_t>(x) & 0xFFFFFFFF) | uint64_t{upper}
                                                                   << 32);
}
ASSAY_DEVICE uint32_t UpperOf(double x) {
  return static_cast<uint32_t>(BitCast<uint64_t>(x) >> 32);
}

// Of what is not negative; some 1e300 of infinity and of 0, which times any
// number of f32 but 0 is beyond what Exp2 tells apart.
ASSAY_DEVICE double Log2(float x) {
  // 2^exponent m, with m between sqrt(1/2) and sqrt(2).
  const bool is_small = x < 0x1p-126f;
  const float scaled = is_small ? x * 0x1p24f : x;
  const uint32_t above = BitCast<uint32_t>(scaled) - 0x3F3504F3;
  const int exponent =
      (static_cast<int32_t>(above) >> 23) - (is_small ? 24 : 0);
  const float m = BitCast<float>((above & 0x7FFFFF) + 0x3F3504F3);
  // log(m) = 2 atanh((m - 1) / (m + 1)), the quotient from one of f32.
  const double wide = m;
  const double sum = wide + 1;
  double inverse = NearInverse(m + 1);
  inverse = ::fma(inverse, ::fma(-sum, inverse, 1.0), inverse);
  const double q = (wide - 1) * inverse;
  // A number in the low bits of 2^52 + 2^31.
  const double whole =
      BitCast<double>(uint64_t{0x43300000} << 32 |
                      (static_cast<uint32_t>(exponent) ^ 0x80000000)) -
      0x1.000008p52;
  const double log = ::fma(Polynomial(kLog2Terms, q * q), q, whole);
  uint32_t upper = UpperOf(log);
  upper = x == 0 ? 0xFE37E43C : upper;
  upper = x == HUGE_VALF ? 0x7E37E43C : upper;
  return WithUpper(log, upper);
}

// 2^x, as an f64 in the range of f64: infinite or 0 in f32 beyond 200.
ASSAY_DEVICE double Exp2(double x) {
  const uint32_t upper = UpperOf(x);
  const bool is_far = (upper & 0x7FFFFFFF) > 0x40690000;
  x = WithUpper(x, is_far ? (upper & 0x80000000) | 0x40690000 : upper);
  // The sum has no bits for a fraction, and the whole number in its lowest.
  const double shifted = x + 0x1.8p52;
  const double power = Polynomial(kExp2Terms, x - (shifted - 0x1.8p52));
  const auto whole = static_cast<uint32_t>(BitCast<uint64_t>(shifted));
  return WithUpper(power, UpperOf(power) + (whole << 20));
}

// IEEE 754-2019 pow.
ASSAY_DEVICE float Pow(float x, float y) {
  constexpr float kMost = 0x1.fffffep127f;
  // Where y is infinite this is as far; and 0 times log2(1) is 0.
  const float finite = ::fmaxf(::fminf(y, kMost), -kMost);
  const float magnitude = ::fabsf(x);
  float result = static_cast<float>(Exp2(finite * Log2(magnitude)));
  const float half = finite * 0.5f;
  const bool is_whole = finite == ::truncf(finite);
  const bool is_odd = is_whole && half != ::truncf(half);
  const bool is_negative = BitCast<uint32_t>(x) >> 31 != 0;
  result = is_negative && is_odd ? -result : result;
  const bool has_root = is_whole || magnitude == 0 || magnitude == HUGE_VALF;
  const bool has_nan = (x != x || y != y) && x != 1 && y != 0;
  return has_nan || (x < 0 && !has_root) ? BitCast<float>(0x7FC00000u) : result;
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
