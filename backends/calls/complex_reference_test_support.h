// What tests of kernels compare functions with: those of GNU MPFR and, of
// complex numbers, of GNU MPC, which rounds each part of a result once, however
// operands cancel and whatever exponents they have; and the distance from it in
// units in the last place of the larger part.
//
// The precision is MPFR's default one, which ReferenceFunction sets.
#ifndef ASSAY_BACKENDS_CALLS_COMPLEX_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_CALLS_COMPLEX_REFERENCE_TEST_SUPPORT_H_

#include <mpc.h>
#include <mpfr.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace assay::reference {

class Big {
 public:
  Big() { mpfr_init_set_ui(value, 0, MPFR_RNDN); }
  Big(double x) {  // NOLINT: numbers in formulas.
    mpfr_init_set_d(value, x, MPFR_RNDN);
  }
  Big(const Big& other) { mpfr_init_set(value, other.value, MPFR_RNDN); }
  Big& operator=(const Big& other) {
    mpfr_set(value, other.value, MPFR_RNDN);
    return *this;
  }
  ~Big() { mpfr_clear(value); }

  mpfr_t value;
};

// In place, on copies.
inline Big operator+(Big a, const Big& b) {
  return mpfr_add(a.value, a.value, b.value, MPFR_RNDN), a;
}
inline Big operator-(Big a, const Big& b) {
  return mpfr_sub(a.value, a.value, b.value, MPFR_RNDN), a;
}
inline Big operator*(Big a, const Big& b) {
  return mpfr_mul(a.value, a.value, b.value, MPFR_RNDN), a;
}
inline Big operator/(Big a, const Big& b) {
  return mpfr_div(a.value, a.value, b.value, MPFR_RNDN), a;
}
inline Big Abs(Big a) { return mpfr_abs(a.value, a.value, MPFR_RNDN), a; }
inline Big Exp(Big a) { return mpfr_exp(a.value, a.value, MPFR_RNDN), a; }
inline Big ExpMinusOne(Big a) {
  return mpfr_expm1(a.value, a.value, MPFR_RNDN), a;
}
inline Big Log(Big a) { return mpfr_log(a.value, a.value, MPFR_RNDN), a; }
inline Big Sin(Big a) { return mpfr_sin(a.value, a.value, MPFR_RNDN), a; }
inline Big Cos(Big a) { return mpfr_cos(a.value, a.value, MPFR_RNDN), a; }
inline Big Sqrt(Big a) { return mpfr_sqrt(a.value, a.value, MPFR_RNDN), a; }
inline Big ATan2(Big y, const Big& x) {
  return mpfr_atan2(y.value, y.value, x.value, MPFR_RNDN), y;
}
inline Big Power(Big x, const Big& y) {
  return mpfr_pow(x.value, x.value, y.value, MPFR_RNDN), x;
}
inline bool IsZero(const Big& a) { return mpfr_zero_p(a.value) != 0; }
inline bool IsFinite(const Big& a) { return mpfr_number_p(a.value) != 0; }
inline bool IsNegative(const Big& a) { return mpfr_sgn(a.value) < 0; }
inline double ToDouble(const Big& a) { return mpfr_get_d(a.value, MPFR_RNDN); }
// e of 2^e <= |a| < 2^(e+1), of a number that is not zero.
inline long ExponentOf(const Big& a) { return mpfr_get_exp(a.value) - 1; }
inline Big TimesPowerOfTwo(Big a, long e) {
  return mpfr_mul_2si(a.value, a.value, e, MPFR_RNDN), a;
}

class BigComplex {
 public:
  BigComplex(const Big& re, const Big& im) {
    mpc_init2(value, mpfr_get_default_prec());
    mpc_set_fr_fr(value, re.value, im.value, MPC_RNDNN);
  }
  BigComplex(const BigComplex& other) : BigComplex(other.re(), other.im()) {}
  BigComplex& operator=(const BigComplex&) = delete;
  ~BigComplex() { mpc_clear(value); }

  Big re() const { return PartOf(mpc_real); }
  Big im() const { return PartOf(mpc_imag); }

  mpc_t value;

 private:
  template <class F>
  Big PartOf(F part) const {
    Big x;
    part(x.value, value, MPFR_RNDN);
    return x;
  }
};
using Z = const BigComplex&;

// `function` of MPC.
template <class F, class... Operands>
BigComplex By(F function, const Operands&... operands) {
  BigComplex result(0, 0);
  function(result.value, operands.value..., MPC_RNDNN);
  return result;
}
inline BigComplex operator+(Z a, Z b) { return By(mpc_add, a, b); }
inline BigComplex operator-(Z a, Z b) { return By(mpc_sub, a, b); }
inline BigComplex operator*(Z a, Z b) { return By(mpc_mul, a, b); }
inline BigComplex operator/(Z a, Z b) { return By(mpc_div, a, b); }
inline BigComplex operator-(Z a) { return By(mpc_neg, a); }
inline bool IsZero(Z z) { return IsZero(z.re()) && IsZero(z.im()); }
inline Big AbsOf(Z z) {
  Big modulus;
  mpc_abs(modulus.value, z.value, MPFR_RNDN);
  return modulus;
}
// What tends to constants with the real part of z has come closer to them by
// then than numbers of f64 can, and to round that once MPC would need a
// precision as large as the part.
inline BigComplex WithRealPartInReach(Z z) {
  constexpr double kFar = 2000;
  return {std::clamp(ToDouble(z.re()), -kFar, kFar), z.im()};
}
inline const BigComplex kOne = {1, 0};
inline const BigComplex kI = {0, 1};

