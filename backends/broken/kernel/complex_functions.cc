// Sums of two products lose only digits that are small beside the larger part
// of the result; if both parts may be small, the formula does not subtract, or
// takes the difference before it is rounded.
#include "backends/broken/kernel/complex_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/broken/kernel/numbers.h"

namespace assay::broken {
namespace {

using Wide = long double;

Complex operator+(const Complex& a, const Complex& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}

Complex operator-(const Complex& a) { return {-a.real, -a.imaginary}; }

Complex operator*(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary,
          a.real * b.imaginary + a.imaginary * b.real};
}

Complex operator*(Wide a, const Complex& b) {
  return {a * b.real, a * b.imaginary};
}

Wide SquaredNorm(const Complex& z) {
  return z.real * z.real + z.imaginary * z.imaginary;
}

Wide Norm(const Complex& z) { return std::sqrt(SquaredNorm(z)); }

Wide Angle(const Complex& z) { return std::atan2(z.imaginary, z.real); }

Complex operator/(const Complex& a, const Complex& b) {
  const Wide norm = SquaredNorm(b);
  const Complex product = a * Complex{b.real, -b.imaginary};
  return {product.real / norm, product.imaginary / norm};
}

Complex TimesI(const Complex& z) { return {-z.imaginary, z.real}; }

// Returns 1 + e^z, which is near 0 where z is near i pi.
Complex OnePlusExponential(const Complex& z) {
  const Wide half = std::cos(z.imaginary / 2);
  return {2 * half * half + std::cos(z.imaginary) * std::expm1(z.real),
          std::exp(z.real) * std::sin(z.imaginary)};
}

// Returns a b + c d, which is accurate even where it nearly vanishes.
Wide SumOfProducts(Wide a, Wide b, Wide c, Wide d) {
  const Wide ab = a * b, cd = c * d;
  return (ab + cd) + (std::fma(a, b, -ab) + std::fma(c, d, -cd));
}

// Returns the real part of a / b.
Wide RealQuotient(const Complex& a, const Complex& b) {
  return SumOfProducts(a.real, b.real, a.imaginary, b.imaginary) /
         SquaredNorm(b);
}

}  // namespace

// ------------------------------------------------------------------ Arithmetic

Complex Multiply(const Complex* x) { return x[0] * x[1]; }

Complex Divide(const Complex* x) { return x[0] / x[1]; }

Complex Sign(const Complex* x) {
  const Wide norm = Norm(x[0]);
  return norm == 0 ? Complex{0, 0}
                   : Complex{x[0].real / norm, x[0].imaginary / norm};
}

// The larger part of the root is computed first: the sum under that root does
// not cancel.
Complex Sqrt(const Complex* x) {
  const auto [a, b] = x[0];
  const Wide larger = std::sqrt((Norm(x[0]) + std::abs(a)) / 2);
  if (larger == 0) return {0, b};
  const Wide smaller = std::abs(b) / (2 * larger);
  return a >= 0 ? Complex{larger, std::copysign(smaller, b)}
                : Complex{smaller, std::copysign(larger, b)};
}

Complex Rsqrt(const Complex* x) { return Complex{1, 0} / Sqrt(x); }

