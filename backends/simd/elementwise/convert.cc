// Conversions between integers have one row for each width of the result: i1
// asks for a nonzero source, an integer takes the low bits of the source,
// extended by the source's signedness.
//
// The signedness of the result never matters, and that of the source matters
// only when the source is narrower, which leaves 26 loops for 13 x 13 pairs of
// types.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/convert.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class To>
struct ToInteger {
  static constexpr Result kResult = sizeof(To) == 1   ? Result::k8
                                    : sizeof(To) == 2 ? Result::k16
                                    : sizeof(To) == 4 ? Result::k32
                                                      : Result::k64;
  using Type = To;
};

struct ToBool {
  static constexpr Result kResult = Result::kBool;
  using Type = uint8_t;
};

template <class To, class T>
struct Extending {
  using Out = typename To::Type;
  static constexpr Shape kShape = Shape::kUnary;
  static constexpr Result kResult = To::kResult;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<Out> d;
    const hn::Rebind<T, decltype(d)> d_in;
    return Widen<decltype(d), T>(d, LoadInput(d_in, b, 0, i));
  }
};

template <class To, class T>
struct Truncating {
  using Out = typename To::Type;
  using Wide = T;
  static constexpr Shape kShape = Shape::kUnary;
  static constexpr Result kResult = To::kResult;

  static HWY_INLINE auto Part(const Block& b, size_t i) {
    return LoadInput(hn::ScalableTag<T>(), b, 0, i);
  }

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    return Narrow<Out, Truncating>(b, i);
  }
};

template <class To, class T>
struct NonZero {
  using Out = uint8_t;
  using Wide = T;
  static constexpr Shape kShape = Shape::kUnary;
  static constexpr Result kResult = To::kResult;

  static HWY_INLINE auto Part(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    return hn::VecFromMask(d, hn::Eq(LoadInput(d, b, 0, i), hn::Zero(d)));
  }

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<uint8_t> d;
    return hn::AndNot(Narrow<uint8_t, NonZero>(b, i), Constant(d, 1));
  }
};

template <class To, class T>
using Convert = std::conditional_t<
    std::is_same_v<To, ToBool>, NonZero<To, hwy::MakeUnsigned<T>>,
    std::conditional_t<(sizeof(typename To::Type) > sizeof(T)),
                       Extending<To, T>, Truncating<To, hwy::MakeUnsigned<T>>>>;

template <class To>
constexpr OpKernels ConvertRow() {
  return {"convert", OnBoth<Convert, To>(), MakeKernel<Convert<To, uint8_t>>()};
}

Table ConvertRows() {
  static constexpr OpKernels kRows[] = {
      ConvertRow<ToBool>(),
      ConvertRow<ToInteger<uint8_t>>(),
      ConvertRow<ToInteger<uint16_t>>(),
      ConvertRow<ToInteger<uint32_t>>(),
      ConvertRow<ToInteger<uint64_t>>(),
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(ConvertRows);

Table ConvertTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(ConvertRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
