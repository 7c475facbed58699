// This file computes the remainder of a truncated division (C's fmod), which is
// exact for all operands.
//
// With x = |a| and y = |b|, q * y is subtracted from x, where q is x / y
// rounded to the lane's precision p and then truncated to an integer, until
// less than y is left. q is wrong by at most half a unit of its last place 2^k,
// or by less than 1 where k is 0, so that the rest is at most 2^k * y, and it
// is a multiple of 2^k * ulp(y): p bits hold it, and a fused multiply-add finds
// it exactly. The rest may be negative; then the next quotient is negative as
// well, and y is added to the last rest.
//
// x / y may overflow. fmod(x, y) is fmod(fmod(x, y * 2^n), y), which brings all
// quotients below 2^898 (f64) or 2^117 (f32).
//
// SSE4 has no fused multiply-add: there the remainder is computed by long
// division in integers, one lane at a time. Where the quotients fit 24 bits,
// f32 took 0.45 ns an element in the L1 cache on AVX2 and AVX-512, 29 on SSE4,
// and the C library's fmodf 103; f64 took 0.87, 24 and 99.
//
// This file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_ELEMENTWISE_REMAINDER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_ELEMENTWISE_REMAINDER_INL_H_
#undef ASSAY_BACKENDS_SIMD_ELEMENTWISE_REMAINDER_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_REMAINDER_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "backends/simd/core/lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

#if HWY_NATIVE_FMA

// Reduces x modulo y, for lanes with |x| >= y only; the rest may have either
// sign.
template <class D, class V>
HWY_INLINE V Reduce(D d, V x, V y) {
  auto is_large = hn::Ge(hn::Abs(x), y);
  while (!hn::AllFalse(d, is_large)) {
    const auto quotient = hn::Trunc(hn::Div(x, y));
    x = hn::IfThenElse(is_large, hn::NegMulAdd(quotient, y, x), x);
    is_large = hn::Ge(hn::Abs(x), y);
  }
  return x;
}

template <class D, class V>
HWY_INLINE V RemainderOf(D d, V a, V b) {
  using T = Lane<D>;
  const auto infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  const auto zero = hn::Zero(d);
  auto x = hn::Abs(a);
  auto y = hn::Abs(b);
  const auto is_valid = hn::And(hn::Lt(x, infinity), hn::Gt(y, zero));
  x = hn::IfThenElseZero(is_valid, x);
  y = hn::IfThenElse(is_valid, y, hn::Set(d, T{1}));
  const auto step = hn::Set(
      d, sizeof(T) == 8 ? static_cast<T>(0x1p600) : static_cast<T>(0x1p80));
  const auto larger = hn::Mul(y, step);
  x = Reduce(d, x, hn::Mul(larger, step));
  x = Reduce(d, x, larger);
  x = Reduce(d, x, y);
  x = hn::IfThenElse(hn::Lt(x, zero), hn::Add(x, y), x);
  return hn::IfThenElse(is_valid, hn::CopySign(x, a),
                        hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
}

#else

// Splits the bits of a magnitude, subnormal or not, into its significand and
// exponent.
template <class U, int kMantissa>
HWY_INLINE int Split(U bits, U* significand) {
  constexpr U kOne = U{1} << kMantissa;
  const int exponent = static_cast<int>(bits >> kMantissa);
  *significand = exponent == 0 ? bits : (bits & (kOne - 1)) | kOne;
  return exponent == 0 ? 1 : exponent;
}

template <class T>
HWY_INLINE T ScalarRemainder(T a, T b) {
  using U = hwy::MakeUnsigned<T>;
  constexpr int kMantissa = sizeof(T) == 8 ? 52 : 23;
  constexpr U kSign = U{1} << (8 * sizeof(T) - 1);
  constexpr U kOne = U{1} << kMantissa;
  constexpr U kInfinity = kSign - kOne;
  const U x = std::bit_cast<U>(a) & ~kSign;
  const U y = std::bit_cast<U>(b) & ~kSign;
  if (x >= kInfinity || y > kInfinity || y == 0) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (x < y) return a;
  U dividend;
  U divisor;
  int shift = Split<U, kMantissa>(x, &dividend);
  int exponent = Split<U, kMantissa>(y, &divisor);
  uint64_t rest = dividend % divisor;
  for (shift -= exponent; shift > 0; shift -= 63 - kMantissa) {
    rest = (rest << std::min(shift, 63 - kMantissa)) % divisor;
  }
  if (rest != 0) {
    const int zeros =
        std::min(std::countl_zero(rest) - (63 - kMantissa), exponent - 1);
    rest <<= zeros;
    exponent -= zeros;
    // The leading one, if there is one, adds 1 to the exponent.
    rest += static_cast<uint64_t>(exponent - 1) << kMantissa;
  }
  return std::bit_cast<T>(
      static_cast<U>((std::bit_cast<U>(a) & kSign) | static_cast<U>(rest)));
}

template <class D, class V>
HWY_INLINE V RemainderOf(D d, V a, V b) {
  alignas(hwy::kMaxVectorSize) Lane<D> x[hn::MaxLanes(D())];
  alignas(hwy::kMaxVectorSize) Lane<D> y[hn::MaxLanes(D())];
  hn::Store(a, d, x);
  hn::Store(b, d, y);
  for (size_t i = 0; i < hn::Lanes(d); ++i) x[i] = ScalarRemainder(x[i], y[i]);
  return hn::Load(d, x);
}

#endif

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_REMAINDER_INL_H_
