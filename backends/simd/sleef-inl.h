// The functions of SLEEF 3.5 that are used, under one name for all instruction
// sets and both lane types.
//
// They are declared here because sleef.h declares what the compiler's own
// target has, which is SSE2, and not what Highway compiles a region for. The
// suffix u10 promises 1.0 ulp; docs/simd_functions.md has what we found.
//
// Included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_SLEEF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_SLEEF_INL_H_
#undef ASSAY_BACKENDS_SIMD_SLEEF_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_SLEEF_INL_H_
#endif

#include "backends/simd/lanes-inl.h"
#include "hwy/highway.h"

// ASSAY_SLEEF(function) names the f32 function, ASSAY_SLEEF_F64 the f64 one.
#undef ASSAY_SLEEF
#undef ASSAY_SLEEF_F64
#if HWY_TARGET == HWY_AVX3
#define ASSAY_SLEEF(function) Sleef_##function##f16_u10avx512f
#define ASSAY_SLEEF_F64(function) Sleef_##function##d8_u10avx512f
#elif HWY_TARGET == HWY_AVX2
#define ASSAY_SLEEF(function) Sleef_##function##f8_u10avx2
#define ASSAY_SLEEF_F64(function) Sleef_##function##d4_u10avx2
#else
#define ASSAY_SLEEF(function) Sleef_##function##f4_u10sse4
#define ASSAY_SLEEF_F64(function) Sleef_##function##d2_u10sse4
#endif

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using F32 = hn::ScalableTag<float>;
using F64 = hn::ScalableTag<double>;
using F32Register = decltype(hn::Vec<F32>::raw);
using F64Register = decltype(hn::Vec<F64>::raw);

#undef ASSAY_SLEEF_UNARY
#define ASSAY_SLEEF_UNARY(Name, function)                           \
  extern "C" F32Register ASSAY_SLEEF(function)(F32Register);        \
  extern "C" F64Register ASSAY_SLEEF_F64(function)(F64Register);    \
  struct Name {                                                     \
    HWY_INLINE hn::Vec<F32> operator()(F32, hn::Vec<F32> x) const { \
      return hn::Vec<F32>{ASSAY_SLEEF(function)(x.raw)};            \
    }                                                               \
    HWY_INLINE hn::Vec<F64> operator()(F64, hn::Vec<F64> x) const { \
      return hn::Vec<F64>{ASSAY_SLEEF_F64(function)(x.raw)};        \
    }                                                               \
  };

#undef ASSAY_SLEEF_BINARY
#define ASSAY_SLEEF_BINARY(Name, function)                                    \
  extern "C" F32Register ASSAY_SLEEF(function)(F32Register, F32Register);     \
  extern "C" F64Register ASSAY_SLEEF_F64(function)(F64Register, F64Register); \
  struct Name {                                                               \
    HWY_INLINE hn::Vec<F32> operator()(F32, hn::Vec<F32> x,                   \
                                       hn::Vec<F32> y) const {                \
      return hn::Vec<F32>{ASSAY_SLEEF(function)(x.raw, y.raw)};               \
    }                                                                         \
    HWY_INLINE hn::Vec<F64> operator()(F64, hn::Vec<F64> x,                   \
                                       hn::Vec<F64> y) const {                \
      return hn::Vec<F64>{ASSAY_SLEEF_F64(function)(x.raw, y.raw)};           \
    }                                                                         \
  };

ASSAY_SLEEF_UNARY(SleefCbrt, cbrt)
ASSAY_SLEEF_UNARY(SleefCos, cos)
ASSAY_SLEEF_UNARY(SleefSin, sin)
ASSAY_SLEEF_UNARY(SleefTan, tan)
ASSAY_SLEEF_BINARY(SleefAtan2, atan2)
ASSAY_SLEEF_BINARY(SleefPow, pow)

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_SLEEF_INL_H_
