// These are the kernels of bitwise logic and bit counts, all of them on
// unsigned lanes.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/bitwise.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

struct BitAnd {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::And(a, b);
  }
};

struct BitOr {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Or(a, b);
  }
};

struct BitXor {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Xor(a, b);
  }
};

struct BitNot {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Not(a);
  }
};

struct LogicalNot {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return hn::Xor(a, Constant(d, 1));
  }
};

struct PopulationCount {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::PopulationCount(a);
  }
};

// The functor copies the highest one to all lower bits and counts the remaining
// zeros.
struct CountLeadingZeros {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    constexpr size_t kBytes = sizeof(Lane<D>);
    a = hn::Or(a, hn::ShiftRight<1>(a));
    a = hn::Or(a, hn::ShiftRight<2>(a));
    a = hn::Or(a, hn::ShiftRight<4>(a));
    if constexpr (kBytes >= 2) a = hn::Or(a, hn::ShiftRight<8>(a));
    if constexpr (kBytes >= 4) a = hn::Or(a, hn::ShiftRight<16>(a));
    if constexpr (kBytes >= 8) a = hn::Or(a, hn::ShiftRight<32>(a));
    return hn::PopulationCount(hn::Not(a));
  }
};

// Narrow types lie at the lane's top, where their leading zeros are the lane's.
constexpr Kernels LeadingZeros() {
  Kernels kernels = OnUnsigned<Unary, CountLeadingZeros>();
  kernels.of_unsigned.extend = Extend::kTop;
  kernels.of_signed.extend = Extend::kTop;
  return kernels;
}

Table BitwiseRows() {
  static constexpr OpKernels kRows[] = {
      {"and", OnUnsigned<Binary, BitAnd>(),
       MakeKernel<Binary<BitAnd, uint8_t>>()},
      {"count_leading_zeros", LeadingZeros()},
      {"not", OnUnsigned<Unary, BitNot>(),
       MakeKernel<Unary<LogicalNot, uint8_t>>()},
      {"or", OnUnsigned<Binary, BitOr>(), MakeKernel<Binary<BitOr, uint8_t>>()},
      {"popcnt", OnUnsigned<Unary, PopulationCount>()},
      {"xor", OnUnsigned<Binary, BitXor>(),
       MakeKernel<Binary<BitXor, uint8_t>>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(BitwiseRows);

Table BitwiseTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(BitwiseRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
