// These functions of f32 are computed in f64 lanes: pow, which needs the bits,
// and sine, cosine and tangent, whose argument reduction needs them.
//
// Before they are rounded, the relative error of the results is 2^-33 or less,
// so that they are off by at most 0.51 ulp. The polynomials are minimax ones in
// the relative error.
//
// This file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_ELEMENTWISE_F32_BY_F64_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_ELEMENTWISE_F32_BY_F64_INL_H_
#undef ASSAY_BACKENDS_SIMD_ELEMENTWISE_F32_BY_F64_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_F32_BY_F64_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using F32 = hn::ScalableTag<float>;
using F64 = hn::ScalableTag<double>;
using U64 = hn::ScalableTag<uint64_t>;

// Returns Function()(x...), computed in f64.
template <class Function, class... V>
HWY_INLINE hn::Vec<F32> InF64(V... x) {
  const F32 d;
  const F64 d64;
  const hn::Half<F32> half;
  const auto upper =
      Function()(d64, hn::PromoteTo(d64, hn::UpperHalf(half, x))...);
  const auto lower =
      Function()(d64, hn::PromoteTo(d64, hn::LowerHalf(half, x))...);
  return hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
}

// Returns c[0] + c[1] * x + c[2] * x^2 + ...
template <size_t kSize>
HWY_INLINE hn::Vec<F64> Polynomial(F64 d, hn::Vec<F64> x,
                                   const double (&c)[kSize]) {
  auto sum = hn::Set(d, c[kSize - 1]);
  for (size_t i = kSize - 1; i > 0; --i) {
    sum = hn::MulAdd(sum, x, hn::Set(d, c[i - 1]));
  }
  return sum;
}

// ----------------------------------------------------------------------- Power

// For positive x, x^y is 2^(y * log2(x)), where y * log2(x) is bounded at
// exponents whose powers are zero or infinite in f32.
struct PositivePower {
  // x is 2^k * m with m from sqrt(1/2) to sqrt(2), and log2(m) is an odd
  // function of (m - 1) / (m + 1).
  static HWY_INLINE hn::Vec<F64> Log2(F64 d, hn::Vec<F64> x) {
    static constexpr double kLog2[] = {
        0x1.71547652b8251p+1, 0x1.ec709dc53c3bfp-1, 0x1.2776c2937425bp-1,
        0x1.a61a2e9c2d5ddp-2, 0x1.47955dfe8632dp-2, 0x1.21b074eaf17f5p-2};
    const U64 du;
    const auto root = hn::Set(du, uint64_t{0x3FE6A09E667F3BCD});
    const auto one = hn::Set(du, uint64_t{0x3FF0000000000000});
    const auto fraction = hn::Set(du, uint64_t{0x000FFFFFFFFFFFFF});
    const auto bits = hn::Add(hn::BitCast(du, x), hn::Sub(one, root));
    const auto m = hn::BitCast(d, hn::Add(hn::And(bits, fraction), root));
    // The double 2^52 + v has v for its mantissa.
    const auto field = hn::Or(hn::ShiftRight<52>(bits),
                              hn::Set(du, uint64_t{0x4330000000000000}));
    const auto k = hn::Sub(hn::BitCast(d, field), hn::Set(d, 0x1p52 + 1023));
    const auto s =
        hn::Div(hn::Sub(m, hn::Set(d, 1.0)), hn::Add(m, hn::Set(d, 1.0)));
    return hn::MulAdd(s, Polynomial(d, hn::Mul(s, s), kLog2), k);
  }

  static HWY_INLINE hn::Vec<F64> Exp2(F64 d, hn::Vec<F64> x) {
    static constexpr double kExp2[] = {
        0x1.ffffffffabb97p-1,  0x1.62e42ff116340p-1, 0x1.ebfbe0a4c3876p-3,
        0x1.c6b08aaf25837p-5,  0x1.3b29dc3c951f6p-7, 0x1.5d8a7086eb319p-10,
        0x1.446a23540ea5ap-13, 0x1.fe17909f80d43p-17};
    const U64 du;
    const auto magic = hn::Set(d, 0x1.8p52);
    const auto sum = hn::Add(x, magic);
    const auto p = Polynomial(d, hn::Sub(x, hn::Sub(sum, magic)), kExp2);
    return hn::BitCast(d, hn::Add(hn::BitCast(du, p),
                                  hn::ShiftLeft<52>(hn::BitCast(du, sum))));
  }

  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x,
                                     hn::Vec<F64> y) const {
    const auto exponent = hn::Mul(y, Log2(d, x));
    return Exp2(
        d, hn::Min(hn::Set(d, 200.0), hn::Max(hn::Set(d, -200.0), exponent)));
  }
};

