// This computes powers of f32.
//
// x^y = 2^(y log2(x)) is computed in f64, with fewer digits than f64 has:
// log2(x) has a relative error of 2^-37 and 2^r one of 2^-32, so that an f32
// result is off by 2^-6 units more than its rounding. f64's own function takes
// many times the arithmetic, and CUDA's function of f32 is off by up to 4
// units.
//
// There are no branches, so that the elements of a thread are computed
// together. The number of instructions limits the kernel, not the units that
// execute them: a conversion is one instruction, where moving bits would be
// three.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_POWER_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_POWER_H_

#include "backends/cuda/core/device.h"

namespace assay::cuda::ieee {

// The terms are 2 / (ln(2) n) for odd n up to 13, and ln(2)^n / n! for n up to
// 8.
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

// Returns the inverse of a normal number between 1 and 4, to two units.
ASSAY_DEVICE float NearInverse(float x) {
#ifdef __CUDACC__
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
#else
  return 1 / x;
#endif
}

// Returns x with another upper half.
ASSAY_DEVICE double WithUpper(double x, uint32_t upper) {
  return BitCast<double>((BitCast<uint64_t>(x) & 0xFFFFFFFF) | uint64_t{upper}
                                                                   << 32);
}
ASSAY_DEVICE uint32_t UpperOf(double x) {
  return static_cast<uint32_t>(BitCast<uint64_t>(x) >> 32);
}

// Returns log2(x) for x that is not negative. For infinity and 0 it returns
// about 1e300 and -1e300: their product with any number of f32 except 0 is
// beyond the range that Exp2 distinguishes.
ASSAY_DEVICE double Log2(float x) {
  // x is 2^exponent m, with m between sqrt(1/2) and sqrt(2).
  const bool is_small = x < 0x1p-126f;
  const float scaled = is_small ? x * 0x1p24f : x;
  const uint32_t above = BitCast<uint32_t>(scaled) - 0x3F3504F3;
  const int exponent =
      (static_cast<int32_t>(above) >> 23) - (is_small ? 24 : 0);
  const float m = BitCast<float>((above & 0x7FFFFF) + 0x3F3504F3);
  // log(m) is 2 atanh((m - 1) / (m + 1)); the quotient starts from an inverse
  // in f32.
  const double wide = m;
  const double sum = wide + 1;
  double inverse = NearInverse(m + 1);
  inverse = ::fma(inverse, ::fma(-sum, inverse, 1.0), inverse);
  const double q = (wide - 1) * inverse;
  // The exponent lies in the low bits of 2^52 + 2^31.
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

// Returns 2^x as an f64 in the range of f64; beyond 200 it is infinite or 0 in
// f32.
ASSAY_DEVICE double Exp2(double x) {
  const uint32_t upper = UpperOf(x);
  const bool is_far = (upper & 0x7FFFFFFF) > 0x40690000;
  x = WithUpper(x, is_far ? (upper & 0x80000000) | 0x40690000 : upper);
  // The sum has no bits for a fraction, and the whole number in its lowest
  // bits.
  const double shifted = x + 0x1.8p52;
  const double power = Polynomial(kExp2Terms, x - (shifted - 0x1.8p52));
  const auto whole = static_cast<uint32_t>(BitCast<uint64_t>(shifted));
  return WithUpper(power, UpperOf(power) + (whole << 20));
}

// This is the pow of IEEE 754-2019.
ASSAY_DEVICE float Pow(float x, float y) {
  constexpr float kMost = 0x1.fffffep127f;
  // For an infinite y the largest finite number gives the same result, and its
  // product with log2(1) is 0.
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

}  // namespace assay::cuda::ieee

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_POWER_H_
