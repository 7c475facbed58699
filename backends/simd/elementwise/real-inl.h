// These are the elementary functions of real numbers: the choice of a library
// or kernel for each of them, and corrections where the library is wrong.
// docs/simd_functions.md has the measurements behind every choice.
//
// All functors give a lane the same result whatever the other lanes are. This
// file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_INL_H_
#undef ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_INL_H_
#endif

#include <limits>

#include "backends/simd/core/lanes-inl.h"
#include "backends/simd/elementwise/exp-inl.h"
#include "backends/simd/elementwise/f32_by_f64-inl.h"
#include "backends/simd/elementwise/sleef-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using CubeRoot = SleefCbrt;
// Without a fused multiply-add SLEEF was off by 1.87 ulp where the result is
// subnormal. A small angle equals the quotient q: q^3 / 3 is less than 2^-60 of
// q.
struct ArcTangent2 {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V y, V x) const {
    const V result = SleefAtan2()(d, y, x);
    const V quotient = hn::Div(y, x);
    const auto is_small =
        hn::And(hn::Gt(x, hn::Zero(d)),
                hn::Lt(hn::Abs(quotient), hn::Set(d, Lane<D>{0x1p-30})));
    return hn::IfThenElse(is_small, quotient, result);
  }
};

struct Exponential {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ExpOf(d, x);
  }
};

struct ExponentialMinusOne {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return Expm1Of(d, x);
  }
};

struct HyperbolicTangent {
  HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x) const {
    return TanhF32(d, x);
  }
  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const {
    return TanhF64(d, x);
  }
};

// Highway's logarithm takes any bits for those of a positive number, so this
// functor handles all other operands.
struct Logarithm {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V infinity = hn::Set(d, std::numeric_limits<Lane<D>>::infinity());
    const auto is_valid = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, infinity));
    const V result = hn::Log(d, x);
    if (HWY_LIKELY(hn::AllTrue(d, is_valid))) return result;
    // Zeros give -inf and negative numbers give NaN; NaN and +inf are returned
    // as they are.
    const V of_other = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::NaN(d), x);
    const V special =
        hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), of_other);
    return hn::IfThenElse(is_valid, result, special);
  }
};

// exp(y * log(x)) needs more bits than its result has, namely as many more as y
// * log(x) has before the point. SLEEF carries f64 in two parts; for f32, f64
// is enough.
struct Power {
  // SLEEF returns infinity beyond exp(709.78271114955743), while the largest
  // finite number is exp(709.78271289338397). In between, the result is the
  // square of x^(y/2), which has half an ulp of error.
  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x,
                                     hn::Vec<F64> y) const {
    const auto result = SleefPow()(d, x, y);
    // Halves of subnormal exponents could be zeros.
    const auto is_infinite =
        hn::And(hn::IsInf(result), hn::Gt(hn::Abs(y), hn::Set(d, 0x1p-1000)));
    if (HWY_LIKELY(hn::AllFalse(d, is_infinite))) return result;
    const auto root = SleefPow()(d, hn::Abs(x), hn::Mul(y, hn::Set(d, 0.5)));
    return hn::IfThenElse(is_infinite,
                          hn::CopySign(hn::Mul(root, root), result), result);
  }

  HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x,
                                     hn::Vec<F32> y) const {
    return PowF32(d, x, y);
  }
};

// With u = 1 + x rounded, the result is log(u) + (x - (u - 1)) / u: the second
// term is the part that the rounding lost. For -1, +inf, NaN and numbers less
// than -1 the result is log(u). Where u is 1, the result is x, since log1p(x)
// differs from it by less than 2^-53 of x.
struct LogarithmPlusOne {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, Lane<D>{1});
    const V infinity = hn::Set(d, std::numeric_limits<Lane<D>>::infinity());
    const V u = hn::Add(one, x);
    const V lost = hn::Sub(x, hn::Sub(u, one));
    const V log = Logarithm()(d, u);
    const auto is_finite = hn::Lt(hn::Abs(log), infinity);
    const V correction = hn::IfThenElseZero(is_finite, hn::Div(lost, u));
    const V result = hn::Add(log, correction);
    return hn::IfThenElse(hn::Eq(u, one), x, result);
  }
};

// With e = exp(-|x|), which cannot overflow, the result is 1 / (1 + e) or e /
// (1 + e). Where e is subnormal the sum is 1, so that nothing is rounded twice.
struct Logistic {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, Lane<D>{1});
    const V e = Exponential()(d, hn::Neg(hn::Abs(x)));
    const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one);
    return hn::Div(numerator, hn::Add(one, e));
  }
};

// The result is rounded twice: it is off by at most 1.5 ulp.
struct ReciprocalSquareRoot {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, Lane<D>{1}), hn::Sqrt(x));
  }
};

// SLEEF's tangent of the least f64 is 0, and that of its negative is +0. For
// these x the tangent equals x, since x^3 / 3 is less than 2^-60 of them.
struct KeepingTinyTan {
  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const {
    const auto is_tiny = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-30));
    return hn::IfThenElse(is_tiny, x, SleefTan()(d, x));
  }
  HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x) const {
    return SleefTan()(d, x);
  }
};

// Small operands of f32 are computed in f64, the others by SLEEF, which has
// enough bits of 2 / pi.
//
// SLEEF reduces the operands of a vector of f64 by the method that the largest
// one needs, so that a lane's last bit would depend on the others. Here every
// call has operands of one range only: below 15, below 1e14, and all others.
template <class OfSmallF32, class Sleef>
struct OfAngle {
  HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x) const {
    const auto is_small = hn::Lt(hn::Abs(x), hn::Set(d, 0x1p20f));
    const auto result = InF64<OfSmallF32>(x);
    if (HWY_LIKELY(hn::AllTrue(d, is_small))) return result;
    return hn::IfThenElse(is_small, result, Sleef()(d, x));
  }

  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const {
    const auto magnitude = hn::Abs(x);
    const auto is_small = hn::Lt(magnitude, hn::Set(d, 15.0));
    auto result = Sleef()(d, hn::IfThenElseZero(is_small, x));
    if (HWY_LIKELY(hn::AllTrue(d, is_small))) return result;
    const auto is_huge = hn::Not(hn::Lt(magnitude, hn::Set(d, 1e14)));
    const auto is_medium = hn::Not(hn::Or(is_small, is_huge));
    if (!hn::AllFalse(d, is_medium)) {
      const auto medium = hn::IfThenElse(is_medium, x, hn::Set(d, 16.0));
      result = hn::IfThenElse(is_medium, Sleef()(d, medium), result);
    }
    if (!hn::AllFalse(d, is_huge)) {
      const auto huge = hn::IfThenElse(is_huge, x, hn::Set(d, 1e15));
      result = hn::IfThenElse(is_huge, Sleef()(d, huge), result);
    }
    return result;
  }
};

using Sine = OfAngle<SineInF64<0>, SleefSin>;
using Cosine = OfAngle<SineInF64<1>, SleefCos>;
using Tangent = OfAngle<TangentInF64, KeepingTinyTan>;

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_INL_H_
