// The maximum and the minimum of floats, for elements and for reductions.
#if defined(ASSAY_BACKENDS_SIMD_CORE_EXTREMA_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_CORE_EXTREMA_INL_H_
#undef ASSAY_BACKENDS_SIMD_CORE_EXTREMA_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_CORE_EXTREMA_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// This is the maximum of IEEE 754-2019: equal operands differ at most in the
// sign of a zero, and +0 wins; a NaN wins over everything.
struct FloatMaximum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    const auto ordered = hn::IfThenElse(hn::Lt(b, a), a, b);
    const auto numbers = hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), ordered);
    return hn::IfThenElse(hn::IsNaN(a), a, numbers);
  }
};

struct FloatMinimum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    const auto ordered = hn::IfThenElse(hn::Lt(a, b), a, b);
    const auto numbers = hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), ordered);
    return hn::IfThenElse(hn::IsNaN(a), a, numbers);
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_CORE_EXTREMA_INL_H_
