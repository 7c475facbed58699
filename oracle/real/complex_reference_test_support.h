// Complex functions by GNU MPC, for tests of those by Arb: with so many bits
// that what cancels between operands of f64 leaves enough, where MPC lacks one.
#ifndef ASSAY_ORACLE_REAL_COMPLEX_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_ORACLE_REAL_COMPLEX_REFERENCE_TEST_SUPPORT_H_

#include <mpc.h>
#include <mpfr.h>

#include "oracle/real/complex_ball.h"

namespace assay::reference {

class Mpfr {
 public:
  static constexpr int kBits = 2500;

  Mpfr(double x = 0) {
    mpfr_init2(value_, kBits);
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

class Complex {
 public:
  Complex(const Mpfr& re = 0, const Mpfr& im = 0) {
    mpc_init2(value_, Mpfr::kBits);
    mpc_set_fr_fr(value_, re.get(), im.get(), MPC_RNDNN);
  }
  Complex(const Complex& z) : Complex() {
    mpc_set(value_, z.value_, MPC_RNDNN);
  }
  Complex& operator=(const Complex&) = delete;
  ~Complex() { mpc_clear(value_); }

  Mpfr re() const { return Mpfr::By(mpc_real, *this); }
  Mpfr im() const { return Mpfr::By(mpc_imag, *this); }
  mpc_srcptr get() const { return value_; }

  template <class F, class... X>
  static Complex By(F function, const X&... x) {
    Complex result;
    function(result.value_, x.get()..., MPC_RNDNN);
    return result;
  }
  friend Complex operator+(const Complex& a, const Complex& b) {
    return By(mpc_add, a, b);
  }
  friend Complex operator-(const Complex& a, const Complex& b) {
    return By(mpc_sub, a, b);
  }
  friend Complex operator*(const Complex& a, const Complex& b) {
    return By(mpc_mul, a, b);
  }
  friend Complex operator/(const Complex& a, const Complex& b) {
    return By(mpc_div, a, b);
  }

 private:
  mpc_t value_;
};

// What tends to constants with the real part of z has come closer to them by
// then than numbers of f64 can, and to round that once MPC would need a
// precision as large as the part.
inline Complex WithRealPartInReach(const Complex& z) {
  const Mpfr far = 2000, re = z.re();
  return {re < -far ? -far : far < re ? far : re, z.im()};
}

inline Complex Evaluate(ComplexFunction f, const Complex& z, const Complex& w) {
  using enum ComplexFunction;
  const Complex one(1), i(0, 1);
  switch (f) {
    case kAbs:
      return Mpfr::By(mpc_abs, z);
    case kAtan2: {
      const Complex root = Complex::By(mpc_sqrt, w * w + z * z);
      const Complex log = Complex::By(mpc_log, (w + i * z) / root);
      return {log.im(), -log.re()};
    }
    case kCbrt:
      return Complex::By(mpc_pow_fr, z, Mpfr(1) / Mpfr(3));
    case kCosine:
      return Complex::By(mpc_cos, z);
    case kDivide:
      return z / w;
    case kExponential:
      return Complex::By(mpc_exp, z);
    case kExponentialMinusOne:
      return Complex::By(mpc_exp, z) - one;
    case kLog:
      return Complex::By(mpc_log, z);
    case kLogPlusOne:
      return Complex::By(mpc_log, Complex::By(mpc_add_fr, z, Mpfr(1)));
    case kLogistic:
      return one /
             (one + Complex::By(mpc_exp, Complex() - WithRealPartInReach(z)));
    case kMultiply:
      return z * w;
    case kPower:
      return Complex::By(mpc_pow, z, w);
    case kRsqrt:
      return one / Complex::By(mpc_sqrt, z);
    case kSign:
      return Complex::By(mpc_div_fr, z, Mpfr::By(mpc_abs, z));
    case kSine:
      return Complex::By(mpc_sin, z);
    case kSqrt:
      return Complex::By(mpc_sqrt, z);
    case kTan:
      return Complex() - i * Complex::By(mpc_tanh, WithRealPartInReach(i * z));
    case kTanh:
      return Complex::By(mpc_tanh, WithRealPartInReach(z));
  }
  return one;
}

}  // namespace assay::reference

#endif  // ASSAY_ORACLE_REAL_COMPLEX_REFERENCE_TEST_SUPPORT_H_
