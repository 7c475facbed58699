// This file computes exp, expm1 and tanh of f32 and f64, by x = n * ln(2) + r
// with |r| <= ln(2) / 2.
//
// The polynomials are minimax ones in the relative error of the function they
// make, rounded to the lane type: q(r) = e^r - 1 to 2^-31 (f32) and 2^-58
// (f64), tanh(a) up to 0.56 to 2^-29. Without a fused multiply-add n * ln(2)
// has to be subtracted in two parts of which the first one has exact products;
// the other targets use the same constants.
//
// This file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_ELEMENTWISE_EXP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_ELEMENTWISE_EXP_INL_H_
#undef ASSAY_BACKENDS_SIMD_ELEMENTWISE_EXP_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_EXP_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <iterator>

#include "backends/simd/core/lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr int kMantissa = 23;
  static constexpr int kBias = 127;
  static constexpr float kMagic = 0x1.8p23f;
  static constexpr float kLog2E = 0x1.715476p+0f;
  static constexpr float kLn2High = 0x1.63p-1f;  // 9 bits.
  static constexpr float kLn2Low = -0x1.bd0106p-13f;
  // exp is normal up to kNormal and down to -kNormal, 0 below kZero, infinite
  // above kInfinity; expm1 is -1 below kMinusOne.
  static constexpr float kNormal = 87;
  static constexpr float kZero = -104;
  static constexpr float kInfinity = 89;
  static constexpr float kMinusOne = -30;
  // These are the coefficients of (q(r) - r) / r^2 from the highest power on.
  static constexpr float kQ[] = {0x1.a2a39cp-13f, 0x1.6d8398p-10f,
                                 0x1.11101ep-7f,  0x1.55549ep-5f,
                                 0x1.555556p-3f,  0x1p-1f};
};

template <>
struct ExpConstants<double> {
  static constexpr int kMantissa = 52;
  static constexpr int kBias = 1023;
  static constexpr double kMagic = 0x1.8p52;
  static constexpr double kLog2E = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42feep-1;  // 32 bits.
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kNormal = 708;
  static constexpr double kZero = -746;
  static constexpr double kInfinity = 710;
  static constexpr double kMinusOne = -60;
  static constexpr double kQ[] = {
      0x1.e630231c22fd3p-30, 0x1.af4dd07009ae2p-26, 0x1.280224d2d6e41p-22,
      0x1.71de023f33d58p-19, 0x1.a019f39735c88p-16, 0x1.a01a01abe30fap-13,
      0x1.6c16c16f0a167p-10, 0x1.11111111100e6p-7,  0x1.5555555554d3dp-5,
      0x1.5555555555557p-3,  0x1.0000000000001p-1};
};

template <class D>
struct ExpParts {
  hn::Vec<D> n;                             // An integer.
  hn::Vec<hn::RebindToSigned<D>> exponent;  // n in the exponent's place.
  hn::Vec<D> q;                             // This is e^r - 1.
};

// Splits an x of ordinary size. Adding 1.5 * 2^23 (2^52) rounds to an integer,
// which is then in the sum's low bits. `kExact` adds the part that is rounded
// off r to q: half of r's ulp is a whole ulp of expm1(0.35), which is 2 * q +
// 1.
template <bool kExact, class D, class V>
HWY_INLINE ExpParts<D> SplitExp(D d, V x) {
  using C = ExpConstants<Lane<D>>;
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, C::kMagic);
  const V sum = hn::MulAdd(x, hn::Set(d, C::kLog2E), magic);
  const V n = hn::Sub(sum, magic);
  const V ln2_low = hn::Set(d, C::kLn2Low);
  const V high = hn::NegMulAdd(n, hn::Set(d, C::kLn2High), x);
  const V r = hn::NegMulAdd(n, ln2_low, high);
  V p = hn::Set(d, C::kQ[0]);
  for (size_t i = 1; i < std::size(C::kQ); ++i) {
    p = hn::MulAdd(p, r, hn::Set(d, C::kQ[i]));
  }
  const V square = hn::Mul(r, r);
  V q;
  if constexpr (kExact) {
    const V lost = hn::NegMulAdd(n, ln2_low, hn::Sub(high, r));
    q = hn::Add(r, hn::MulAdd(square, p, lost));
  } else {
    q = hn::MulAdd(square, p, r);
  }
  return {n, hn::ShiftLeft<C::kMantissa>(hn::BitCast(di, sum)), q};
}

