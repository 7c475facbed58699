// These are the kernels of the comparisons of floats and of the tests for their
// class.
//
// FLOAT compares values. TOTALORDER compares the bits as integers, after a
// conversion that makes the order of the integers that of the values, so that
// the payloads of NaNs count.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/float_compare.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include <limits>

#include "backends/simd/core/loops-inl.h"
#include "backends/simd/elementwise/compare-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// The key converts sign and magnitude to an integer of the same order, with -0
// next to +0.
template <class Op>
struct InTotalOrder {
  template <class V>
  static HWY_INLINE V Key(V v) {
    const hn::DFromV<V> d;
    const auto magnitude =
        hn::Set(d, std::numeric_limits<Lane<decltype(d)>>::max());
    return hn::Xor(v, hn::And(hn::BroadcastSignBit(v), magnitude));
  }

  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return Op()(Key(a), Key(b));
  }
};

// This is the total order of formats whose only NaN has the code of -0. NaN is
// the greatest value: codes that are not negative go down by one, and NaN and
// the code 0 wrap around.
template <class Op>
struct InFnuzOrder {
  template <class V>
  static HWY_INLINE V Key(V v) {
    const hn::DFromV<V> d;
    const auto is_negative =
        hn::And(hn::Lt(v, hn::Zero(d)), hn::Gt(v, hn::Set(d, int8_t{-128})));
    return hn::IfThenElse(is_negative, hn::Xor(v, hn::Set(d, int8_t{127})),
                          hn::Sub(v, hn::Set(d, int8_t{1})));
  }

  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return Op()(Key(a), Key(b));
  }
};

template <class Op, class T>
struct Test {
  using Out = uint8_t;
  using Wide = hwy::MakeUnsigned<T>;
  static constexpr Shape kShape = Shape::kUnary;
  static constexpr Result kResult = Result::kBool;

  static HWY_INLINE auto Part(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    const auto mask = Op()(d, LoadInput(d, b, 0, i));
    return hn::BitCast(hn::ScalableTag<Wide>(), hn::VecFromMask(d, mask));
  }

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<uint8_t> d;
    return hn::And(Narrow<uint8_t, Test>(b, i), Constant(d, 1));
  }
};

struct IsFinite {
  template <class D, class V>
  HWY_INLINE auto operator()(D d, V a) const {
    return hn::Lt(hn::Abs(a),
                  hn::Set(d, std::numeric_limits<Lane<D>>::infinity()));
  }
};

template <class Op>
constexpr Kernels TotalOrderKernels() {
  using Example = Compare<Op, uint8_t>;
  return {.shape = Example::kShape,
          .result = Example::kResult,
          .of_float = {
              .bits = SignedLanes<Compare, InTotalOrder<Op>>(),
              .fnuz_bits = MakeKernel<Compare<InFnuzOrder<Op>, int8_t>>(),
              // An exponent alone is in order, and its NaN is the greatest.
              .e8m0_bits = MakeKernel<Compare<Op, uint8_t>>()}};
}

constexpr OpKernels CompareRow(const char* direction, const char* type,
                               const Kernels& kernels) {
  return {"compare",
          kernels,
          {},
          {{"comparison_direction", direction}, {"compare_type", type}}};
}

Table FloatCompareRows() {
  static constexpr OpKernels kRows[] = {
      CompareRow("EQ", nullptr, OnFloats<Compare, Equal>()),
      CompareRow("EQ", "FLOAT", OnFloats<Compare, Equal>()),
      CompareRow("EQ", "TOTALORDER", TotalOrderKernels<Equal>()),
      CompareRow("GE", nullptr, OnFloats<Compare, GreaterEqual>()),
      CompareRow("GE", "FLOAT", OnFloats<Compare, GreaterEqual>()),
      CompareRow("GE", "TOTALORDER", TotalOrderKernels<GreaterEqual>()),
      CompareRow("GT", nullptr, OnFloats<Compare, Greater>()),
      CompareRow("GT", "FLOAT", OnFloats<Compare, Greater>()),
      CompareRow("GT", "TOTALORDER", TotalOrderKernels<Greater>()),
      CompareRow("LE", nullptr, OnFloats<Compare, LessEqual>()),
      CompareRow("LE", "FLOAT", OnFloats<Compare, LessEqual>()),
      CompareRow("LE", "TOTALORDER", TotalOrderKernels<LessEqual>()),
      CompareRow("LT", nullptr, OnFloats<Compare, Less>()),
      CompareRow("LT", "FLOAT", OnFloats<Compare, Less>()),
      CompareRow("LT", "TOTALORDER", TotalOrderKernels<Less>()),
      CompareRow("NE", nullptr, OnFloats<Compare, NotEqual>()),
      CompareRow("NE", "FLOAT", OnFloats<Compare, NotEqual>()),
      CompareRow("NE", "TOTALORDER", TotalOrderKernels<NotEqual>()),
      {"is_finite", OnFloats<Test, IsFinite>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(FloatCompareRows);

Table FloatCompareTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(FloatCompareRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
