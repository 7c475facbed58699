// This header has complex numbers and their algebraic functions: products,
// quotients, magnitudes and roots.
//
// Errors are bounded relative to the larger part of the result, for all finite
// operands, in units u = 2^-53 of f64 below. f32 has 29 bits and 896 binary
// exponents less than double: there the squares of parts are exact, and errors
// of a hundred units of double do not matter. f64 is scaled by powers of two to
// parts near 1, and values that would otherwise be rounded more than once or
// twice are sums of two doubles.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_NUMBER_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_NUMBER_H_

#include "backends/cuda/elementwise/double_double.h"
#include "backends/cuda/elementwise/elementary.h"

namespace assay::cuda {

template <class T>
struct Complex {
  T real;
  T imag;
};

// Functions of parts of type T compute in this type.
template <class T>
struct WideType;
template <>
struct WideType<float> {
  using Type = double;
};
template <>
struct WideType<double> {
  using Type = DoubleDouble;
};
template <class T>
using Wide = typename WideType<T>::Type;

template <class To, class From>
ASSAY_DEVICE Complex<To> ConvertComplex(const Complex<From>& z) {
  return {static_cast<To>(z.real), static_cast<To>(z.imag)};
}

ASSAY_DEVICE double LargerPart(const Complex<double>& z) {
  return ::fmax(::fabs(z.real), ::fabs(z.imag));
}

// Returns z 2^exponent, for -1022 <= exponent <= 1023.
ASSAY_DEVICE Complex<double> Scaled(const Complex<double>& z, int exponent) {
  const double scale = PowerOfTwo(exponent);
  return {z.real * scale, z.imag * scale};
}

ASSAY_DEVICE Complex<double> TimesPowerOfTwo(const Complex<double>& z,
                                             int exponent) {
  return {TimesPowerOfTwo(z.real, exponent), TimesPowerOfTwo(z.imag, exponent)};
}

// Returns a b + c d. The first part of the sum is the rounded result.
ASSAY_DEVICE DoubleDouble SumOfProducts(double a, double b, double c,
                                        double d) {
  return TwoProduct(a, b) + TwoProduct(c, d);
}

// ------------------------------------------------------- Product and quotient

// The order of the factors does not matter. The products are rounded, and so is
// each part: the error is at most (|a b| + |result|) u, and |a b| is at most
// sqrt(2) times the larger part.
ASSAY_DEVICE Complex<double> ProductOf(const Complex<double>& a,
                                       const Complex<double>& b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

template <class T>
ASSAY_DEVICE Complex<T> ComplexMultiply(const Complex<T>& a,
                                        const Complex<T>& b) {
  const Complex<double> x = ConvertComplex<double>(a);
  const Complex<double> y = ConvertComplex<double>(b);
  Complex<double> product = ProductOf(x, y);
  if constexpr (sizeof(T) == sizeof(double)) {
    // Products may be infinite where their difference is not, and where both
    // are infinite, the sign of the difference is still known.
    if (!(LargerPart(product) < HUGE_VAL)) {
      const int of_x = ExponentOf(LargerPart(x));
      const int of_y = ExponentOf(LargerPart(y));
      product = TimesPowerOfTwo(ProductOf(Scaled(x, -of_x), Scaled(y, -of_y)),
                                of_x + of_y);
    }
  }
  return ConvertComplex<T>(product);
}

// Three roundings make an error of 3 u.
template <class T>
ASSAY_NOINLINE Complex<T> ComplexDivide(const Complex<T>& a,
                                        const Complex<T>& b) {
  Complex<double> x = ConvertComplex<double>(a);
  Complex<double> y = ConvertComplex<double>(b);
  if constexpr (sizeof(T) == sizeof(double)) {
    const int of_x = ExponentOf(LargerPart(x));
    const int of_y = ExponentOf(LargerPart(y));
    x = Scaled(x, -of_x);
    y = Scaled(y, -of_y);
    const double norm = SumOfProducts(y.real, y.real, y.imag, y.imag).hi;
    const Complex<double> quotient = {
        SumOfProducts(x.real, y.real, x.imag, y.imag).hi / norm,
        SumOfProducts(x.imag, y.real, -x.real, y.imag).hi / norm};
    return TimesPowerOfTwo(quotient, of_x - of_y);
  } else {
    const double norm = y.real * y.real + y.imag * y.imag;
    return ConvertComplex<T>(
        Complex<double>{(x.real * y.real + x.imag * y.imag) / norm,
                        (x.imag * y.real - x.real * y.imag) / norm});
  }
}

// --------------------------------------------------------- Magnitude and sign

// The larger part is near 1.
ASSAY_DEVICE DoubleDouble MagnitudeOf(const Complex<double>& z) {
  return Sqrt(SumOfProducts(z.real, z.real, z.imag, z.imag));
}

// A magnitude with an infinite part is infinite, also if the other part is NaN.
template <class T>
ASSAY_NOINLINE T ComplexAbs(const Complex<T>& z) {
  const Complex<double> x = ConvertComplex<double>(z);
  const double larger = LargerPart(x);
  if (larger == HUGE_VAL) return static_cast<T>(larger);
  if constexpr (sizeof(T) == sizeof(double)) {
    if (larger == 0) return 0;
    const int exponent = ExponentOf(larger);
    return TimesPowerOfTwo(MagnitudeOf(Scaled(x, -exponent)).hi, exponent);
  } else {
    return static_cast<T>(::sqrt(x.real * x.real + x.imag * x.imag));
  }
}

// Two roundings make an error of 2 u. NaN in one part gives NaN in both.
ASSAY_NOINLINE Complex<double> SignOf(const Complex<double>& z) {
  if (z.real == 0 && z.imag == 0) return {0, 0};
  const Complex<double> x = Scaled(z, -ExponentOf(LargerPart(z)));
  const double magnitude = MagnitudeOf(x).hi;
  return {x.real / magnitude, x.imag / magnitude};
}

template <class T>
ASSAY_DEVICE Complex<T> ComplexSign(const Complex<T>& z) {
  return ConvertComplex<T>(SignOf(ConvertComplex<double>(z)));
}

// ---------------------------------------------------------------------- Roots

// Roots with a cut have it on the negative real axis, where the sign of a zero
// imaginary part tells the side.

// Returns the root of z and its magnitude. z is not zero, and its larger part
// is near 1. The error is u in the larger part and 2 u in the other.
ASSAY_DEVICE Complex<double> SquareRootOf(const Complex<double>& z,
                                          double* magnitude) {
  const DoubleDouble of_z = MagnitudeOf(z);
  const double larger = Sqrt(0.5 * (of_z + ::fabs(z.real))).hi;
  const double smaller = z.imag / (2 * larger);
  *magnitude = of_z.hi;
  if (z.real >= 0) return {larger, smaller};
  return {::fabs(smaller), ::copysign(larger, z.imag)};
}

ASSAY_NOINLINE Complex<double> SquareRoot(const Complex<double>& z) {
  const double larger = LargerPart(z);
  if (larger == 0) return {0, z.imag};
  const int half = ExponentOf(larger) / 2;
  double magnitude;
  return Scaled(SquareRootOf(Scaled(z, -2 * half), &magnitude), half);
}

template <class T>
ASSAY_DEVICE Complex<T> ComplexSqrt(const Complex<T>& z) {
  return ConvertComplex<T>(SquareRoot(ConvertComplex<double>(z)));
}

// The error is 2 u more than that of the root.
ASSAY_NOINLINE Complex<double> ReciprocalRoot(const Complex<double>& z) {
  const double larger = LargerPart(z);
  if (larger == 0) return {HUGE_VAL, -z.imag};
  const int half = ExponentOf(larger) / 2;
  double magnitude;
  const Complex<double> root = SquareRootOf(Scaled(z, -2 * half), &magnitude);
  return Scaled({root.real / magnitude, -root.imag / magnitude}, -half);
}

template <class T>
ASSAY_DEVICE Complex<T> ComplexRsqrt(const Complex<T>& z) {
  return ConvertComplex<T>(ReciprocalRoot(ConvertComplex<double>(z)));
}

// This serves parts whose squares are in range, with an error of 10 u.
ASSAY_NOINLINE Complex<double> CubeRootOf(const Complex<double>& z) {
  const double magnitude = ::cbrt(::sqrt(z.real * z.real + z.imag * z.imag));
  const auto [sine, cosine] = SinCos(ATan2(z.imag, z.real) / 3);
  return {magnitude * cosine, magnitude * sine};
}

// One more Newton step, with the rest of the cube in sums of two doubles,
// reduces the error to u.
ASSAY_NOINLINE Complex<double> ScaledCubeRoot(const Complex<double>& z) {
  const double larger = LargerPart(z);
  if (larger == 0) return {0, z.imag};
  const int third = ExponentOf(larger) / 3;
  const Complex<double> cube = Scaled(z, -3 * third);
  const Complex<double> root = CubeRootOf(cube);
  const DoubleDouble real =
      SumOfProducts(root.real, root.real, -root.imag, root.imag);
  const DoubleDouble imag = TwoProduct(2 * root.real, root.imag);
  const Complex<double> rest = {
      (cube.real - (real * root.real - imag * root.imag)).hi,
      (cube.imag - (real * root.imag + imag * root.real)).hi};
  const double norm = 3 * (real.hi * real.hi + imag.hi * imag.hi);
  return Scaled(
      {root.real + (rest.real * real.hi + rest.imag * imag.hi) / norm,
       root.imag + (rest.imag * real.hi - rest.real * imag.hi) / norm},
      third);
}

template <class T>
ASSAY_DEVICE Complex<T> ComplexCbrt(const Complex<T>& z) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return ScaledCubeRoot(z);
  } else {
    return ConvertComplex<T>(CubeRootOf(ConvertComplex<double>(z)));
  }
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_NUMBER_H_
