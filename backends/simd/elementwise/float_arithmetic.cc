// These are the kernels of arithmetic on floats: sums, products, quotients,
// roots, remainders, extrema, rounding to integers and signs.
//
// On f32 and f64 every result is the exact one rounded once, so that the
// compiler must not contract (-ffp-contract=off). A smaller format is computed
// in f32 and rounded a second time, to its own precision p. For sums, products,
// quotients and roots that is harmless where nothing inexact is subnormal in
// f32 and p <= 11, since 24 >= 2p + 2 (Figueroa 1995); the other ops are exact
// in f32.
//
// bf16 and f8E8M0FNU have the exponents of f32. The only bf16 results that can
// be subnormal are products and quotients v, and rounding twice goes wrong only
// if f32, in steps of 2^-149, rounds v to an odd multiple m of 2^-134, half of
// bf16's step. Products have 16 bits: from 2^-134 on they are exact, and a
// smaller one that is rounded to 2^-134 is then rounded to 0, as it should be.
// Quotients x / y of 8-bit significands are m or differ from it by 2^-143 or
// more: |x - m * y| is at least the smaller one of the steps of x and m * y,
// and y is less than 2^8 of its own steps. (All 2^32 pairs of bf16 have been
// tried.) A product or quotient in f8E8M0FNU that f32 cannot hold is less than
// the least value of the format and becomes that value.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/float_arithmetic.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/extrema-inl.h"
#include "backends/simd/core/loops-inl.h"
#include "backends/simd/elementwise/remainder-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

struct FloatAdd {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

struct FloatSubtract {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Sub(a, b);
  }
};

struct FloatMultiply {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Mul(a, b);
  }
};

struct FloatDivide {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};

struct FloatRemainder {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return RemainderOf(d, a, b);
  }
};

struct SquareRoot {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Sqrt(a);
  }
};

struct FloatClamp {
  template <class V>
  HWY_INLINE V operator()(V min, V operand, V max) const {
    const hn::DFromV<V> d;
    return FloatMinimum()(d, FloatMaximum()(d, operand, min), max);
  }
};

struct RoundUp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Ceil(a);
  }
};

struct RoundDown {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Floor(a);
  }
};

struct RoundToEven {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Round(a);
  }
};

// The fraction that Trunc drops is exact, so that exactly one half is
// recognized. Adding 0.5 first would round 0.49999997 up.
struct RoundAwayFromZero {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const auto whole = hn::Trunc(a);
    const auto is_up =
        hn::Ge(hn::Abs(hn::Sub(a, whole)), hn::Set(d, Lane<D>{0.5}));
    const auto one = hn::IfThenElseZero(is_up, hn::Set(d, Lane<D>{1}));
    return hn::Add(whole, hn::CopySign(one, a));
  }
};

struct FloatNegate {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Neg(a);
  }
};

struct FloatAbs {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Abs(a);
  }
};

// The sign of a NaN is that NaN, and the sign of a zero is that zero.
struct FloatSign {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const auto is_number = hn::Gt(hn::Abs(a), hn::Zero(d));
    return hn::IfThenElse(is_number, hn::CopySign(hn::Set(d, Lane<D>{1}), a),
                          a);
  }
};

struct FlipSignBit {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return hn::Xor(a, Constant(d, uint64_t{1} << (8 * sizeof(Lane<D>) - 1)));
  }
};

struct ClearSignBit {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return hn::AndNot(Constant(d, uint64_t{1} << (8 * sizeof(Lane<D>) - 1)), a);
  }
};

// A complex number is two lanes, each of which is computed for itself.
constexpr Kernels ByParts(Kernels kernels) {
  kernels.of_float.complex_f32 = kernels.of_float.f32;
  kernels.of_float.complex_f64 = kernels.of_float.f64;
  return kernels;
}

// f16 and bf16 have lanes for their bits, and so do the 8-bit formats, but some
// 8-bit formats have no sign bit of their own or a NaN that changes with the
// sign bit.
template <class Op>
constexpr Kernels BySignBit(Kernels kernels) {
  kernels.of_float.bits.width[1] = MakeKernel<Unary<Op, uint16_t>>();
  return kernels;
}

Table FloatArithmeticRows() {
  static constexpr OpKernels kRows[] = {
      {"abs", BySignBit<ClearSignBit>(OnFloats<Unary, FloatAbs>())},
      {"add", ByParts(OnFloats<Binary, FloatAdd>())},
      {"ceil", OnFloats<Unary, RoundUp>()},
      {"clamp", OnFloats<ClampForm, FloatClamp>()},
      {"divide", OnFloats<Binary, FloatDivide>()},
      {"floor", OnFloats<Unary, RoundDown>()},
      {"maximum", OnFloats<Binary, FloatMaximum>()},
      {"minimum", OnFloats<Binary, FloatMinimum>()},
      {"multiply", OnFloats<Binary, FloatMultiply>()},
      {"negate",
       ByParts(BySignBit<FlipSignBit>(OnFloats<Unary, FloatNegate>()))},
      {"remainder", OnFloats<Binary, FloatRemainder>()},
      {"round_nearest_afz", OnFloats<Unary, RoundAwayFromZero>()},
      {"round_nearest_even", OnFloats<Unary, RoundToEven>()},
      {"sign", OnFloats<Unary, FloatSign>()},
      {"sqrt", OnFloats<Unary, SquareRoot>()},
      {"subtract", ByParts(OnFloats<Binary, FloatSubtract>())},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(FloatArithmeticRows);

Table FloatArithmeticTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(FloatArithmeticRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
