// These are the ops of arithmetic on floats, in f32 and f64. Every result is
// the exact one rounded once, so the files are compiled without contraction and
// with the division and root of IEEE 754.
//
// A smaller format is computed in f32 and rounded a second time, to its own
// precision p. For sums, products, quotients and roots that is harmless where p
// <= 11, since 24 >= 2p + 2 (Figueroa 1995); the other ops are exact in f32.
// bf16 and f8E8M0FNU have the exponents of f32 itself: their products and
// quotients may be subnormal in f32, which has been shown to be harmless too
// (all pairs of bf16 were tried on another backend).
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_FLOAT_OPS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_FLOAT_OPS_H_

#include "backends/cuda/core/group.h"
#include "backends/cuda/elementwise/comparison_ops.h"

namespace assay::cuda {
namespace ASSAY_CUDA_MATH {

ASSAY_DEVICE float Root(float x) { return ::sqrtf(x); }
ASSAY_DEVICE double Root(double x) { return ::sqrt(x); }
ASSAY_DEVICE float Up(float x) { return ::ceilf(x); }
ASSAY_DEVICE double Up(double x) { return ::ceil(x); }
ASSAY_DEVICE float Down(float x) { return ::floorf(x); }
ASSAY_DEVICE double Down(double x) { return ::floor(x); }
ASSAY_DEVICE float ToEven(float x) { return ::rintf(x); }
ASSAY_DEVICE double ToEven(double x) { return ::rint(x); }
ASSAY_DEVICE float AwayFromZero(float x) { return ::roundf(x); }
ASSAY_DEVICE double AwayFromZero(double x) { return ::round(x); }
ASSAY_DEVICE float Magnitude(float x) { return ::fabsf(x); }
ASSAY_DEVICE double Magnitude(double x) { return ::fabs(x); }

ASSAY_DEVICE float AndBits(float a, float b) {
  return BitCast<float>(BitCast<uint32_t>(a) & BitCast<uint32_t>(b));
}
ASSAY_DEVICE double AndBits(double a, double b) {
  return BitCast<double>(BitCast<uint64_t>(a) & BitCast<uint64_t>(b));
}
ASSAY_DEVICE float OrBits(float a, float b) {
  return BitCast<float>(BitCast<uint32_t>(a) | BitCast<uint32_t>(b));
}
ASSAY_DEVICE double OrBits(double a, double b) {
  return BitCast<double>(BitCast<uint64_t>(a) | BitCast<uint64_t>(b));
}

// This is the maximum of IEEE 754-2019: equal operands differ at most in the
// sign of a zero, and +0 wins; a NaN wins over everything.
template <class T>
ASSAY_DEVICE T MaximumOf(T a, T b) {
  if (a != a) return a;
  return a == b ? AndBits(a, b) : b < a ? a : b;
}

template <class T>
ASSAY_DEVICE T MinimumOf(T a, T b) {
  if (a != a) return a;
  return a == b ? OrBits(a, b) : a < b ? a : b;
}

#ifdef ASSAY_CUDA_FAST
// Fast mathematics compares a subnormal as 0, so a subnormal that is chosen
// must become 0 too.
ASSAY_DEVICE float MaximumOf(float a, float b) {
  float result;
  asm("max.ftz.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
ASSAY_DEVICE float MinimumOf(float a, float b) {
  float result;
  asm("min.ftz.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
#endif

struct FloatAdd {
  static constexpr std::string_view kName = "add";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters&) const {
    return WithOneNan(a + b);
  }
};

struct FloatSubtract {
  static constexpr std::string_view kName = "subtract";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters&) const {
    return a - b;
  }
};

struct FloatMultiply {
  static constexpr std::string_view kName = "multiply";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters&) const {
    return WithOneNan(a * b);
  }
};

struct FloatDivide {
  static constexpr std::string_view kName = "divide";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters& p) const {
    return p.Quotient(a, b);
  }
};

struct FloatMaximum {
  static constexpr std::string_view kName = "maximum";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters&) const {
    return MaximumOf(a, b);
  }
};

struct FloatMinimum {
  static constexpr std::string_view kName = "minimum";
  static constexpr int kInputs = 2;
  template <class T>
  ASSAY_DEVICE T operator()(T a, T b, const Parameters&) const {
    return MinimumOf(a, b);
  }
};

struct FloatClamp {
  static constexpr std::string_view kName = "clamp";
  static constexpr int kInputs = 3;
  template <class T>
  ASSAY_DEVICE T operator()(T min, T a, T max, const Parameters&) const {
    return MinimumOf(MaximumOf(a, min), max);
  }
};

struct FloatSquareRoot {
  static constexpr std::string_view kName = "sqrt";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return Root(a);
  }
};

