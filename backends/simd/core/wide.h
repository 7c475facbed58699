// These are the real functions in the types that complex functions compute in:
// double for f32; long double for f64, with 11 bits more and exponents enough
// for any product; and quad, of 113 bits, where a sign depends on all bits of a
// product or an angle is large.
//
// With glibc's functions in long double, whose errors are up to 5 units of its
// last place, f64 results were within 0.5012 units; in quad they were within
// 0.5003 at most but took 10 times as long. Both may use the x87 unit: see
// X87Environment.
#ifndef ASSAY_BACKENDS_SIMD_CORE_WIDE_H_
#define ASSAY_BACKENDS_SIMD_CORE_WIDE_H_

#include <fenv.h>
#include <math.h>

namespace assay::simd {

__extension__ typedef __float128 Quad;

// glibc's functions are declared under our own names: clang 14 finds no
// declarations in its headers, and later compilers find some of a type that is
// not __float128.
extern "C" {
Quad assay_quad_atan2(Quad y, Quad x) __asm__("atan2f128");
Quad assay_quad_copysign(Quad x, Quad sign) __asm__("copysignf128");
Quad assay_quad_exp(Quad x) __asm__("expf128");
Quad assay_quad_fmod(Quad x, Quad y) __asm__("fmodf128");
Quad assay_quad_log(Quad x) __asm__("logf128");
Quad assay_quad_log1p(Quad x) __asm__("log1pf128");
void assay_quad_sincos(Quad x, Quad* sin, Quad* cos) __asm__("sincosf128");
}

template <class W>
struct SineCosine {
  W sine;
  W cosine;
};

inline double ATan2(double y, double x) { return atan2(y, x); }
inline double Cbrt(double x) { return cbrt(x); }
inline double CopySign(double x, double sign) { return copysign(x, sign); }
inline double Cosh(double x) { return cosh(x); }
inline double Exp(double x) { return exp(x); }
inline double ExpM1(double x) { return expm1(x); }
inline double Log(double x) { return log(x); }
inline double Log1P(double x) { return log1p(x); }
inline SineCosine<double> SinCos(double x) { return {sin(x), cos(x)}; }
inline double Sinh(double x) { return sinh(x); }
inline double Sqrt(double x) { return sqrt(x); }

inline long double ATan2(long double y, long double x) { return atan2l(y, x); }
inline long double Cbrt(long double x) { return cbrtl(x); }
inline long double CopySign(long double x, long double sign) {
  return copysignl(x, sign);
}
inline long double Cosh(long double x) { return coshl(x); }
inline long double Exp(long double x) { return expl(x); }
inline long double ExpM1(long double x) { return expm1l(x); }
inline long double Log(long double x) { return logl(x); }
inline long double Log1P(long double x) { return log1pl(x); }
inline SineCosine<long double> SinCos(long double x) {
  return {sinl(x), cosl(x)};
}
inline long double Sinh(long double x) { return sinhl(x); }
inline long double Sqrt(long double x) { return sqrtl(x); }

inline Quad ATan2(Quad y, Quad x) { return assay_quad_atan2(y, x); }
inline Quad CopySign(Quad x, Quad sign) { return assay_quad_copysign(x, sign); }
inline Quad Exp(Quad x) { return assay_quad_exp(x); }
inline Quad FMod(Quad x, Quad y) { return assay_quad_fmod(x, y); }
inline Quad Log(Quad x) { return assay_quad_log(x); }
inline Quad Log1P(Quad x) { return assay_quad_log1p(x); }
inline SineCosine<Quad> SinCos(Quad x) {
  SineCosine<Quad> result;
  assay_quad_sincos(x, &result.sine, &result.cosine);
  return result;
}

template <class W>
W Abs(W x) {
  return CopySign(x, W(1));
}

template <class W>
bool IsNan(W x) {
  return x != x;
}

template <class W>
bool IsFinite(W x) {
  return !IsNan(x - x);
}

template <class W>
bool IsInfinite(W x) {
  return !IsNan(x) && !IsFinite(x);
}

// Returns pi to the precision of W.
template <class W>
W Pi() {
  static const W pi = ATan2(W(0), W(-1));
  return pi;
}

// While an X87Environment exists, the x87 unit computes with all of its bits,
// to nearest and without traps. Its destructor restores the caller's
// environment, flags included.
class X87Environment {
 public:
  X87Environment() {
    fegetenv(&callers_);
    fesetenv(FE_DFL_ENV);
  }
  ~X87Environment() { fesetenv(&callers_); }
  X87Environment(const X87Environment&) = delete;
  X87Environment& operator=(const X87Environment&) = delete;

 private:
  fenv_t callers_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_WIDE_H_