HWY_INLINE hn::Vec<F32> PowF32(F32 d, hn::Vec<F32> x, hn::Vec<F32> y) {
  const auto zero = hn::Zero(d);
  const auto one = hn::Set(d, 1.0f);
  const auto infinity = hn::Inf(d);
  const auto base = hn::Abs(x);
  auto result = InF64<PositivePower>(base, y);
  // Numbers of 2^24 or more, and infinities, are even integers.
  const auto y_half = hn::Mul(y, hn::Set(d, 0.5f));
  const auto is_integer = hn::Eq(hn::Round(y), y);
  const auto is_even = hn::Eq(hn::Round(y_half), y_half);
  const auto is_odd = hn::AndNot(is_even, is_integer);
  const auto is_ordinary =
      hn::And(hn::And(hn::Gt(base, zero), hn::Lt(base, infinity)),
              hn::Lt(hn::Abs(y), infinity));
  if (HWY_UNLIKELY(!hn::AllTrue(d, is_ordinary))) {
    const auto is_infinite = hn::Eq(hn::IfThenElseZero(hn::Gt(base, one), one),
                                    hn::IfThenElseZero(hn::Gt(y, zero), one));
    auto special = hn::IfThenElseZero(is_infinite, infinity);
    special =
        hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::NaN(d), special);
    // x^0 and 1^y are 1 whatever x and y are, and so is (-1)^inf.
    const auto is_one =
        hn::Or(hn::Eq(y, zero),
               hn::Or(hn::Eq(x, one), hn::And(hn::Eq(base, one), is_even)));
    special = hn::IfThenElse(is_one, one, special);
    result = hn::IfThenElse(is_ordinary, result, special);
  }
  result = hn::IfThenElse(is_odd, hn::CopySign(result, x), result);
  const auto is_invalid =
      hn::AndNot(is_integer, hn::And(hn::Lt(x, zero), hn::Lt(base, infinity)));
  return hn::IfThenElse(is_invalid, hn::NaN(d), result);
}

// ---------------------------------------------------------------------- Angles

struct SineAndCosine {
  // These are the sine and cosine of r, where x = n * pi / 2 + r and
  // |r| <= pi / 4.
  hn::Vec<F64> sine;
  hn::Vec<F64> cosine;
  // The low bits are those of n.
  hn::Vec<U64> quarter;
};

// This serves |x| < 2^20: n then has 20 bits, and the first part of pi / 2 has
// 31.
HWY_INLINE SineAndCosine SplitAngle(F64 d, hn::Vec<F64> x) {
  static constexpr double kSine[] = {
      1.0, -0x1.5555554c6ff76p-3, 0x1.1111086909689p-7, -0x1.a00f7e13357fap-13,
      0x1.6cd1b049c83fbp-19};
  static constexpr double kCosine[] = {
      1.0, -0x1.ffffffcb77faep-2, 0x1.55553c74bb880p-5, -0x1.6c07efe1a16eep-10,
      0x1.9916437a946b9p-16};
  const auto magic = hn::Set(d, 0x1.8p52);
  const auto sum = hn::MulAdd(x, hn::Set(d, 0x1.45f306dc9c883p-1), magic);
  const auto n = hn::Sub(sum, magic);
  auto r = hn::NegMulAdd(n, hn::Set(d, 0x1.921fb544p+0), x);
  r = hn::NegMulAdd(n, hn::Set(d, 0x1.0b4611a626331p-34), r);
  const auto square = hn::Mul(r, r);
  // The sine is a product because that keeps the sign of a zero.
  return {hn::Mul(r, Polynomial(d, square, kSine)),
          Polynomial(d, square, kCosine), hn::BitCast(U64(), sum)};
}

// Odd quarters exchange sine and cosine.
HWY_INLINE hn::Vec<F64> Choose(F64 d, hn::Vec<U64> quarter, hn::Vec<F64> odd,
                               hn::Vec<F64> even) {
  return hn::IfNegativeThenElse(hn::BitCast(d, hn::ShiftLeft<63>(quarter)), odd,
                                even);
}

// This is the sine of x + kQuarters * pi / 2; quarters 2 and 3 change the sign.
template <uint64_t kQuarters>
struct SineInF64 {
  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const {
    const U64 du;
    const SineAndCosine of = SplitAngle(d, x);
    const auto quarter = hn::Add(of.quarter, hn::Set(du, kQuarters));
    const auto sign = hn::ShiftLeft<63>(hn::ShiftRight<1>(quarter));
    return hn::Xor(Choose(d, quarter, of.cosine, of.sine),
                   hn::BitCast(d, sign));
  }
};

// The tangent is sin / cos, and -cos / sin in odd quarters.
struct TangentInF64 {
  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const {
    const SineAndCosine of = SplitAngle(d, x);
    const auto quotient = hn::Div(Choose(d, of.quarter, of.cosine, of.sine),
                                  Choose(d, of.quarter, of.sine, of.cosine));
    return hn::Xor(quotient, hn::BitCast(d, hn::ShiftLeft<63>(of.quarter)));
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_F32_BY_F64_INL_H_
