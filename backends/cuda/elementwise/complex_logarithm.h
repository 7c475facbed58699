// These are the complex logarithms and functions made of them: log,
// log_plus_one and power.
//
// Near the unit circle the real part of a logarithm is half the logarithm of
// x^2 + y^2, which is what is left of x^2 + y^2 - 1. The angle there is larger
// than the error from rounding the squares, but power multiplies the real part
// by the exponent: it needs all the digits that two doubles hold, and the exact
// products of f64 parts have enough of them.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_LOGARITHM_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_LOGARITHM_H_

#include "backends/cuda/elementwise/complex_number.h"

namespace assay::cuda {

// ------------------------------------------------------------------ Logarithms

// Returns the angle of a number next to the positive axis. Each part is scaled
// by itself, because no factor of both would keep the digits of the smaller
// one.
ASSAY_DEVICE DoubleDouble SmallAngle(const Complex<double>& z) {
  const int of_x = ExponentOf(z.real);
  const int of_y = ExponentOf(z.imag);
  const DoubleDouble quotient = DoubleDouble{z.imag * PowerOfTwo(-of_y)} /
                                DoubleDouble{z.real * PowerOfTwo(-of_x)};
  return TimesPowerOfTwo(quotient, of_y - of_x);
}

// Returns the logarithm of a finite number that is not zero. The cut is the
// negative real axis, where the sign of a zero imaginary part tells the side.
template <Digits kDigits>
ASSAY_NOINLINE Complex<DoubleDouble> LogarithmOf(const Complex<double>& z) {
  const double larger = LargerPart(z);
  // The scaled parts have exponents from -374 to 400, so that their squares are
  // exact except for bits that count less than 2^-300.
  const int shift = larger > 0x1p400 ? -700 : larger < 0x1p-400 ? 700 : 0;
  const Complex<double> x = Scaled(z, shift);
  const DoubleDouble angle =
      z.real > 0 && ::fabs(z.imag) < 0x1p-60 * z.real
          ? SmallAngle(z)
          : ATan2<kDigits>(DoubleDouble{x.imag}, DoubleDouble{x.real});
  const DoubleDouble real = TwoProduct(x.real, x.real);
  const DoubleDouble imag = TwoProduct(x.imag, x.imag);
  const DoubleDouble norm = real + imag;
  int exponent = 0;
  DoubleDouble excess;
  if (shift == 0 && norm.hi > 0.72 && norm.hi < 1.4) {
    double terms[] = {real.lo, imag.lo, imag.hi, real.hi, -1};
    excess = ExactSum(terms);
  } else {
    excess = ModuloPowerOfTwo(norm, &exponent);
  }
  return {0.5 * LogPlusOneOfSmall<kDigits>(excess, exponent - 2 * shift),
          angle};
}

template <class T>
ASSAY_NOINLINE Complex<T> ComplexLog(const Complex<T>& z) {
  if (z.real == 0 && z.imag == 0) {
    return {-static_cast<T>(HUGE_VAL), static_cast<T>(ATan2(z.imag, z.real))};
  }
  if constexpr (sizeof(T) == sizeof(double)) {
    const Complex<DoubleDouble> log = LogarithmOf<Digits::kEnough>(z);
    return {log.real.hi, log.imag.hi};
  } else {
    const double x = z.real;
    const double y = z.imag;
    const double larger = ::fmax(::fabs(x), ::fabs(y));
    const double smaller = ::fmin(::fabs(x), ::fabs(y));
    const double norm = x * x + y * y;
    // Both products are exact.
    const double twice =
        norm > 0.5 && norm < 3
            ? LogPlusOne((larger - 1) * (larger + 1) + smaller * smaller)
            : Log(norm);
    return {static_cast<T>(twice / 2), static_cast<T>(ATan2(y, x))};
  }
}

// Returns log(|1 + z|^2) and the angle of 1 + z. Where 2 x + x^2 + y^2 cancels,
// the angle is larger.
ASSAY_DEVICE Complex<double> TwiceLogPlusOne(double x, double y) {
  return {LogPlusOne(x * (2 + x) + y * y), ATan2(y, 1 + x)};
}

ASSAY_DEVICE Complex<DoubleDouble> TwiceLogPlusOne(const DoubleDouble& x,
                                                   const DoubleDouble& y) {
  return {LogPlusOne(x * (2.0 + x) + y * y), ATan2(y, 1.0 + x)};
}

template <class T>
ASSAY_NOINLINE Complex<T> ComplexLogPlusOne(const Complex<T>& z) {
  // In this range 1 + x is exact, or matters less than 2^-100.
  if ((z.real >= -2 && z.real <= T{-0.5}) ||
      LargerPart(ConvertComplex<double>(z)) > 0x1p100) {
    return ComplexLog(Complex<T>{1 + z.real, z.imag});
  }
  const Complex<Wide<T>> twice =
      TwiceLogPlusOne(Wide<T>{z.real}, Wide<T>{z.imag});
  return {static_cast<T>(0.5 * Rounded(twice.real)),
          static_cast<T>(Rounded(twice.imag))};
}

// ----------------------------------------------------------------------- Power

// Sets the exact angle, in eighths of a turn, of a number on an axis or a
// diagonal. Returns false for any other number.
ASSAY_DEVICE bool ExactAngle(const Complex<double>& z, double* eighths) {
  const double x = ::fabs(z.real);
  const double y = ::fabs(z.imag);
  if (x != 0 && y != 0 && x != y) return false;
  const double of_right = y == 0 ? 0 : x == 0 ? 2 : 1;
  *eighths = ::copysign(z.real < 0 ? 4 - of_right : of_right, z.imag);
  return true;
}

// Returns x modulo 8, with the sign of x. From 2^56 on it is 0.
ASSAY_DEVICE double ModuloEight(double x) {
  return ::fabs(x) < 0x1p56 ? ::fma(-8.0, ::trunc(x / 8), x) : 0;
}

// This bounds the relative error of the parts of a logarithm. Angles below
// 2^-968 are off by 2^-1074, which no exponent makes a size or an angle that
// matters.
inline constexpr double kLogarithmError = 0x1p-103;

// Computes exp(exponent log(base)): its size is exp(`size`), which is zero
// below `least` and infinite in the larger part above `most`. *undecided is set
// if the size or the angle cannot be determined to `tolerance`, unless the
// result is infinite: then both parts are.
ASSAY_NOINLINE Complex<double> PowerOf(const Complex<double>& base,
                                       const Complex<double>& exponent,
                                       double least, double most,
                                       double tolerance, bool* undecided) {
  if (exponent.real == 0 && exponent.imag == 0) return {1, 0};
  const double nan = (base.real - base.real) + (base.imag - base.imag) +
                     (exponent.real - exponent.real) +
                     (exponent.imag - exponent.imag);
  if (nan != 0) return {nan, nan};
  if (base.real == 0 && base.imag == 0) {
    return {exponent.real > 0 ? 0 : HUGE_VAL, 0};
  }
  const Complex<DoubleDouble> log = LogarithmOf<Digits::kAll>(base);
  // The unit keeps products from overflowing. A product that underflows is
  // below 2^-200.
  const double unit = LargerPart(exponent) > 0x1p200 ? 0x1p-800 : 1;
  const double x = exponent.real * unit;
  const double y = exponent.imag * unit;

  const DoubleDouble growth = log.real * x;
  const DoubleDouble shrinkage = log.imag * y;
  DoubleDouble turn = log.imag * x;
  double eighths;
  if (ExactAngle(base, &eighths)) {
    // Only the part of a large multiple that is beyond whole turns counts.
    const DoubleDouble eighth = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
    turn = eighth * eighths * (ModuloEight(exponent.real) * unit);
  }
  const DoubleDouble drift = log.real * y;

  // Products and sums of the logarithm add less than its own error.
  const DoubleDouble size = growth - shrinkage;
  const DoubleDouble angle = turn + drift;
  const double size_error =
      (::fabs(growth.hi) + ::fabs(shrinkage.hi)) * (2 * kLogarithmError);
  const double angle_error =
      (::fabs(turn.hi) + ::fabs(drift.hi)) * (2 * kLogarithmError);
  if (size.hi + size_error < least * unit) return {0, 0};
  const bool is_infinite = size.hi - size_error > most * unit;
  const bool has_angle = angle_error <= tolerance * unit;
  if (is_infinite && !has_angle) return {HUGE_VAL, HUGE_VAL};
  if (!is_infinite && (size_error > tolerance * unit || !has_angle)) {
    *undecided = true;
    return {0, 0};
  }
  // Beyond this, the exponential is infinite in every format.
  constexpr double kFar = 1400;
  const DoubleDouble half =
      Exp(size.hi > kFar * unit ? DoubleDouble{kFar / 2} : size * (0.5 / unit));
  const auto [sine, cosine] = SinCos(angle * (1 / unit));
  return {RoundedProduct(half * cosine, half),
          RoundedProduct(half * sine, half)};
}

// The power is 1 for an exponent of zero; for a base of zero it is 0 if the
// exponent's real part is positive. Sets *undecided, and never clears it, if
// the digits that two doubles have of the logarithm are too few: for angles
// above 2^50 in f64 and 2^79 in f32.
template <class T>
ASSAY_DEVICE Complex<T> ComplexPower(const Complex<T>& base,
                                     const Complex<T>& exponent,
                                     bool* undecided) {
  constexpr bool kIsF32 = sizeof(T) == sizeof(float);
  // The bounds are the logarithms of numbers that round to zero and of numbers
  // that are infinite even divided by sqrt(2); the tolerance is three units in
  // the last place of the larger part.
  return ConvertComplex<T>(PowerOf(ConvertComplex<double>(base),
                                   ConvertComplex<double>(exponent),
                                   kIsF32 ? -105 : -747, kIsF32 ? 90 : 711,
                                   kIsF32 ? 0x1p-23 : 0x1p-52, undecided));
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_LOGARITHM_H_
