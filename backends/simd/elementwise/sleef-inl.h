// This file declares the functions of SLEEF 3.5 that are used, under one name
// for all instruction sets and both lane types.
//
// They are declared here because sleef.h declares the functions for the
// compiler's own target, which is SSE2, and not those for which Highway
// compiles a region. The suffix u10 promises 1.0 ulp; docs/simd_functions.md
// has what we found.
//
// This file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_ELEMENTWISE_SLEEF_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_ELEMENTWISE_SLEEF_INL_H_
#undef ASSAY_BACKENDS_SIMD_ELEMENTWISE_SLEEF_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_SLEEF_INL_H_
#endif

#include "backends/simd/core/lanes-inl.h"
#include "hwy/highway.h"

// Clang passes vectors as the file's own target does, not as the function's
// target does: vectors of AVX2 and AVX-512 are passed in memory, where SLEEF
// does not look for them. With -O2 they are in the right registers as well, by
// chance; with -O1 and AddressSanitizer, power(0, -1) was 1. So with Clang,
// vectors are passed in pieces that are vectors of SSE, unless the whole file
// is compiled for AVX-512.
#undef ASSAY_SLEEF_BY_PIECES
#if defined(__clang__) && !defined(__AVX512F__)
#define ASSAY_SLEEF_BY_PIECES 1
#else
#define ASSAY_SLEEF_BY_PIECES 0
#endif

// ASSAY_SLEEF(function) names the f32 function, ASSAY_SLEEF_F64 the f64 one.
#undef ASSAY_SLEEF
#undef ASSAY_SLEEF_F64
#if ASSAY_SLEEF_BY_PIECES
#define ASSAY_SLEEF(function) Sleef_##function##f4_u10sse4
#define ASSAY_SLEEF_F64(function) Sleef_##function##d2_u10sse4
#elif HWY_TARGET == HWY_AVX3
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

#if ASSAY_SLEEF_BY_PIECES

template <class D>
using Piece = hn::FixedTag<hn::TFromD<D>, 16 / sizeof(hn::TFromD<D>)>;

template <class D, class Function>
HWY_INLINE hn::Vec<D> CallSleef(D d, Function function, hn::Vec<D> x) {
  constexpr Piece<D> piece;
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  for (size_t i = 0; i < hn::MaxLanes(d); i += hn::MaxLanes(piece)) {
    const auto part = hn::Load(piece, lanes + i);
    hn::Store(hn::Vec<Piece<D>>{function(part.raw)}, piece, lanes + i);
  }
  return hn::Load(d, lanes);
}

template <class D, class Function>
HWY_INLINE hn::Vec<D> CallSleef(D d, Function function, hn::Vec<D> x,
                                hn::Vec<D> y) {
  constexpr Piece<D> piece;
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(d)], others[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  hn::Store(y, d, others);
  for (size_t i = 0; i < hn::MaxLanes(d); i += hn::MaxLanes(piece)) {
    const auto part = hn::Load(piece, lanes + i);
    const auto other = hn::Load(piece, others + i);
    hn::Store(hn::Vec<Piece<D>>{function(part.raw, other.raw)}, piece,
              lanes + i);
  }
  return hn::Load(d, lanes);
}

#else

template <class D>
using Piece = D;

template <class D, class Function, class... V>
HWY_INLINE hn::Vec<D> CallSleef(D, Function function, V... vectors) {
  return hn::Vec<D>{function(vectors.raw...)};
}

#endif

using F32Register = decltype(hn::Vec<Piece<F32>>::raw);
using F64Register = decltype(hn::Vec<Piece<F64>>::raw);

#undef ASSAY_SLEEF_UNARY
#define ASSAY_SLEEF_UNARY(Name, function)                             \
  extern "C" F32Register ASSAY_SLEEF(function)(F32Register);          \
  extern "C" F64Register ASSAY_SLEEF_F64(function)(F64Register);      \
  struct Name {                                                       \
    HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x) const { \
      return CallSleef(d, ASSAY_SLEEF(function), x);                  \
    }                                                                 \
    HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x) const { \
      return CallSleef(d, ASSAY_SLEEF_F64(function), x);              \
    }                                                                 \
  };

#undef ASSAY_SLEEF_BINARY
#define ASSAY_SLEEF_BINARY(Name, function)                                    \
  extern "C" F32Register ASSAY_SLEEF(function)(F32Register, F32Register);     \
  extern "C" F64Register ASSAY_SLEEF_F64(function)(F64Register, F64Register); \
  struct Name {                                                               \
    HWY_INLINE hn::Vec<F32> operator()(F32 d, hn::Vec<F32> x,                 \
                                       hn::Vec<F32> y) const {                \
      return CallSleef(d, ASSAY_SLEEF(function), x, y);                       \
    }                                                                         \
    HWY_INLINE hn::Vec<F64> operator()(F64 d, hn::Vec<F64> x,                 \
                                       hn::Vec<F64> y) const {                \
      return CallSleef(d, ASSAY_SLEEF_F64(function), x, y);                   \
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

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_SLEEF_INL_H_
