// These numbers of about 106 bits are sums of two doubles, of which the second
// is at most half a unit in the last place of the first. GPUs have no wider
// type.
//
// Only IEEE 754 operations and fma are used, each rounded to nearest, so that a
// GPU and the host get the same bits; a compiler must not contract products and
// sums. The exponents are those of double: squares have to be scaled before,
// and below 2^-969 a product loses bits of its second part. If a first part is
// not finite, the second one may be anything.
//
// Errors below are relative to the result, with u = 2^-53, from Joldes, Muller
// and Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic" (2017).
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_DOUBLE_DOUBLE_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_DOUBLE_DOUBLE_H_

#include "backends/cuda/core/device.h"

namespace assay::cuda {

struct DoubleDouble {
  double hi;
  double lo = 0;
};

// ------------------------------------------------------------ Exact operations

ASSAY_DEVICE DoubleDouble TwoSum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// This needs |a| >= |b|, or a = 0.
ASSAY_DEVICE DoubleDouble FastTwoSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

ASSAY_DEVICE DoubleDouble TwoProduct(double a, double b) {
  const double product = a * b;
  return {product, ::fma(a, b, -product)};
}

// ------------------------------------------------------------------ Arithmetic

ASSAY_DEVICE DoubleDouble operator-(const DoubleDouble& a) {
  return {-a.hi, -a.lo};
}

// The error is at most 2 u^2.
ASSAY_DEVICE DoubleDouble operator+(const DoubleDouble& a, double b) {
  const DoubleDouble sum = TwoSum(a.hi, b);
  return FastTwoSum(sum.hi, sum.lo + a.lo);
}

ASSAY_DEVICE DoubleDouble operator+(double a, const DoubleDouble& b) {
  return b + a;
}

ASSAY_DEVICE DoubleDouble operator-(const DoubleDouble& a, double b) {
  return a + -b;
}

ASSAY_DEVICE DoubleDouble operator-(double a, const DoubleDouble& b) {
  return -b + a;
}

// The error is little more than 3 u^2, also where a and b cancel.
ASSAY_DEVICE DoubleDouble operator+(const DoubleDouble& a,
                                    const DoubleDouble& b) {
  const DoubleDouble high = TwoSum(a.hi, b.hi);
  const DoubleDouble low = TwoSum(a.lo, b.lo);
  const DoubleDouble sum = FastTwoSum(high.hi, high.lo + low.hi);
  return FastTwoSum(sum.hi, sum.lo + low.lo);
}

ASSAY_DEVICE DoubleDouble operator-(const DoubleDouble& a,
                                    const DoubleDouble& b) {
  return a + -b;
}

// The error is at most 2 u^2.
ASSAY_DEVICE DoubleDouble operator*(const DoubleDouble& a, double b) {
  const DoubleDouble product = TwoProduct(a.hi, b);
  return FastTwoSum(product.hi, ::fma(a.lo, b, product.lo));
}

ASSAY_DEVICE DoubleDouble operator*(double a, const DoubleDouble& b) {
  return b * a;
}

// The error is at most 6 u^2.
ASSAY_DEVICE DoubleDouble operator*(const DoubleDouble& a,
                                    const DoubleDouble& b) {
  const DoubleDouble product = TwoProduct(a.hi, b.hi);
  const double cross = ::fma(a.hi, b.lo, a.lo * b.hi);
  return FastTwoSum(product.hi, product.lo + cross);
}

// The error is at most 15 u^2: the remainder of the quotient of the first parts
// is divided once more.
ASSAY_DEVICE DoubleDouble operator/(const DoubleDouble& a,
                                    const DoubleDouble& b) {
  const double quotient = a.hi / b.hi;
  const DoubleDouble product = TwoProduct(quotient, b.hi);
  const double rest =
      ((a.hi - product.hi) - product.lo) + ::fma(-quotient, b.lo, a.lo);
  return FastTwoSum(quotient, rest / b.hi);
}

ASSAY_DEVICE DoubleDouble operator/(double a, const DoubleDouble& b) {
  return DoubleDouble{a} / b;
}

// x is positive.
ASSAY_DEVICE DoubleDouble Sqrt(const DoubleDouble& x) {
  const double root = ::sqrt(x.hi);
  const double rest = ::fma(-root, root, x.hi) + x.lo;
  return FastTwoSum(root, rest / (2 * root));
}

// The product is rounded to double once, and overflows to infinity.
ASSAY_DEVICE double RoundedProduct(double a, double b) { return a * b; }
ASSAY_DEVICE double RoundedProduct(const DoubleDouble& a,
                                   const DoubleDouble& b) {
  const double product = a.hi * b.hi;
  // The products with second parts may be infinite as well, of either sign.
  if (::fabs(product) == HUGE_VAL) return product;
  return ::fma(a.hi, b.hi, ::fma(a.hi, b.lo, a.lo * b.hi));
}

// With these overloads, formulas can be written for either type.
ASSAY_DEVICE double Rounded(double x) { return x; }
ASSAY_DEVICE double Rounded(const DoubleDouble& x) { return x.hi; }

// Returns the sum of `terms`. Its error is a few units of u^2 however much the
// terms cancel: a pass leaves the rounded sum in the last term and the errors
// in the others, which are summed in their turn. As many passes as there are
// sums leave terms that do not overlap.
template <int kTerms>
ASSAY_DEVICE DoubleDouble ExactSum(double (&terms)[kTerms]) {
  ASSAY_UNROLL
  for (int pass = 1; pass < kTerms; ++pass) {
    ASSAY_UNROLL
    for (int i = 1; i < kTerms; ++i) {
      const DoubleDouble sum = TwoSum(terms[i], terms[i - 1]);
      terms[i] = sum.hi;
      terms[i - 1] = sum.lo;
    }
  }
  double rest = terms[0];
  ASSAY_UNROLL
  for (int i = 1; i < kTerms - 1; ++i) rest += terms[i];
  return FastTwoSum(terms[kTerms - 1], rest);
}

// -------------------------------------------------------------- Powers of two

// Returns 2^exponent, for -1022 <= exponent <= 1023.
ASSAY_DEVICE double PowerOfTwo(int exponent) {
  return BitCast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

// Returns the e of 2^e <= |x| < 2^(e+1), but not less than -1022 and not more
// than 1022, so that PowerOfTwo accepts both e and -e.
ASSAY_DEVICE int ExponentOf(double x) {
  const int biased = static_cast<int>(BitCast<uint64_t>(x) >> 52) & 0x7ff;
  return biased < 1 ? -1022 : biased > 2045 ? 1022 : biased - 1023;
}

// Returns x 2^exponent, rounded once if the result is subnormal and x is not:
// the first factor does not make it subnormal, unless the result is zero.
ASSAY_DEVICE double TimesPowerOfTwo(double x, int exponent) {
  const int limited = exponent < -2044  ? -2044
                      : exponent > 2044 ? 2044
                                        : exponent;
  const int half = limited / 2;
  return x * PowerOfTwo(half) * PowerOfTwo(limited - half);
}

ASSAY_DEVICE DoubleDouble TimesPowerOfTwo(const DoubleDouble& x, int exponent) {
  return {TimesPowerOfTwo(x.hi, exponent), TimesPowerOfTwo(x.lo, exponent)};
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_DOUBLE_DOUBLE_H_
