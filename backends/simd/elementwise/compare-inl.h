// The comparisons go from lanes to masks to one byte an element. For a NaN all
// of them are false except NotEqual.
//
// This file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPARE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPARE_INL_H_
#undef ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPARE_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPARE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/loops-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class Op, class T>
struct Compare {
  using Out = uint8_t;
  using Wide = hwy::MakeUnsigned<T>;
  static constexpr Shape kShape = Shape::kBinary;
  static constexpr Result kResult = Result::kBool;
  static constexpr bool kReadsStrided = sizeof(T) >= 4;

  static HWY_INLINE auto MaskOf(const auto& b, size_t i) {
    const hn::ScalableTag<T> d;
    return Op()(LoadInput(d, b, 0, i), LoadInput(d, b, 1, i));
  }

  static HWY_INLINE auto Part(const auto& b, size_t i) {
    const hn::ScalableTag<T> d;
    return hn::BitCast(hn::ScalableTag<Wide>(),
                       hn::VecFromMask(d, MaskOf(b, i)));
  }

  static HWY_INLINE auto Vector(const auto& b, size_t i) {
    const hn::ScalableTag<uint8_t> d;
#if HWY_TARGET <= HWY_AVX3
    // A mask has one bit a lane; the masks of several vectors are joined to one
    // mask of bytes.
    constexpr size_t kLanes = 64 / sizeof(T);
    uint64_t bits = 0;
    for (size_t part = 0; part < sizeof(T); ++part) {
      const uint64_t lanes = MaskOf(b, i + part * kLanes).raw;
      bits |= lanes << (part * kLanes % 64);
    }
    return hn::IfThenElseZero(hn::Mask512<uint8_t>{bits}, Constant(d, 1));
#else
    return hn::And(Narrow<uint8_t, Compare>(b, i), Constant(d, 1));
#endif
  }
};

struct Equal {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Eq(a, b);
  }
};

// hn::Ne is not used, because it is false for NaN on AVX2 and AVX-512
// (_CMP_NEQ_OQ).
struct NotEqual {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Not(hn::Eq(a, b));
  }
};

struct Less {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Lt(a, b);
  }
};

struct LessEqual {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    if constexpr (hwy::IsFloat<Lane<hn::DFromV<V>>>()) {
      return hn::Le(a, b);
    } else {
      return hn::Not(hn::Lt(b, a));
    }
  }
};

struct Greater {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Lt(b, a);
  }
};

struct GreaterEqual {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    if constexpr (hwy::IsFloat<Lane<hn::DFromV<V>>>()) {
      return hn::Ge(a, b);
    } else {
      return hn::Not(hn::Lt(a, b));
    }
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPARE_INL_H_
