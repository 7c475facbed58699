// These are the kernels of the comparisons of integers, which narrow lane masks
// to one byte an element, and of the ops of three operands, some of which may
// be broadcast scalars.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/compare_select.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "backends/simd/elementwise/compare-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class Op, class T>
struct Select {
  using Out = T;
  static constexpr Shape kShape = Shape::kSelect;
  static constexpr Result kResult = Result::kSame;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const auto pred = Widen<decltype(d), uint8_t>(d, LoadInput(d8, b, 0, i));
    return Op()(d, pred, LoadInput(d, b, 1, i), LoadInput(d, b, 2, i));
  }
};

struct Choose {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V pred, V on_true, V on_false) const {
    return hn::IfThenElse(hn::Eq(pred, hn::Zero(d)), on_false, on_true);
  }
};

struct Clamp {
  template <class V>
  HWY_INLINE V operator()(V min, V operand, V max) const {
    return hn::Min(hn::Max(operand, min), max);
  }
};

// A complex element is two lanes, so that one predicate becomes two equal
// bytes.
template <class T>
struct SelectPairs {
  using Out = T;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    const hn::Half<decltype(d)> dh;
    const hn::Rebind<uint8_t, decltype(dh)> d8;
    const hn::Rebind<uint16_t, decltype(dh)> d16;
    const hn::Rebind<uint8_t, decltype(d)> d_pairs;
    const auto one = hn::PromoteTo(d16, LoadInput(d8, b, 0, i / 2));
    const auto pred = Widen<decltype(d), uint8_t>(
        d, hn::BitCast(d_pairs, hn::Or(one, hn::ShiftLeft<8>(one))));
    return Choose()(d, pred, LoadInput(d, b, 1, i), LoadInput(d, b, 2, i));
  }
};

// A select moves bits, whatever their type is.
constexpr Kernels SelectKernels() {
  Kernels kernels = OnUnsigned<Select, Choose>();
  kernels.of_float.bits = kernels.of_unsigned;
  kernels.of_float.fnuz_bits = kernels.of_unsigned.width[0];
  kernels.of_float.e8m0_bits = kernels.of_unsigned.width[0];
  kernels.of_float.complex_f32 = MakeKernel<SelectPairs<uint32_t>>();
  kernels.of_float.complex_f64 = MakeKernel<SelectPairs<uint64_t>>();
  return kernels;
}

template <class Op>
constexpr OpKernels CompareRow(const char* direction, const Kernels& kernels) {
  return {"compare",
          kernels,
          MakeKernel<Compare<Op, uint8_t>>(),
          {{"comparison_direction", direction}}};
}

Table CompareSelectRows() {
  static constexpr OpKernels kRows[] = {
      {"clamp", OnBoth<ClampForm, Clamp>(),
       MakeKernel<ClampForm<Clamp, uint8_t>>()},
      CompareRow<Equal>("EQ", OnUnsigned<Compare, Equal>()),
      CompareRow<GreaterEqual>("GE", OnBoth<Compare, GreaterEqual>()),
      CompareRow<Greater>("GT", OnBoth<Compare, Greater>()),
      CompareRow<LessEqual>("LE", OnBoth<Compare, LessEqual>()),
      CompareRow<Less>("LT", OnBoth<Compare, Less>()),
      CompareRow<NotEqual>("NE", OnUnsigned<Compare, NotEqual>()),
      {"select", SelectKernels(), MakeKernel<Select<Choose, uint8_t>>()},
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
