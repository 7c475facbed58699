// These are the elementary functions of real numbers: those of CUDA's
// mathematics library, or of the host's, if their bounds are within the budgets
// (docs/accuracy.md). CUDA's atan2, power and tan of f32 have bounds of 3 and 4
// units: they are computed in f64.
//
// Smaller formats compute in f32 and are rounded once more: 4 units of f32 are
// 2^-11 units of f16, and less of any other format.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_REAL_OPS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_REAL_OPS_H_

#include "backends/cuda/core/group.h"
#include "backends/cuda/elementwise/elementary.h"
#ifndef ASSAY_CUDA_FAST
#include "backends/cuda/elementwise/power.h"
#endif

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

// From here on the libraries' own argument reductions lose bits next to
// multiples of pi / 2: glibc's sine was off by 373 units at
// 0x1.782b7a20df6d4p+67. The tangent of such an angle is a quotient: if it were
// the inverse of a library's tangent, it would have that function's error twice
// where its significand is small.
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
// A step of Newton's method follows, since glibc's cbrt is off by up to 3
// units. Small operands are scaled, since the rest of x would be lost where it
// is subnormal.
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

// With e = exp(-|x|), which cannot overflow, the result is 1 / (1 + e) or e /
// (1 + e). That may be in the binade below the one of e, where an error of e
// has twice as many units: f32 computes e in double, and f64 adds what the
// rounding of the sum lost. Where e is subnormal the sum is 1, so that nothing
// is rounded twice.
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

// The result is rounded twice: it is off by at most 1.5 units.
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

// The remainder is exact.
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
// In f32 these functions take few instructions: memory limits them.
using RealQuick =
    OpList<RealExponential, RealReciprocalRoot, RealHyperbolicTangent>;
using RealBinary = OpList<RealArcTangent2, RealPower, RealRemainder>;

}  // namespace ASSAY_CUDA_MATH
}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_REAL_OPS_H_
