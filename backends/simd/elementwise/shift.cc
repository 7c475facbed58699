// These are the kernels of shifts by a count per lane.
//
// StableHLO's arithmetic shift fills with the top bit even of unsigned types
// and so runs on signed lanes for all of them; Paddle's shift fills unsigned
// types with 0.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/shift.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

struct Left {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return ShiftLeftBy(d, a, b);
  }
};

struct Right {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return ShiftRightBy(d, a, b);
  }
};

Table ShiftRows() {
  constexpr const char* kRight = "paddle.bitwise_right_shift";
  constexpr const char* kMode = "is_arithmetic";
  static constexpr OpKernels kRows[] = {
      {"paddle.bitwise_left_shift", OnUnsigned<Binary, Left>()},
      {kRight, OnBoth<Binary, Right>(), {}, {{kMode, nullptr}}},
      {kRight, OnBoth<Binary, Right>(), {}, {{kMode, "true"}}},
      {kRight, OnUnsigned<Binary, Right>(), {}, {{kMode, "false"}}},
      {"shift_left", OnUnsigned<Binary, Left>()},
      {"shift_right_arithmetic", OnSigned<Binary, Right>()},
      {"shift_right_logical", OnUnsigned<Binary, Right>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(ShiftRows);

Table ShiftTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(ShiftRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
