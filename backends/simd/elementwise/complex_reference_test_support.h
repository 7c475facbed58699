// The reference computes the complex functions by their textbook formulas, in
// MPFR numbers of so many bits that no cancellation of f32 or f64 operands
// matters: 1 + 2^-1074 still has 200 bits behind the lesser one. The kernels
// have other formulas and far fewer digits.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_REFERENCE_TEST_SUPPORT_H_

#include <mpfr.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace assay::simd_test {

class Real {
 public:
  Real() : Real(0) {}
  Real(double value) {  // NOLINT: numbers in formulas.
    mpfr_init2(value_, kBits);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Real(const Real& other) : Real(0) { *this = other; }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  // F is a function of MPFR of one or two numbers.
  template <class F, class... Operands>
  static Real Of(F f, const Operands&... operands) {
    Real result;
    f(result.value_, operands.value_..., MPFR_RNDN);
    return result;
  }
  friend Real operator+(const Real& a, const Real& b) {
    return Of(mpfr_add, a, b);
  }
  friend Real operator-(const Real& a, const Real& b) {
    return Of(mpfr_sub, a, b);
  }
  friend Real operator*(const Real& a, const Real& b) {
    return Of(mpfr_mul, a, b);
  }
  friend Real operator/(const Real& a, const Real& b) {
    return Of(mpfr_div, a, b);
  }
  Real operator-() const { return Of(mpfr_neg, *this); }

  double ToDouble() const { return mpfr_get_d(value_, MPFR_RNDN); }
  bool IsFinite() const { return mpfr_number_p(value_) != 0; }
  bool IsZero() const { return mpfr_zero_p(value_) != 0; }
  // Returns the e of 2^e <= |value| < 2^(e+1).
  long Exponent() const { return mpfr_get_exp(value_) - 1; }

 private:
  static constexpr int kBits = 2400;

  mpfr_t value_;
};

inline Real Power2(long exponent) {
  return Real::Of(mpfr_exp2, Real(static_cast<double>(exponent)));
}

struct Number {
  Real re;
  Real im;
};

inline Number operator+(const Number& a, const Number& b) {
  return {a.re + b.re, a.im + b.im};
}
inline Number operator-(const Number& a, const Number& b) {
  return {a.re - b.re, a.im - b.im};
}
inline Number operator*(const Number& a, const Number& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Number operator/(const Number& a, const Real& b) {
  return {a.re / b, a.im / b};
}
inline Number operator/(const Number& a, const Number& b) {
  return a * Number{b.re, -b.im} / (b.re * b.re + b.im * b.im);
}
inline Number TimesI(const Number& z) { return {-z.im, z.re}; }
inline Number OverI(const Number& z) { return {z.im, -z.re}; }

inline Real Hypotenuse(const Number& z) {
  return Real::Of(mpfr_hypot, z.re, z.im);
}

inline Number NaturalLog(const Number& z) {
  return {Real::Of(mpfr_log, Hypotenuse(z)), Real::Of(mpfr_atan2, z.im, z.re)};
}

inline Number ExpOf(const Number& z) {
  const Real scale = Real::Of(mpfr_exp, z.re);
  return {scale * Real::Of(mpfr_cos, z.im), scale * Real::Of(mpfr_sin, z.im)};
}

inline const Number kOne = {1, 0};
inline const Number kZero = {0, 0};

inline bool IsZero(const Number& z) { return z.re.IsZero() && z.im.IsZero(); }

inline Number RootOf(const Number& z, double degree) {
  return IsZero(z) ? kZero : ExpOf(NaturalLog(z) / Real(degree));
}

// For a positive real part the formula uses exp(-2 z), which does not overflow.
inline Number TanhOf(const Number& z) {
  const bool is_positive = z.re.ToDouble() > 0;
  const Number e = ExpOf((is_positive ? kZero - z : z) / Real(0.5));
  return (is_positive ? kOne - e : e - kOne) / (kOne + e);
}

inline Number LogisticOf(const Number& z) {
  if (z.re.ToDouble() > 0) return kOne / (kOne + ExpOf(kZero - z));
  const Number e = ExpOf(z);
  return e / (kOne + e);
}

inline Number PowerOf(const Number& a, const Number& b) {
  if (IsZero(b)) return kOne;
  if (IsZero(a) && b.re.ToDouble() > 0) return kZero;
  return ExpOf(b * NaturalLog(a));
}

struct ReferenceFunction {
  const char* op;
  int num_inputs;
  Number (*of)(const Number& a, const Number& b);
};

using N = const Number&;
inline const ReferenceFunction kReferenceFunctions[] = {
    {"abs", 1,
     [](N z, N) {
       return Number{Hypotenuse(z), 0};
     }},
    {"atan2", 2,
     [](N y, N x) {
       return OverI(NaturalLog((x + TimesI(y)) / RootOf(x * x + y * y, 2)));
     }},
    {"cbrt", 1, [](N z, N) { return RootOf(z, 3); }},
    {"cosine", 1,
     [](N z, N) { return (ExpOf(TimesI(z)) + ExpOf(OverI(z))) / Real(2); }},
    {"divide", 2, [](N a, N b) { return a / b; }},
    {"exponential", 1, [](N z, N) { return ExpOf(z); }},
    {"exponential_minus_one", 1, [](N z, N) { return ExpOf(z) - kOne; }},
    {"log", 1, [](N z, N) { return NaturalLog(z); }},
    {"log_plus_one", 1,
     [](N z, N) {
       return NaturalLog(Number{Real(1) + z.re, z.im});
     }},
    {"logistic", 1, [](N z, N) { return LogisticOf(z); }},
    {"multiply", 2, [](N a, N b) { return a * b; }},
    {"power", 2, [](N a, N b) { return PowerOf(a, b); }},
    {"rsqrt", 1, [](N z, N) { return kOne / RootOf(z, 2); }},
    {"sign", 1, [](N z, N) { return IsZero(z) ? kZero : z / Hypotenuse(z); }},
    {"sine", 1,
     [](N z, N) {
       return OverI(ExpOf(TimesI(z)) - ExpOf(OverI(z))) / Real(2);
     }},
    {"sqrt", 1, [](N z, N) { return RootOf(z, 2); }},
    {"tan", 1, [](N z, N) { return OverI(TanhOf(TimesI(z))); }},
    {"tanh", 1, [](N z, N) { return TanhOf(z); }},
};

// Returns the larger error of the parts of a result (x, y), in units in the
// last place of the larger part of `exact`, or nothing if `exact` is not a
// finite number of T.
template <class T>
std::optional<double> UlpError(T x, T y, const Number& exact) {
  using Limits = std::numeric_limits<T>;
  if (!exact.re.IsFinite() || !exact.im.IsFinite()) return std::nullopt;
  long exponent = Limits::min_exponent - 1;
  for (const Real& part : {exact.re, exact.im}) {
    if (!part.IsZero()) exponent = std::max(exponent, part.Exponent());
  }
  const Real ulp = Power2(exponent - Limits::digits + 1);
  const Real limit = Power2(Limits::max_exponent) -
                     Power2(Limits::max_exponent - Limits::digits - 1);
  for (const Real& part : {exact.re, exact.im}) {
    const Real room = limit - Real::Of(mpfr_abs, part);
    if (room.ToDouble() <= 0) return std::nullopt;
  }
  double error = 0;
  for (const auto& [part, of_exact] : {std::pair(x, exact.re), {y, exact.im}}) {
    if (!(part - part == 0)) return Limits::infinity();
    const Real difference = Real(part) - of_exact;
    error = std::max(error, (Real::Of(mpfr_abs, difference) / ulp).ToDouble());
  }
  return error;
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_REFERENCE_TEST_SUPPORT_H_
