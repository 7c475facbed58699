// This computes atan2 of complex numbers: -i log(w) with w = (x + i y) /
// sqrt(x^2 + y^2), the principal values of both.
//
// With p = x + i y and m = x - i y, w^2 is p / m: that gives the result up to a
// multiple of pi, without cancellation. The multiple follows from the arguments
// of p and of p m = x^2 + y^2, which need be known only roughly but on the
// right side of their cuts. So the imaginary parts of p m and of p / m are sums
// of products whose signs must be right for operands of any exponents: they are
// exact, with exponents of their own. f32 is computed as f64 is.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_ARC_TANGENT_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_ARC_TANGENT_H_

#include "backends/cuda/elementwise/complex_number.h"

namespace assay::cuda {

// The number is value 2^exponent.
struct ScaledNumber {
  DoubleDouble value;
  int exponent;
};

// Returns a + b, exact except for bits that count less than 2^-1000.
ASSAY_DEVICE ScaledNumber ScaledSum(double a, double b) {
  if (::fmax(::fabs(a), ::fabs(b)) < 0x1p1000) return {TwoSum(a, b), 0};
  return {TwoSum(a / 4, b / 4), 2};
}

ASSAY_DEVICE ScaledNumber ScaledProduct(double a, double b) {
  const int of_a = ExponentOf(a);
  const int of_b = ExponentOf(b);
  return {TwoProduct(a * PowerOfTwo(-of_a), b * PowerOfTwo(-of_b)),
          of_a + of_b};
}

// Returns a b + c d.
ASSAY_NOINLINE ScaledNumber ScaledSumOfProducts(double a, double b, double c,
                                                double d) {
  ScaledNumber first = ScaledProduct(a, b);
  ScaledNumber second = ScaledProduct(c, d);
  if (first.value.hi == 0) return second;
  if (second.value.hi == 0) return first;
  const int exponent =
      first.exponent > second.exponent ? first.exponent : second.exponent;
  first.value = TimesPowerOfTwo(first.value, first.exponent - exponent);
  second.value = TimesPowerOfTwo(second.value, second.exponent - exponent);
  double terms[] = {first.value.lo, second.value.lo, second.value.hi,
                    first.value.hi};
  return {ExactSum(terms), exponent};
}

// Returns (real, imag) divided by 2^*exponent, with a larger part near 1.
ASSAY_DEVICE Complex<DoubleDouble> Normalised(const ScaledNumber& real,
                                              const ScaledNumber& imag,
                                              int* exponent) {
  const int of_real = real.exponent + ExponentOf(real.value.hi);
  const int of_imag = imag.exponent + ExponentOf(imag.value.hi);
  *exponent = of_real > of_imag ? of_real : of_imag;
  return {TimesPowerOfTwo(real.value, real.exponent - *exponent),
          TimesPowerOfTwo(imag.value, imag.exponent - *exponent)};
}

ASSAY_DEVICE DoubleDouble NormOf(const Complex<DoubleDouble>& z) {
  return z.real * z.real + z.imag * z.imag;
}

ASSAY_NOINLINE Complex<double> ArcTangent2(const Complex<double>& y,
                                           const Complex<double>& x) {
  int of_p;
  int of_m;
  const Complex<DoubleDouble> p =
      Normalised(ScaledSum(x.real, -y.imag), ScaledSum(x.imag, y.real), &of_p);
  const Complex<DoubleDouble> m =
      Normalised(ScaledSum(x.real, y.imag), ScaledSum(x.imag, -y.real), &of_m);

  // The excess is |p|^2 / |m|^2 - 1. It is not used if it is near -1 or large.
  const DoubleDouble norm = NormOf(m);
  const ScaledNumber difference =
      ScaledSumOfProducts(x.imag, y.real, -x.real, y.imag);
  const DoubleDouble excess =
      TimesPowerOfTwo(difference.value, difference.exponent + 2 - 2 * of_m) /
      norm;
  const DoubleDouble ln4 = {0x1.62e42fefa39efp+0, 0x1.abc9e3b39803fp-55};
  const DoubleDouble log_ratio =
      excess.hi > -0.5 && excess.hi < 1
          ? LogPlusOne(excess)
          : Log(NormOf(p) / norm) + static_cast<double>(of_p - of_m) * ln4;

  // This is half the angle of p / m, or of p times the conjugate of m, which is
  // the same.
  const ScaledNumber inner =
      ScaledSumOfProducts(x.real, y.real, x.imag, y.imag);
  const int unit = 1 - of_p - of_m;
  const DoubleDouble real = p.real * m.real;
  const DoubleDouble imag = p.imag * m.imag;
  const DoubleDouble half =
      0.5 *
      ATan2(TimesPowerOfTwo(inner.value, inner.exponent + unit), real + imag);

  const ScaledNumber cross =
      ScaledSumOfProducts(x.real, x.imag, y.real, y.imag);
  const double of_root =
      ATan2(TimesPowerOfTwo(cross.value.hi, cross.exponent + unit),
            (real - imag).hi) /
      2;
  const double rough = ATan2(p.imag.hi, p.real.hi) - of_root;
  const double distance = ::fabs(rough - half.hi);
  DoubleDouble angle = half;
  if (distance > 1.5 && distance < 4.5) {
    // w is in the left half-plane, above the real axis if w^2 is below it. For
    // a w on an axis no side is wrong, but angles end at pi.
    const double side = inner.value.hi != 0 ? -inner.value.hi
                        : half.hi != 0      ? -half.hi
                                            : rough;
    const bool is_above = side > 0;
    const DoubleDouble pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    angle = is_above ? half + pi : half - pi;
  }
  return {angle.hi, -log_ratio.hi / 4};
}

template <class T>
ASSAY_DEVICE Complex<T> ComplexAtan2(const Complex<T>& y, const Complex<T>& x) {
  return ConvertComplex<T>(
      ArcTangent2(ConvertComplex<double>(y), ConvertComplex<double>(x)));
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_ARC_TANGENT_H_