// The op of this name; `b` is the second operand of those that have one.
struct ReferenceFunction {
  // Sums of 1 and a number of f64 lose nothing, and 2^-1074 of them has more
  // than a thousand bits behind it.
  static constexpr int kBits = 2400;

  const char* op;
  int num_inputs;
  BigComplex (*of)(Z a, Z b);

  BigComplex operator()(double a_re, double a_im, double b_re,
                        double b_im) const {
    mpfr_set_default_prec(kBits);
    return of({a_re, a_im}, {b_re, b_im});
  }
};

// atan2 is -i log((x + iy) / sqrt(x^2 + y^2)), and the sum of squares the
// product of x + iy and x - iy, which cancel no more than x and y do.
inline const ReferenceFunction kReferenceFunctions[] = {
    {"abs", 1,
     [](Z z, Z) {
       return BigComplex{AbsOf(z), 0};
     }},
    {"atan2", 2,
     [](Z y, Z x) {
       const BigComplex sum = x + kI * y;
       const BigComplex root = By(mpc_sqrt, sum * (x - kI * y));
       return -(kI * By(mpc_log, sum / root));
     }},
    {"cbrt", 1,
     [](Z z, Z) {
       if (IsZero(z)) return z;
       return By(mpc_exp, By(mpc_log, z) / BigComplex{3, 0});
     }},
    {"cosine", 1, [](Z z, Z) { return By(mpc_cos, z); }},
    {"divide", 2, [](Z a, Z b) { return a / b; }},
    {"exponential", 1, [](Z z, Z) { return By(mpc_exp, z); }},
    {"exponential_minus_one", 1, [](Z z, Z) { return By(mpc_exp, z) - kOne; }},
    {"log", 1, [](Z z, Z) { return By(mpc_log, z); }},
    {"log_plus_one", 1,
     [](Z z, Z) { return By(mpc_log, By(mpc_add_fr, z, Big(1))); }},
    {"logistic", 1,
     [](Z z, Z) {
       return kOne / (kOne + By(mpc_exp, -WithRealPartInReach(z)));
     }},
    {"multiply", 2, [](Z a, Z b) { return a * b; }},
    {"power", 2, [](Z a, Z b) { return By(mpc_pow, a, b); }},
    {"rsqrt", 1, [](Z z, Z) { return kOne / By(mpc_sqrt, z); }},
    {"sign", 1,
     [](Z z, Z) { return IsZero(z) ? z : By(mpc_div_fr, z, AbsOf(z)); }},
    {"sine", 1, [](Z z, Z) { return By(mpc_sin, z); }},
    {"sqrt", 1, [](Z z, Z) { return By(mpc_sqrt, z); }},
    {"tan", 1,
     [](Z z, Z) { return -(kI * By(mpc_tanh, WithRealPartInReach(kI * z))); }},
    {"tanh", 1, [](Z z, Z) { return By(mpc_tanh, WithRealPartInReach(z)); }},
};

// The larger error of the parts of a result (x, y), in units in the last place
// of the larger part of `exact`. Nothing if that is not a finite number of T.
template <class T>
std::optional<double> UlpError(T x, T y, Z exact) {
  using Limits = std::numeric_limits<T>;
  const Big re = exact.re(), im = exact.im();
  if (!IsFinite(re) || !IsFinite(im)) return std::nullopt;
  long exponent = Limits::min_exponent - 1;
  for (const Big* part : {&re, &im}) {
    if (!IsZero(*part)) exponent = std::max(exponent, ExponentOf(*part));
    // Rounded to T, it is infinite.
    const Big half_a_step =
        TimesPowerOfTwo(1, Limits::max_exponent - Limits::digits - 1);
    const Big room = Abs(*part) - double{Limits::max()} - half_a_step;
    if (!IsNegative(room)) return std::nullopt;
  }
  const long ulp = exponent - Limits::digits + 1;
  if (!(x - x == 0 && y - y == 0)) return Limits::infinity();
  return std::max(ToDouble(TimesPowerOfTwo(Abs(re - x), -ulp)),
                  ToDouble(TimesPowerOfTwo(Abs(im - y), -ulp)));
}

}  // namespace assay::reference

#endif  // ASSAY_BACKENDS_CALLS_COMPLEX_REFERENCE_TEST_SUPPORT_H_