// A NaN is kept, because the processor's minimum and maximum return the second
// operand if one is NaN.
template <class D, class V>
HWY_INLINE V ClampKeepingNan(D d, Lane<D> low, V x, Lane<D> high) {
  return hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), x));
}

// This serves results that are normal numbers.
template <class D, class V>
HWY_INLINE V NormalExp(D d, V x) {
  const hn::RebindToSigned<D> di;
  const auto parts = SplitExp<false>(d, x);
  const V p = hn::Add(hn::Set(d, Lane<D>{1}), parts.q);
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), parts.exponent));
}

// Where the result may not be normal, 2^n is two factors, of which only the
// second one can round. Beyond the bounds the result is 0 or infinity already.
template <class D, class V>
HWY_INLINE V ExpOf(D d, V x) {
  using C = ExpConstants<Lane<D>>;
  const hn::RebindToSigned<D> di;
  const auto is_normal = hn::Lt(hn::Abs(x), hn::Set(d, C::kNormal));
  if (HWY_LIKELY(hn::AllTrue(d, is_normal))) return NormalExp(d, x);
  const auto parts =
      SplitExp<false>(d, ClampKeepingNan(d, C::kZero, x, C::kInfinity));
  const auto n = hn::ShiftRight<C::kMantissa>(parts.exponent);
  const auto half = hn::ShiftRight<1>(n);
  const auto power = [d, di](auto exponent) HWY_ATTR {
    const auto biased = hn::Add(exponent, Constant(di, C::kBias));
    return hn::BitCast(d, hn::ShiftLeft<C::kMantissa>(biased));
  };
  const V p = hn::Add(hn::Set(d, Lane<D>{1}), parts.q);
  return hn::Mul(hn::Mul(p, power(half)), power(hn::Sub(n, half)));
}

// The result is 2^n * q + (2^n - 1), halved so that 2^n does not overflow
// before the result does. Where n is 0 the result is q, and its halves could be
// subnormal.
template <class D, class V>
HWY_INLINE V Expm1Of(D d, V x) {
  using C = ExpConstants<Lane<D>>;
  const hn::RebindToSigned<D> di;
  const V one_half = hn::Set(d, static_cast<Lane<D>>(0.5));
  const auto parts =
      SplitExp<true>(d, ClampKeepingNan(d, C::kMinusOne, x, C::kInfinity));
  const V scale =
      hn::BitCast(d, hn::Add(parts.exponent, hn::BitCast(di, one_half)));
  const V half = hn::MulAdd(parts.q, scale, hn::Sub(scale, one_half));
  const auto is_small = hn::Eq(parts.n, hn::Zero(d));
  return hn::CopySign(hn::IfThenElse(is_small, parts.q, hn::Add(half, half)),
                      x);
}

// The result is E / (E + 2) with E = expm1(2 * |x|), and 1 from 19.1 on.
template <class D, class V>
HWY_INLINE V TanhF64(D d, V x) {
  const V a = hn::Min(hn::Set(d, 20.0), hn::Abs(x));
  const V e = Expm1Of(d, hn::Add(a, a));
  return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, 2.0))), x);
}

// The result is a polynomial up to 0.56, 1 - 2 / (exp(2 * |x|) + 1) above, and
// 1 from 9.01 on.
template <class D, class V>
HWY_INLINE V TanhF32(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V two = hn::Set(d, 2.0f);
  const V a = hn::Min(hn::Set(d, 10.0f), hn::Abs(x));
  const V e = NormalExp(d, hn::Add(a, a));
  const V large = hn::Sub(one, hn::Div(two, hn::Add(e, one)));
  const V y = hn::Mul(a, a);
  V p = hn::Set(d, -0x1.963d42p-8f);
  p = hn::MulAdd(p, y, hn::Set(d, 0x1.586694p-6f));
  p = hn::MulAdd(p, y, hn::Set(d, -0x1.b90fcp-5f));
  p = hn::MulAdd(p, y, hn::Set(d, 0x1.110c98p-3f));
  p = hn::MulAdd(p, y, hn::Set(d, -0x1.555548p-2f));
  const V small = hn::MulAdd(hn::Mul(a, y), p, a);
  // Only the polynomial keeps a NaN.
  const auto is_large = hn::Ge(a, hn::Set(d, 0.56f));
  return hn::CopySign(hn::IfThenElse(is_large, large, small), x);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_EXP_INL_H_
