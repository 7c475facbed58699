// These are functions of a complex number in a type W with digits to spare,
// which is wide enough that products and squares of the operands' parts neither
// overflow nor underflow.
//
// The formulas are chosen so that sums cancel only if the other part of the
// result is larger: the error of a result is then a few units in the last place
// of W, relative to its larger part. Operands with a part that is infinite, NaN
// or too large may have any result.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_FUNCTIONS_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_FUNCTIONS_H_

#include "backends/simd/core/wide.h"

namespace assay::simd {

template <class W>
struct Complex {
  W real;
  W imag;
};

template <class W>
W Square(W x) {
  return x * x;
}

// Returns the square of the magnitude.
template <class W>
W Norm(const Complex<W>& z) {
  return Square(z.real) + Square(z.imag);
}

template <class W>
W Magnitude(const Complex<W>& z) {
  return Sqrt(Norm(z));
}

template <class W>
bool IsZero(const Complex<W>& z) {
  return z.real == 0 && z.imag == 0;
}

template <class W>
bool IsFinite(const Complex<W>& z) {
  return IsFinite(z.real) && IsFinite(z.imag);
}

// Zero times a scale that is too large even for W is still zero.
template <class W>
W Scaled(W factor, W scale) {
  return factor == 0 ? factor : factor * scale;
}

template <class W>
Complex<W> Product(const Complex<W>& a, const Complex<W>& b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

template <class W>
Complex<W> Quotient(const Complex<W>& a, const Complex<W>& b) {
  const W norm = Norm(b);
  return {(a.real * b.real + a.imag * b.imag) / norm,
          (a.imag * b.real - a.real * b.imag) / norm};
}

// NaN in one part gives NaN in both.
template <class W>
Complex<W> Sign(const Complex<W>& z) {
  if (IsZero(z)) return {0, 0};
  const W magnitude = Magnitude(z);
  return {z.real / magnitude, z.imag / magnitude};
}

// Returns the principal square root: its cut is the negative real axis, where
// the sign of a zero imaginary part tells the side.
template <class W>
Complex<W> SquareRoot(const Complex<W>& z) {
  if (IsZero(z)) return {0, z.imag};
  const W larger = Sqrt((Magnitude(z) + Abs(z.real)) / 2);
  const W smaller = z.imag / (2 * larger);
  if (z.real >= 0) return {larger, smaller};
  return {Abs(smaller), CopySign(larger, z.imag)};
}

template <class W>
Complex<W> ReciprocalRoot(const Complex<W>& z) {
  const W magnitude = Magnitude(z);
  if (magnitude == 0) return {1 / magnitude, -z.imag};
  const Complex<W> root = SquareRoot(z);
  return {root.real / magnitude, -root.imag / magnitude};
}

template <class W>
Complex<W> CubeRoot(const Complex<W>& z) {
  const W magnitude = Cbrt(Magnitude(z));
  const auto [sine, cosine] = SinCos(ATan2(z.imag, z.real) / 3);
  return {magnitude * cosine, magnitude * sine};
}

template <class W>
Complex<W> Logarithm(const Complex<W>& z) {
  const W angle = ATan2(z.imag, z.real);
  const W norm = Norm(z);
  if (!(norm > 0.5 && norm < 3)) return {Log(norm) / 2, angle};
  // The sum below is norm - 1, rounded once in quad and for f32, where both
  // products are exact. In long double the angle is larger than the error where
  // the sum cancels.
  W large = Abs(z.real);
  W small = Abs(z.imag);
  if (large < small) {
    large = Abs(z.imag);
    small = Abs(z.real);
  }
  return {Log1P((large - 1) * (large + 1) + Square(small)) / 2, angle};
}

template <class W>
Complex<W> LogarithmPlusOne(const Complex<W>& z) {
  const Complex<W> sum = {1 + z.real, z.imag};
  const W angle = ATan2(sum.imag, sum.real);
  const W excess = z.real * (2 + z.real) + Square(z.imag);
  // Near -1 the sum is exact, and the excess would cancel within Log1P.
  const W twice = excess < -0.5 ? Log(Norm(sum)) : Log1P(excess);
  return {twice / 2, angle};
}

template <class W>
Complex<W> Exponential(const Complex<W>& z) {
  const W magnitude = Exp(z.real);
  const auto [sine, cosine] = SinCos(z.imag);
  return {magnitude * cosine, Scaled(sine, magnitude)};
}

// exp(x) cos(y) - 1 is (exp(x) - 1) cos(y) - (1 - cos(y)). Where that cancels,
// near 2 pi i k, the imaginary part is larger.
template <class W>
Complex<W> ExponentialMinusOne(const Complex<W>& z) {
  const auto [sine, cosine] = SinCos(z.imag);
  return {ExpM1(z.real) * cosine - 2 * Square(SinCos(z.imag / 2).sine),
          Scaled(sine, Exp(z.real))};
}

// Returns 1 / (1 + exp(-z)). The real part of the denominator is 1 + cos(y) +
// (exp(-x) - 1) cos(y) and its imaginary part -exp(-x) sin(y); near a pole,
// where the real part cancels, the imaginary part is larger.
template <class W>
Complex<W> Logistic(const Complex<W>& z) {
  // Below this x the result is zero in f32 and, in quad, in f64, and the square
  // of the denominator is not yet infinite.
  constexpr double kLeast = sizeof(W) == sizeof(double) ? -300 : -4000;
  const W x = z.real < kLeast ? W(kLeast) : z.real;
  const auto [sine, cosine] = SinCos(z.imag);
  const Complex<W> denominator = {
      2 * Square(SinCos(z.imag / 2).cosine) + ExpM1(-x) * cosine,
      -Exp(-x) * sine};
  return Quotient(Complex<W>{1, 0}, denominator);
}

template <class W>
Complex<W> Sine(const Complex<W>& z) {
  const auto [sine, cosine] = SinCos(z.real);
  return {Scaled(sine, Cosh(z.imag)), cosine * Sinh(z.imag)};
}

template <class W>
Complex<W> Cosine(const Complex<W>& z) {
  const auto [sine, cosine] = SinCos(z.real);
  return {cosine * Cosh(z.imag), Scaled(-sine, Sinh(z.imag))};
}

// The hyperbolic tangent is (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 +
// cos(y)^2).
template <class W>
Complex<W> HyperbolicTangent(const Complex<W>& z) {
  const auto [sine, cosine] = SinCos(z.imag);
  // From here on tanh(x) is 1 and the denominator is exp(2 |x|) / 4, both to
  // 2^-128.
  if (Abs(z.real) > 45) {
    return {CopySign(W(1), z.real), 4 * sine * cosine * Exp(-2 * Abs(z.real))};
  }
  const W sinh = Sinh(z.real);
  const W denominator = Square(sinh) + Square(cosine);
  return {sinh * Cosh(z.real) / denominator, sine * cosine / denominator};
}

// The tangent of z is -i tanh(i z).
template <class W>
Complex<W> Tangent(const Complex<W>& z) {
  const Complex<W> t = HyperbolicTangent(Complex<W>{-z.imag, z.real});
  return {t.imag, -t.real};
}

// Returns -i log(w) with w = (x + i y) / sqrt(x^2 + y^2), the principal values
// of both.
//
// With p = x + i y and m = x - i y, w^2 is p / m: that gives the result up to a
// multiple of pi, without cancellation. The multiple follows from the arguments
// of p and of p m = x^2 + y^2, which need be known only roughly but on the
// right side of their cuts: W must hold the products of parts exactly.
template <class W>
Complex<W> ArcTangent2(const Complex<W>& y, const Complex<W>& x) {
  const Complex<W> p = {x.real - y.imag, x.imag + y.real};
  const Complex<W> m = {x.real + y.imag, x.imag - y.real};
  const W norm = Norm(m);
  const W excess = 4 * (x.imag * y.real - x.real * y.imag) / norm;
  const W log_ratio =
      excess > -0.5 && excess < 1 ? Log1P(excess) : Log(Norm(p) / norm);

  const W half = ATan2(2 * (x.real * y.real + x.imag * y.imag),
                       p.real * m.real + p.imag * m.imag) /
                 2;
  const W of_root = ATan2(2 * (x.real * x.imag + y.real * y.imag),
                          p.real * m.real - p.imag * m.imag) /
                    2;
  const W rough = ATan2(p.imag, p.real) - of_root;
  const W distance = Abs(rough - half);
  W angle = half;
  if (distance > Pi<W>() / 2 && distance < Pi<W>() * 3 / 2) {
    // w is in the left half-plane, above the real axis if w^2 is below it.
    const bool above = half != 0 ? half < 0 : rough > 0;
    angle = above ? half + Pi<W>() : half - Pi<W>();
  }
  return {angle, -log_ratio / 4};
}

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_FUNCTIONS_H_
