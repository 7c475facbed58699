// Tests compare complex functions with their literal definitions in MPFR
// numbers of so many bits that nothing is lost, however operands cancel and
// whatever exponents they have. The difference is measured in units in the last
// place of the larger part.
//
// The precision is MPFR's default one, which Reference sets.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_REFERENCE_TEST_SUPPORT_H_

#include <math.h>
#include <mpfr.h>

#include <algorithm>
#include <limits>

namespace assay::cuda_test {

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

// The operators work in place, on copies.
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
inline Big operator-(Big a) { return mpfr_neg(a.value, a.value, MPFR_RNDN), a; }
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
// Returns the e of 2^e <= |a| < 2^(e+1), for a number that is not zero.
inline long ExponentOf(const Big& a) { return mpfr_get_exp(a.value) - 1; }
inline Big TimesPowerOfTwo(Big a, long e) {
  return mpfr_mul_2si(a.value, a.value, e, MPFR_RNDN), a;
}

struct BigComplex {
  Big re;
  Big im;
};
using Z = const BigComplex&;

inline bool IsZero(Z z) { return IsZero(z.re) && IsZero(z.im); }
inline BigComplex operator-(Z z) { return {-z.re, -z.im}; }
inline BigComplex operator+(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
inline BigComplex operator*(Z a, Z b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline BigComplex operator*(Z a, const Big& b) { return {a.re * b, a.im * b}; }
inline Big NormOf(Z z) { return z.re * z.re + z.im * z.im; }
inline BigComplex operator/(Z a, Z b) {
  return a * BigComplex{b.re, -b.im} * (1 / NormOf(b));
}
inline BigComplex ByI(Z z) { return {-z.im, z.re}; }

inline BigComplex ExpOf(Z z) {
  return BigComplex{Cos(z.im), Sin(z.im)} * Exp(z.re);
}
inline BigComplex LogOf(Z z) { return {Log(NormOf(z)) / 2, ATan2(z.im, z.re)}; }
inline BigComplex RootOf(Z z, int degree) {
  return IsZero(z) ? z : ExpOf(LogOf(z) * (Big(1) / degree));
}
// A positive real part is negated, since e would overflow.
inline BigComplex TanhOf(Z z) {
  if (IsNegative(-z.re)) return -TanhOf(-z);
  const BigComplex e = ExpOf(z * 2);
  return (e + BigComplex{-1, 0}) / (e + BigComplex{1, 0});
}
inline BigComplex LogisticOf(Z z) {
  const BigComplex one = {1, 0};
  if (!IsNegative(z.re)) return one / (one + ExpOf(-z));
  const BigComplex e = ExpOf(z);
  return e / (one + e);
}

// A Reference is the op of this name; `b` is the second operand of ops that
// have one.
struct Reference {
  const char* op;
  int num_inputs;
  double budget;
  int bits;
  BigComplex (*of)(Z a, Z b);

  BigComplex operator()(double a_re, double a_im, double b_re,
                        double b_im) const {
    mpfr_set_default_prec(bits);
    return of({a_re, a_im}, {b_re, b_im});
  }
};

// 2400 bits hold 1 + 2^-1074 squared with 250 to spare; the squares in the
// definition of atan2 need twice as many.
inline const Reference kReferences[] = {
    {"abs", 1, 2, 2400,
     [](Z z, Z) {
       return BigComplex{Sqrt(NormOf(z)), 0};
     }},
    {"atan2", 2, 8, 5000,
     [](Z y, Z x) {
       return -ByI(LogOf((x + ByI(y)) / RootOf(x * x + y * y, 2)));
     }},
    {"cbrt", 1, 8, 400, [](Z z, Z) { return RootOf(z, 3); }},
    {"cosine", 1, 4, 2400,
     [](Z z, Z) { return (ExpOf(ByI(z)) + ExpOf(-ByI(z))) * 0.5; }},
    {"divide", 2, 8, 2400, [](Z a, Z b) { return a / b; }},
    {"exponential", 1, 4, 400, [](Z z, Z) { return ExpOf(z); }},
    {"exponential_minus_one", 1, 4, 2400,
     [](Z z, Z) {
       return ExpOf(z) + BigComplex{-1, 0};
     }},
    {"log", 1, 4, 2400, [](Z z, Z) { return LogOf(z); }},
    {"log_plus_one", 1, 4, 2400,
     [](Z z, Z) {
       return LogOf({z.re + 1, z.im});
     }},
    {"logistic", 1, 8, 2400, [](Z z, Z) { return LogisticOf(z); }},
    {"multiply", 2, 4, 2400, [](Z a, Z b) { return a * b; }},
    {"power", 2, 8, 2400,
     [](Z a, Z b) {
       if (IsZero(b)) return BigComplex{1, 0};
       if (IsZero(a) && !IsNegative(b.re) && !IsZero(b.re)) return a * 0;
       return ExpOf(b * LogOf(a));
     }},
    {"rsqrt", 1, 8, 400,
     [](Z z, Z) {
       return BigComplex{1, 0} / RootOf(z, 2);
     }},
    {"sign", 1, 8, 400,
     [](Z z, Z) { return IsZero(z) ? z : z * (1 / Sqrt(NormOf(z))); }},
    {"sine", 1, 4, 2400,
     [](Z z, Z) { return ByI(ExpOf(-ByI(z)) + -ExpOf(ByI(z))) * 0.5; }},
    {"sqrt", 1, 4, 400, [](Z z, Z) { return RootOf(z, 2); }},
    {"tan", 1, 8, 2400, [](Z z, Z) { return -ByI(TanhOf(ByI(z))); }},
    {"tanh", 1, 8, 2400, [](Z z, Z) { return TanhOf(z); }},
};

// Returns the larger error of the parts of a result, in units in the last place
// of the larger part of `exact`, or a negative number if `exact` is not a
// finite number of T.
template <class T>
double UlpError(T re, T im, Z exact) {
  using Limits = std::numeric_limits<T>;
  if (!IsFinite(exact.re) || !IsFinite(exact.im)) return -1;
  long exponent = Limits::min_exponent - 1;
  for (const Big* part : {&exact.re, &exact.im}) {
    if (!IsZero(*part)) exponent = std::max(exponent, ExponentOf(*part));
    // Rounded to T, the part is infinite.
    const Big half_a_step =
        TimesPowerOfTwo(1, Limits::max_exponent - Limits::digits - 1);
    const Big room = Abs(*part) - double{Limits::max()} - half_a_step;
    if (!IsNegative(room)) return -1;
  }
  const long ulp = exponent - Limits::digits + 1;
  if (!(re - re == 0 && im - im == 0)) return HUGE_VAL;
  const double of_re = ToDouble(TimesPowerOfTwo(Abs(exact.re - re), -ulp));
  const double of_im = ToDouble(TimesPowerOfTwo(Abs(exact.im - im), -ulp));
  return std::max(of_re, of_im);
}

}  // namespace assay::cuda_test

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_REFERENCE_TEST_SUPPORT_H_