struct FloatCeil {
  static constexpr std::string_view kName = "ceil";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return Up(a);
  }
};

struct FloatFloor {
  static constexpr std::string_view kName = "floor";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return Down(a);
  }
};

struct FloatRoundToEven {
  static constexpr std::string_view kName = "round_nearest_even";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return ToEven(a);
  }
};

struct FloatRoundAway {
  static constexpr std::string_view kName = "round_nearest_afz";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return AwayFromZero(a);
  }
};

struct FloatNegate {
  static constexpr std::string_view kName = "negate";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return -a;
  }
};

struct FloatAbs {
  static constexpr std::string_view kName = "abs";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    return Magnitude(a);
  }
};

// The sign of a NaN is that NaN, and the sign of a zero is that zero.
struct FloatSign {
  static constexpr std::string_view kName = "sign";
  static constexpr int kInputs = 1;
  template <class T>
  ASSAY_DEVICE T operator()(T a, const Parameters&) const {
    // The product is a zero also if comparisons treat a subnormal as zero.
    const T zero_or_nan = a == 0 ? a * 0 : a;
    return a > 0 ? T{1} : a < 0 ? T{-1} : zero_or_nan;
  }
};

using FloatUnary =
    OpList<FloatSquareRoot, FloatCeil, FloatFloor, FloatRoundToEven,
           FloatRoundAway, FloatNegate, FloatAbs, FloatSign>;
using FloatBinary = OpList<FloatAdd, FloatSubtract, FloatMultiply, FloatDivide,
                           FloatMaximum, FloatMinimum>;
using FloatTernary = OpList<FloatClamp>;

// Returns a comparison of f32 as the 1.0 or 0.0 of a FloatTruth, which the
// hardware computes in one instruction.
template <class Direction>
struct SetOf {
  ASSAY_DEVICE static float One(float a, float b) {
    return Direction::Of(a, b) ? 1.0f : 0.0f;
  }
};

#ifdef __CUDACC__
#ifdef ASSAY_CUDA_FAST
#define ASSAY_FLUSHES ".ftz"
#else
#define ASSAY_FLUSHES
#endif
#define ASSAY_SET(direction, set)                         \
  template <>                                             \
  struct SetOf<direction> {                               \
    ASSAY_DEVICE static float One(float a, float b) {     \
      float one;                                          \
      asm("set." set ASSAY_FLUSHES ".f32.f32 %0, %1, %2;" \
          : "=f"(one)                                     \
          : "f"(a), "f"(b));                              \
      return one;                                         \
    }                                                     \
  }
ASSAY_SET(OrderedEqual, "eq");
ASSAY_SET(OrderedNotEqual, "neu");
ASSAY_SET(OrderedLess, "lt");
ASSAY_SET(OrderedLessOrEqual, "le");
ASSAY_SET(OrderedGreater, "gt");
ASSAY_SET(OrderedGreaterOrEqual, "ge");
#undef ASSAY_SET
#undef ASSAY_FLUSHES
#endif

template <class Direction>
struct FloatCompare {
  static constexpr std::string_view kName = Direction::kName;
  static constexpr int kInputs = 2;
  ASSAY_DEVICE FloatTruth operator()(float a, float b,
                                     const Parameters&) const {
    return {SetOf<Direction>::One(a, b)};
  }
  ASSAY_DEVICE bool operator()(double a, double b, const Parameters&) const {
    return Direction::Of(a, b);
  }
};

using FloatComparisons = Directions<FloatCompare>;

}  // namespace ASSAY_CUDA_MATH
}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_FLOAT_OPS_H_