Complex Cbrt(const Complex* x) {
  const Wide radius = std::cbrt(Norm(x[0])), angle = Angle(x[0]) / 3;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// ------------------------------------------------- Exponentials and logarithms

// Beyond these bounds the exponential of a part is beyond every format. An
// infinite exponential would turn a sine that is 0 into NaN.
Wide KeepFinite(Wide part) { return std::clamp<Wide>(part, -5000, 5000); }

Complex Exponential(const Complex* x) {
  const Wide radius = std::exp(KeepFinite(x[0].real));
  return {radius * std::cos(x[0].imaginary), radius * std::sin(x[0].imaginary)};
}

Complex ExponentialMinusOne(const Complex* x) {
  const Wide a = KeepFinite(x[0].real), b = x[0].imaginary;
  const Wide half = std::sin(b / 2);
  return {std::expm1(a) * std::cos(b) - 2 * half * half,
          std::exp(a) * std::sin(b)};
}

// The formula uses the exponential that does not overflow.
Complex Logistic(const Complex* x) {
  if (x[0].real < 0) return Exponential(x) / OnePlusExponential(x[0]);
  return Complex{1, 0} / OnePlusExponential(-x[0]);
}

// Near 1 the squared norm less 1 is the sum of a product and a square, which
// are both accurate.
Complex Log(const Complex* x) {
  const Wide norm = SquaredNorm(x[0]);
  const Wide a = std::max(std::abs(x[0].real), std::abs(x[0].imaginary)),
             b = std::min(std::abs(x[0].real), std::abs(x[0].imaginary));
  const bool is_near_1 = norm > 0.5L && norm < 2;
  const Wide log =
      is_near_1 ? std::log1p((a - 1) * (a + 1) + b * b) : std::log(norm);
  return {log / 2, Angle(x[0])};
}

Complex LogPlusOne(const Complex* x) {
  const auto [a, b] = x[0];
  const Complex sum = {1 + a, b};
  const Wide norm = SquaredNorm(sum);
  const bool is_near_1 = norm > 0.5L && norm < 2;
  const Wide log = is_near_1 ? std::log1p(a * (2 + a) + b * b) : std::log(norm);
  return {log / 2, Angle(sum)};
}

// ---------------------------------------------------------------- Trigonometry

Complex Sine(const Complex* x) {
  const Wide a = x[0].real, b = KeepFinite(x[0].imaginary);
  return {std::sin(a) * std::cosh(b), std::cos(a) * std::sinh(b)};
}

Complex Cosine(const Complex* x) {
  const Wide a = x[0].real, b = KeepFinite(x[0].imaginary);
  return {std::cos(a) * std::cosh(b), -(std::sin(a) * std::sinh(b))};
}

// Far from the real axis, where the hyperbolic functions would overflow, the
// imaginary part is 1 and the real part is less than any of its ulps.
Complex Tan(const Complex* x) {
  const auto [a, b] = x[0];
  const Wide sine = std::sin(a), cosine = std::cos(a);
  if (std::abs(b) > 100) {
    return {4 * sine * cosine * std::exp(-2 * std::abs(b)),
            std::copysign(Wide{1}, b)};
  }
  const Wide sinh = std::sinh(b);
  const Wide divisor = cosine * cosine + sinh * sinh;
  return {sine * cosine / divisor, sinh * std::cosh(b) / divisor};
}

// The hyperbolic tangent of z is -i tan(iz).
Complex Tanh(const Complex* x) {
  const Complex turned = TimesI(x[0]);
  return -TimesI(Tan(&turned));
}

// Returns -i log(w) with w = (x + iy) / sqrt(s) and s = x^2 + y^2. With z = y /
// x the root is x sqrt(1 + iz) sqrt(1 - iz) or the negative of that, and the
// result is atan(z), or differs from it by pi; the signs of Im(s) and Re(z)
// decide.
Complex Atan2(const Complex* x) {
  const auto [a, b] = x[0];
  const auto [c, d] = x[1];
  const Wide quarter = std::atan2(Wide{1}, Wide{0});
  if (c == 0 && d == 0) return {std::copysign(quarter, a), 0};
  const Complex turned = TimesI(x[0]);
  const Complex above = x[1] + turned, below = x[1] + -turned;
  const Complex s = {(above * below).real, 2 * SumOfProducts(a, b, c, d)};
  const Wide real = RealQuotient(x[0], x[1]);
  const Complex iz = {RealQuotient(turned, x[1]), real}, minus_iz = -iz;
  // The factors 1 + iz and 1 - iz may be near 0, and their logarithms are near
  // 0 if z is small.
  const Complex factors[] = {{RealQuotient(above, x[1]), real},
                             {RealQuotient(below, x[1]), -real}};
  const Complex difference = SquaredNorm(iz) < 0.25L
                                 ? LogPlusOne(&iz) + -LogPlusOne(&minus_iz)
                                 : Log(&factors[0]) + -Log(&factors[1]);
  Complex result = TimesI(Wide{-0.5} * difference);
  const Complex root = Sqrt(&s),
                other = x[1] * Sqrt(&factors[0]) * Sqrt(&factors[1]);
  const bool is_negative =
      root.real * other.real + root.imaginary * other.imaginary < 0;
  if (is_negative) result.real -= std::copysign(2 * quarter, real);
  return result;
}

// -------------------------------------------------------------------- Elements

Complex ToComplex(const Job& job, const Lane& x) {
  return {ToDouble(*job.type.format, x.bits),
          ToDouble(*job.type.format, x.imaginary)};
}

Lane FromComplex(const Job& job, const Complex& x) {
  const Format& format = *job.type.format;
  return {FromDouble(format, static_cast<double>(x.real)),
          FromDouble(format, static_cast<double>(x.imaginary))};
}

Lane AbsComplex(const Job& job, const Lane* x) {
  return {FromComplex(job, {Norm(ToComplex(job, x[0])), 0}).bits};
}

// Returns e^(b log a). The absolute errors of the product are relative errors
// of the result, so they must be small beside 1, unless the result overflows or
// underflows anyway.
Lane PowerComplex(const Job& job, const Lane* x) {
  const Complex base = ToComplex(job, x[0]), exponent = ToComplex(job, x[1]);
  if (base.real == 0 && base.imaginary == 0) {
    const bool is_one = exponent.real == 0 && exponent.imaginary == 0;
    const Wide pole = std::numeric_limits<Wide>::quiet_NaN();
    const Wide power = is_one ? 1 : exponent.real > 0 ? 0 : pole;
    return FromComplex(job, {power, 0});
  }
  const Complex log = Log(&base);
  const Complex product = exponent * log;
  const Wide terms = (std::abs(exponent.real) + std::abs(exponent.imaginary)) *
                     (std::abs(log.real) + std::abs(log.imaginary));
  const Wide error = std::ldexp(terms, -std::numeric_limits<Wide>::digits);
  const Wide unit = std::ldexp(Wide{1}, -job.type.format->mantissa_bits);
  const bool is_beyond = std::abs(product.real) - error > 2000;
  if (error > unit / 2 && std::isfinite(error) && !is_beyond)
    *job.is_declined = true;
  return FromComplex(job, Exponential(&product));
}

}  // namespace assay::broken
