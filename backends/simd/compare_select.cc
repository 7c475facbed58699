// Comparisons, which narrow lane masks to one byte an element, and the ops of
// three operands, of which some may be broadcast scalars.
#include "backends/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/compare_select.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/loops-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class Op, class T>
struct Compare {
  using Out = uint8_t;
  using Wide = hwy::MakeUnsigned<T>;
  static constexpr Shape kShape = Shape::kBinary;
  static constexpr Result kResult = Result::kBool;

  static HWY_INLINE auto Part(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    const auto mask = Op()(LoadInput(d, b, 0, i), LoadInput(d, b, 1, i));
    return hn::BitCast(hn::ScalableTag<Wide>(), hn::VecFromMask(d, mask));
  }

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<uint8_t> d;
    return hn::And(Narrow<uint8_t, Compare>(b, i), Constant(d, 1));
  }
};

struct Equal {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Eq(a, b);
  }
};

struct NotEqual {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Ne(a, b);
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
    return hn::Not(hn::Lt(b, a));
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
    return hn::Not(hn::Lt(a, b));
  }
};

template <class Op, class T>
struct Select {
  using Out = T;
  static constexpr Shape kShape = Shape::kSelect;
  static constexpr Result kResult = Result::kSame;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const auto pred =
        Widen<decltype(d), uint8_t>(d, LoadInput(d8, b, 0, i * b.stride[0]));
    return Op()(d, pred, LoadInput(d, b, 1, i), LoadInput(d, b, 2, i));
  }
};

struct Choose {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V pred, V on_true, V on_false) const {
    return hn::IfThenElse(hn::Eq(pred, hn::Zero(d)), on_false, on_true);
  }
};

template <class Op, class T>
struct ClampForm {
  using Out = T;
  static constexpr Shape kShape = Shape::kClamp;
  static constexpr Result kResult = Result::kSame;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    return Op()(LoadInput(d, b, 0, i * b.stride[0]), LoadInput(d, b, 1, i),
                LoadInput(d, b, 2, i * b.stride[2]));
  }
};

struct Clamp {
  template <class V>
  HWY_INLINE V operator()(V min, V operand, V max) const {
    return hn::Min(hn::Max(operand, min), max);
  }
};

template <class Op>
constexpr Row CompareRow(const char* direction, const Kernels& kernels) {
  return {"compare", kernels, MakeKernel<Compare<Op, uint8_t>>(),
          "comparison_direction", direction};
}

Table CompareSelectRows() {
  static constexpr Row kRows[] = {
      {"clamp", OnBoth<ClampForm, Clamp>(),
       MakeKernel<ClampForm<Clamp, uint8_t>>()},
      CompareRow<Equal>("EQ", OnUnsigned<Compare, Equal>()),
      CompareRow<GreaterEqual>("GE", OnBoth<Compare, GreaterEqual>()),
      CompareRow<Greater>("GT", OnBoth<Compare, Greater>()),
      CompareRow<LessEqual>("LE", OnBoth<Compare, LessEqual>()),
      CompareRow<Less>("LT", OnBoth<Compare, Less>()),
      CompareRow<NotEqual>("NE", OnUnsigned<Compare, NotEqual>()),
      {"select", OnUnsigned<Select, Choose>(),
       MakeKernel<Select<Choose, uint8_t>>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(CompareSelectRows);

Table CompareSelectTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(CompareSelectRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
