// The elementary functions of real numbers: which library or kernel computes
// what, and where the library has to be put right. docs/simd_functions.md has
// the measurements behind every choice.
//
// All functors give a lane the same result whatever the other lanes are.
// Included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_REAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_REAL_INL_H_
#undef ASSAY_BACKENDS_SIMD_REAL_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_REAL_INL_H_
#endif

#include "backends/simd/lanes-inl.h"
#include "backends/simd/sleef-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using Exponential = SleefExp;
using ExponentialMinusOne = SleefExpm1;
using HyperbolicTangent = SleefTanh;
using Logarithm = SleefLog;
using CubeRoot = SleefCbrt;
using ArcTangent2 = SleefAtan2;
using Power = SleefPow;

// SLEEF's log1p is +inf from about 1e38 (f32) and 1e307 (f64) on, where adding
// 1 has long ceased to matter.
struct LogarithmPlusOne {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const auto is_large = hn::Gt(x, hn::Set(d, Lane<D>{0x1p100}));
    const V result = SleefLog1p()(d, x);
    if (hn::AllFalse(d, is_large)) return result;
    return hn::IfThenElse(is_large, SleefLog()(d, x), result);
  }
};

// With e = exp(-|x|), which cannot overflow: 1 / (1 + e) or e / (1 + e). Where
// e is subnormal the sum is 1, so that nothing is rounded twice.
struct Logistic {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, Lane<D>{1});
    const V e = Exponential()(d, hn::Neg(hn::Abs(x)));
    const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one);
    return hn::Div(numerator, hn::Add(one, e));
  }
};

// Two roundings: at most 1.5 ulp.
struct ReciprocalSquareRoot {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, Lane<D>{1}), hn::Sqrt(x));
  }
};

// SLEEF reduces the operands of a vector of f64 by the method that the largest
// one needs, so that a lane's last bit would depend on the others. Here every
// call has operands of one range only: below 15, below 1e14, and all others.
template <class Function>
struct ByRange {
  HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x) const {
    return Function()(d, x);
  }

  HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const {
    const auto magnitude = hn::Abs(x);
    const auto is_small = hn::Lt(magnitude, hn::Set(d, 15.0));
    auto result = Function()(d, hn::IfThenElseZero(is_small, x));
    if (hn::AllTrue(d, is_small)) return result;
    const auto is_huge = hn::Not(hn::Lt(magnitude, hn::Set(d, 1e14)));
    const auto is_medium = hn::Not(hn::Or(is_small, is_huge));
    if (!hn::AllFalse(d, is_medium)) {
      const auto medium = hn::IfThenElse(is_medium, x, hn::Set(d, 16.0));
      result = hn::IfThenElse(is_medium, Function()(d, medium), result);
    }
    if (!hn::AllFalse(d, is_huge)) {
      const auto huge = hn::IfThenElse(is_huge, x, hn::Set(d, 1e15));
      result = hn::IfThenElse(is_huge, Function()(d, huge), result);
    }
    return result;
  }
};

using Sine = ByRange<SleefSin>;
using Cosine = ByRange<SleefCos>;
using Tangent = ByRange<SleefTan>;

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_REAL_INL_H_
