// These are complex functions, ComplexLog(z) and the like, of Complex<float>
// and Complex<double>. This file has the exponential, trigonometric and
// hyperbolic ones, by formulas in which sums cancel only if the other part is
// larger.
//
// f32 is computed in double with the functions of the mathematics library,
// whose errors of two units of double do not matter in f32. f64 is computed in
// sums of two doubles, not because formulas would cancel, but because library
// functions with errors of up to two units each (CUDA's bound for sine and
// cosine), multiplied, would leave no room in a budget of four; so only the
// last rounding counts, and it depends on no library. If a part of an operand
// or of a result is not finite, any part of a result may be not finite.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_FUNCTIONS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_FUNCTIONS_H_

#include "backends/cuda/elementwise/complex_arc_tangent.h"
#include "backends/cuda/elementwise/complex_logarithm.h"
#include "backends/cuda/elementwise/complex_number.h"

namespace assay::cuda {

// Beyond this, to 2^-115, cosh(x) and |sinh(x)| are exp(|x|) / 2, tanh(x) is 1
// or -1, and 1 + exp(x) is exp(x) or 1.
inline constexpr double kSaturation = 40;

// ---------------------------------------------------------------- Exponentials

// exp(x) is the square of exp(x / 2), so that it neither overflows nor is
// subnormal before it is multiplied. For |x| > 1400 the results are infinite or
// zero in any case.
template <class T>
ASSAY_NOINLINE Complex<T> ComplexExponential(const Complex<T>& z) {
  using W = Wide<T>;
  const W half = Exp(W{Clamped(z.real, -1400, 1400) / 2});
  const auto [sine, cosine] = SinCos(W{z.imag});
  return {static_cast<T>(RoundedProduct(half * cosine, half)),
          static_cast<T>(RoundedProduct(half * sine, half))};
}

// Returns 1 - cos(x), without cancellation.
template <class W>
ASSAY_DEVICE W OneMinusCosine(const W& sine, const W& cosine) {
  if (Rounded(cosine) < 0) return 1.0 - cosine;
  return sine * sine / (1.0 + cosine);
}

// With e = exp(x) - 1 the parts are e cos(y) - (1 - cos(y)) and (1 + e) sin(y).
// Where the real part cancels, near 2 pi i k, the imaginary part is larger.
template <class T>
ASSAY_NOINLINE Complex<T> ComplexExponentialMinusOne(const Complex<T>& z) {
  using W = Wide<T>;
  if (z.real > 100) return ComplexExponential(z);
  const W excess = ExpMinusOne(W{Clamped(z.real, -100, 100)});
  const auto [sine, cosine] = SinCos(W{z.imag});
  const W real = excess * cosine - OneMinusCosine(sine, cosine);
  const W imag = (1.0 + excess) * sine;
  return {static_cast<T>(Rounded(real)), static_cast<T>(Rounded(imag))};
}

// Returns 1 / (1 + exp(-z)). With e = exp(-x) - 1 the parts of the denominator
// are 1 + cos(y) + e cos(y) and -(1 + e) sin(y); near a pole, where the real
// part cancels, the imaginary part is larger.
template <class T>
ASSAY_NOINLINE Complex<T> ComplexLogistic(const Complex<T>& z) {
  using W = Wide<T>;
  if (z.real < -2 * kSaturation) return ComplexExponential(z);
  const W excess = ExpMinusOne(W{Clamped(-z.real, -100, 100)});
  const auto [sine, cosine] = SinCos(W{z.imag});
  const W real = OneMinusCosine(sine, -cosine) + excess * cosine;
  const W imag = (1.0 + excess) * sine;
  const W norm = real * real + imag * imag;
  return {static_cast<T>(Rounded(real / norm)),
          static_cast<T>(Rounded(imag / norm))};
}

// ---------------------------------------------------- Hyperbolic and circular

// sinh(x) is sinh * scale, and cosh(x) is cosh * scale.
template <class W>
struct HyperbolicPair {
  W sinh;
  W cosh;
  W scale;
};

template <class W>
ASSAY_NOINLINE HyperbolicPair<W> SinhCosh(double x) {
  const double size = ::fabs(x);
  const double sign = ::copysign(1.0, x);
  if (size > kSaturation) {
    const W half = Exp(W{Clamped(size, 0, 1400) / 2});
    return {sign * half, half, 0.5 * half};
  }
  const W excess = ExpMinusOne(W{size});
  const W inverse = 1.0 / (1.0 + excess);
  return {sign * (excess * (1.0 + inverse)), 1.0 + excess + inverse, W{0.5}};
}

// Returns a cosh(y) + i b sinh(y).
template <class T, class W>
ASSAY_NOINLINE Complex<T> Stretched(const W& a, const W& b, double y) {
  const HyperbolicPair<W> of_y = SinhCosh<W>(y);
  return {static_cast<T>(RoundedProduct(a * of_y.cosh, of_y.scale)),
          static_cast<T>(RoundedProduct(b * of_y.sinh, of_y.scale))};
}

template <class T>
ASSAY_NOINLINE Complex<T> ComplexSine(const Complex<T>& z) {
  const auto [sine, cosine] = SinCos(Wide<T>{z.real});
  return Stretched<T>(sine, cosine, z.imag);
}

template <class T>
ASSAY_NOINLINE Complex<T> ComplexCosine(const Complex<T>& z) {
  const auto [sine, cosine] = SinCos(Wide<T>{z.real});
  return Stretched<T>(cosine, -sine, z.imag);
}

// Returns (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2). For
// large x the denominator is exp(2 |x|) / 4.
template <class T>
ASSAY_NOINLINE Complex<T> ComplexTanh(const Complex<T>& z) {
  using W = Wide<T>;
  const auto [sine, cosine] = SinCos(W{z.imag});
  const double size = ::fabs(z.real);
  if (size > kSaturation) {
    const W inverse = Exp(W{Clamped(-2 * size, -700, 0)});
    return {::copysign(T{1}, z.real),
            static_cast<T>(4 * Rounded(sine * cosine * inverse))};
  }
  const HyperbolicPair<W> of_x = SinhCosh<W>(z.real);
  const W sinh = of_x.sinh * of_x.scale;
  const W cosh = of_x.cosh * of_x.scale;
  const W norm = sinh * sinh + cosine * cosine;
  return {static_cast<T>(Rounded(sinh * cosh / norm)),
          static_cast<T>(Rounded(sine * cosine / norm))};
}

// The tangent of z is -i tanh(i z).
template <class T>
ASSAY_DEVICE Complex<T> ComplexTan(const Complex<T>& z) {
  const Complex<T> t = ComplexTanh(Complex<T>{-z.imag, z.real});
  return {t.imag, -t.real};
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_FUNCTIONS_H_
