// Tests compare the complex functions by Arb with these by MPFR, which are
// textbook formulas with so many bits that enough remain when operands of f64
// cancel.
#ifndef ASSAY_ORACLE_REAL_COMPLEX_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_ORACLE_REAL_COMPLEX_REFERENCE_TEST_SUPPORT_H_

#include <mpfr.h>

#include <utility>

#include "oracle/real/complex_ball.h"

namespace assay::reference {

class Mpfr {
 public:
  Mpfr(double x = 0) {
    mpfr_init2(value_, 2500);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Mpfr(const Mpfr& x) : Mpfr() { mpfr_set(value_, x.value_, MPFR_RNDN); }
  Mpfr& operator=(const Mpfr& x) {
    mpfr_set(value_, x.value_, MPFR_RNDN);
    return *this;
  }
  ~Mpfr() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

  template <class F, class... X>
  static Mpfr By(F function, const X&... x) {
    Mpfr result;
    function(result.get(), x.get()..., MPFR_RNDN);
    return result;
  }
  friend Mpfr operator+(const Mpfr& a, const Mpfr& b) {
    return By(mpfr_add, a, b);
  }
  friend Mpfr operator-(const Mpfr& a, const Mpfr& b) {
    return By(mpfr_sub, a, b);
  }
  friend Mpfr operator*(const Mpfr& a, const Mpfr& b) {
    return By(mpfr_mul, a, b);
  }
  friend Mpfr operator/(const Mpfr& a, const Mpfr& b) {
    return By(mpfr_div, a, b);
  }
  friend Mpfr operator-(const Mpfr& a) { return 0.0 - a; }
  friend bool operator<(const Mpfr& a, const Mpfr& b) {
    return mpfr_less_p(a.get(), b.get()) != 0;
  }
  bool IsFinite() const { return mpfr_number_p(value_) != 0; }
  bool IsZero() const { return mpfr_zero_p(value_) != 0; }

 private:
  mpfr_t value_;
};

inline Mpfr Scaled(const Mpfr& x, int exponent) {
  Mpfr result;
  mpfr_mul_2si(result.get(), x.get(), exponent, MPFR_RNDN);
  return result;
}
inline Mpfr Absolute(const Mpfr& x) { return x < Mpfr(0) ? -x : x; }

struct Complex {
  Mpfr re, im;
};
inline Complex operator+(const Complex& a, const Complex& b) {
  return {a.re + b.re, a.im + b.im};
}
inline Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Complex operator/(const Complex& a, const Complex& b) {
  const Mpfr d = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}
inline Mpfr Modulus(const Complex& z) {
  return Mpfr::By(mpfr_sqrt, z.re * z.re + z.im * z.im);
}
inline Complex Exp(const Complex& z) {
  const Mpfr e = Mpfr::By(mpfr_exp, z.re);
  return {e * Mpfr::By(mpfr_cos, z.im), e * Mpfr::By(mpfr_sin, z.im)};
}
// Returns the value on the upper side of the cut.
inline Complex Log(const Complex& z) {
  return {Mpfr::By(mpfr_log, Modulus(z)), Mpfr::By(mpfr_atan2, z.im, z.re)};
}
inline Complex Sine(const Complex& z) {
  return {Mpfr::By(mpfr_sin, z.re) * Mpfr::By(mpfr_cosh, z.im),
          Mpfr::By(mpfr_cos, z.re) * Mpfr::By(mpfr_sinh, z.im)};
}
inline Complex Cosine(const Complex& z) {
  return {Mpfr::By(mpfr_cos, z.re) * Mpfr::By(mpfr_cosh, z.im),
          -(Mpfr::By(mpfr_sin, z.re) * Mpfr::By(mpfr_sinh, z.im))};
}
inline Complex PowerOf(const Complex& z, const Complex& w) {
  return Exp(w * Log(z));
}

inline Complex Evaluate(ComplexFunction f, const Complex& z, const Complex& w) {
  using enum ComplexFunction;
  const Complex one{1, 0}, i{0, 1};
  switch (f) {
    case kAbs:
      return {Modulus(z), 0};
    case kAtan2: {
      const Complex squares = w * w + z * z;
      const Complex root = PowerOf(squares, {0.5, 0});
      const Complex log = Log((w + i * z) / root);
      return {log.im, -log.re};
    }
    case kCbrt:
      return PowerOf(z, {Mpfr(1) / Mpfr(3), 0});
    case kCosine:
      return Cosine(z);
    case kDivide:
      return z / w;
    case kExponential:
      return Exp(z);
    case kExponentialMinusOne: {
      const Mpfr half = Mpfr::By(mpfr_sin, z.im * Mpfr(0.5));
      const Mpfr e = Mpfr::By(mpfr_exp, z.re);
      return {Mpfr::By(mpfr_expm1, z.re) - Mpfr(2) * e * half * half,
              e * Mpfr::By(mpfr_sin, z.im)};
    }
    case kLog:
      return Log(z);
    case kLogPlusOne:
      return Log(z + one);
    case kLogistic: {
      const Complex minus{-z.re, -z.im};
      return one / (one + Exp(minus));
    }
    case kMultiply:
      return z * w;
    case kPower:
      return PowerOf(z, w);
    case kRsqrt:
      return PowerOf(z, {-0.5, 0});
    case kSign: {
      const Mpfr modulus = Modulus(z);
      return {z.re / modulus, z.im / modulus};
    }
    case kSine:
      return Sine(z);
    case kSqrt:
      return PowerOf(z, {0.5, 0});
    case kTan:
      return Sine(z) / Cosine(z);
    case kTanh: {
      const Complex t = i * z;  // tanh(z) = -i tan(iz)
      const Complex tan = Sine(t) / Cosine(t);
      return {tan.im, -tan.re};
    }
  }
  return one;
}

}  // namespace assay::reference

#endif  // ASSAY_ORACLE_REAL_COMPLEX_REFERENCE_TEST_SUPPORT_H_
