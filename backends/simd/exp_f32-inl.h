// exp, expm1 and tanh of f32, by x = n * ln(2) + r with |r| <= ln(2) / 2.
//
// The polynomials are minimax ones in the relative error of the function they
// make, rounded to f32: q(r) = e^r - 1 to 2^-31, tanh(a) up to 0.56 to 2^-29.
// Without a fused multiply-add n * ln(2) has to be taken off in two parts of
// which the first one, with 9 bits, has exact products; the other targets use
// the same constants.
//
// Included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_EXP_F32_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_EXP_F32_INL_H_
#undef ASSAY_BACKENDS_SIMD_EXP_F32_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_EXP_F32_INL_H_
#endif

#include <stdint.h>

#include "backends/simd/lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<int32_t>;

struct ExpParts {
  hn::Vec<F32> n;         // An integer.
  hn::Vec<I32> exponent;  // n in the place of f32's exponent.
  hn::Vec<F32> q;         // e^r - 1.
};

// For |x| < 2^22 * ln(2). Adding 1.5 * 2^23 rounds to an integer, which is then
// in the sum's low bits.
HWY_INLINE ExpParts SplitExp(F32 d, hn::Vec<F32> x) {
  const auto magic = hn::Set(d, 0x1.8p23f);
  const auto sum = hn::MulAdd(x, hn::Set(d, 0x1.715476p+0f), magic);
  const auto n = hn::Sub(sum, magic);
  auto r = hn::NegMulAdd(n, hn::Set(d, 0x1.63p-1f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -0x1.bd0106p-13f), r);
  auto p = hn::Set(d, 0x1.a2a39cp-13f);
  p = hn::MulAdd(p, r, hn::Set(d, 0x1.6d8398p-10f));
  p = hn::MulAdd(p, r, hn::Set(d, 0x1.11101ep-7f));
  p = hn::MulAdd(p, r, hn::Set(d, 0x1.55549ep-5f));
  p = hn::MulAdd(p, r, hn::Set(d, 0x1.555556p-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5f));
  const auto q = hn::MulAdd(hn::Mul(r, r), p, r);
  return {n, hn::ShiftLeft<23>(hn::BitCast(I32(), sum)), q};
}

// A NaN stays: the processor's minimum and maximum give the second operand
// then.
HWY_INLINE hn::Vec<F32> ClampKeepingNan(F32 d, float low, hn::Vec<F32> x,
                                        float high) {
  return hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), x));
}

// For results that are normal numbers.
HWY_INLINE hn::Vec<F32> NormalExp(F32 d, hn::Vec<F32> x) {
  const ExpParts parts = SplitExp(d, x);
  const auto p = hn::Add(hn::Set(d, 1.0f), parts.q);
  return hn::BitCast(d, hn::Add(hn::BitCast(I32(), p), parts.exponent));
}

// Elsewhere 2^n is two factors, of which only the second one can round. Beyond
// the bounds the result is 0 or infinity already.
HWY_INLINE hn::Vec<F32> ExpF32(F32 d, hn::Vec<F32> x) {
  const auto is_normal = hn::Lt(hn::Abs(x), hn::Set(d, 87.0f));
  if (HWY_LIKELY(hn::AllTrue(d, is_normal))) return NormalExp(d, x);
  const ExpParts parts = SplitExp(d, ClampKeepingNan(d, -104.0f, x, 89.0f));
  const auto n = hn::ShiftRight<23>(parts.exponent);
  const auto half = hn::ShiftRight<1>(n);
  const auto power = [d](hn::Vec<I32> exponent) HWY_ATTR {
    return hn::BitCast(
        d, hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(I32(), 127))));
  };
  const auto p = hn::Add(hn::Set(d, 1.0f), parts.q);
  return hn::Mul(hn::Mul(p, power(half)), power(hn::Sub(n, half)));
}

// 2^n * q + (2^n - 1), halved so that 2^n does not overflow before the result
// does. Where n is 0, q is all of it, and the halves could be subnormal.
HWY_INLINE hn::Vec<F32> Expm1F32(F32 d, hn::Vec<F32> x) {
  const ExpParts parts = SplitExp(d, ClampKeepingNan(d, -30.0f, x, 89.0f));
  const auto scale = hn::BitCast(
      d, hn::Add(parts.exponent, hn::BitCast(I32(), hn::Set(d, 0.5f))));
  const auto half =
      hn::MulAdd(parts.q, scale, hn::Sub(scale, hn::Set(d, 0.5f)));
  const auto is_small = hn::Eq(parts.n, hn::Zero(d));
  return hn::CopySign(hn::IfThenElse(is_small, parts.q, hn::Add(half, half)),
                      x);
}

// A polynomial up to 0.56, else 1 - 2 / (exp(2 * |x|) + 1); 1 from 9.01 on.
HWY_INLINE hn::Vec<F32> TanhF32(F32 d, hn::Vec<F32> x) {
  const auto one = hn::Set(d, 1.0f);
  const auto two = hn::Set(d, 2.0f);
  const auto a = hn::Min(hn::Set(d, 10.0f), hn::Abs(x));
  const auto e = NormalExp(d, hn::Add(a, a));
  const auto large = hn::Sub(one, hn::Div(two, hn::Add(e, one)));
  const auto y = hn::Mul(a, a);
  auto p = hn::Set(d, -0x1.963d42p-8f);
  p = hn::MulAdd(p, y, hn::Set(d, 0x1.586694p-6f));
  p = hn::MulAdd(p, y, hn::Set(d, -0x1.b90fcp-5f));
  p = hn::MulAdd(p, y, hn::Set(d, 0x1.110c98p-3f));
  p = hn::MulAdd(p, y, hn::Set(d, -0x1.555548p-2f));
  const auto small = hn::MulAdd(hn::Mul(a, y), p, a);
  // NaN stays one in the polynomial only.
  const auto is_large = hn::Ge(a, hn::Set(d, 0.56f));
  return hn::CopySign(hn::IfThenElse(is_large, large, small), x);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_EXP_F32_INL_H_
