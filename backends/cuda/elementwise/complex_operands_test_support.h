// These operands for tests of complex functions have all exponents, and lie
// where functions have zeros, poles, cuts and limits, where sums cancel and
// where argument reduction is hardest.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_OPERANDS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_OPERANDS_TEST_SUPPORT_H_

#include <math.h>
#include <stdint.h>

#include <iterator>
#include <limits>
#include <random>

#include "backends/cuda/elementwise/complex_functions.h"

namespace assay::cuda_test {

using cuda::Complex;

template <class T>
class Operands {
 public:
  explicit Operands(uint64_t seed) : random_(seed) {}

  Complex<T> One() {
    const T x = Part();
    const T y = Part();
    switch (Below(12)) {
      case 0:  // On the unit circle.
        return {static_cast<T>(cos(static_cast<double>(x))),
                static_cast<T>(sin(static_cast<double>(x)))};
      case 1:  // On an axis.
        return Below(2) == 0 ? Complex<T>{x, Signed(0)}
                             : Complex<T>{Signed(0), x};
      case 2:  // Near an axis.
        return Below(2) == 0 ? Complex<T>{x, Far(y)} : Complex<T>{Far(y), x};
      case 3:  // On a diagonal, or beside it.
        return {x, Signed(Beside(x))};
      case 4:  // Near -1 and the cut of log(1 + z).
        return {Beside(static_cast<T>(-1)), Far(y)};
      case 5:  // Where |1 + z| is nearly 1.
        return {static_cast<T>(cos(static_cast<double>(x)) - 1),
                static_cast<T>(sin(static_cast<double>(x)))};
      case 6:  // Near a zero or pole of a periodic function.
        return Below(2) == 0 ? Complex<T>{Turn(), Far(y)}
                             : Complex<T>{Far(y), Turn()};
      default:
        return {x, y};
    }
  }

  // Returns the second operand of a product, a quotient or atan2. Some of them
  // make a part of the result cancel, or lie near a pole or cut of atan2.
  Complex<T> Other(const Complex<T>& z) {
    const T scale = static_cast<T>(ldexp(1.0, Below(9) - 4));
    switch (Below(8)) {
      case 0:
        return {Beside(z.imag * scale), Beside(z.real * scale)};
      case 1:
        return {Beside(-z.imag * scale), Beside(z.real * scale)};
      case 2:
        return {Beside(z.real * scale), Beside(z.imag * scale)};
      case 3:
        return {Beside(z.imag), Beside(-z.real)};
      default:
        return One();
    }
  }

  // Returns an exponent, which is seldom so large that the angle of a power is
  // undecided.
  Complex<T> Exponent() {
    Complex<T> z = One();
    if (Below(8) == 0) return z;
    for (T* part : {&z.real, &z.imag}) {
      if (!(fabs(*part) < 4096)) *part = Between(-12, 12);
      if (Below(3) == 0) *part = rint(*part);
    }
    return z;
  }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr int kLeast = Limits::min_exponent - Limits::digits;
  static constexpr int kMost = Limits::max_exponent - 1;

  int Below(int n) {
    return static_cast<int>(random_() % static_cast<uint64_t>(n));
  }
  T Signed(T x) { return Below(2) == 0 ? x : -x; }

  T Between(int low, int high) {
    const double fraction = 1 + static_cast<double>(random_() >> 12) * 0x1p-52;
    const auto value =
        static_cast<T>(ldexp(fraction, low + Below(high - low + 1)));
    return Signed(value > Limits::max() ? Limits::max() : value);
  }

  T Beside(T x) {
    for (int steps = Below(3); steps > 0; --steps) {
      x = nextafter(x, Signed(HUGE_VALF));
    }
    return x - x == 0 ? x : Limits::max();
  }

  // Returns a number of any exponent, which is often so small that its square
  // is below the last place of 1, or not far above.
  T Far(T x) { return Below(2) == 0 ? x : Between(-2 * Limits::digits - 4, 0); }

  // Returns a number next to a multiple of pi / 2. One of them is the double
  // that is nearest to a multiple.
  T Turn() {
    const double x = Below(8) == 0
                         ? 0x1.6ac5b262ca1ffp+849
                         : floor(exp2(Below(Limits::digits))) * M_PI_2;
    return Signed(Beside(Narrowed(x)));
  }

  T Narrowed(double x) {
    return x < double{Limits::max()} ? static_cast<T>(x) : Limits::max();
  }

  T Part() {
    const double at[] = {0,   0x1p-1074, 0x1p-149, 0x1p-126, 0.25, 0.35,  0.5,
                         1,   2,         3,        22,       40,   80,    88.72,
                         89,  100,       103.9,    104,      700,  709.7, 710.4,
                         745, 1e5,       1e16,     1e308};
    switch (Below(6)) {
      case 0:
        return Signed(
            Beside(Narrowed(at[Below(static_cast<int>(std::size(at)))])));
      case 1:
        return Turn();
      case 2:
        return Between(-6, 7);
      case 3:
        return Signed(1 + Between(-Limits::digits, -2));
      default:
        return Between(kLeast, kMost);
    }
  }

  std::mt19937_64 random_;
};

}  // namespace assay::cuda_test

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_OPERANDS_TEST_SUPPORT_H_
