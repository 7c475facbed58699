// Tests broadcast_in_dim and bitcast_convert, which move bits between tensors
// of different shapes, over layouts.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/layouts_test_support.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/core/strided_tensor_test_support.h"

namespace assay::simd_test {
namespace {

constexpr Type kSmall4 = {kDLInt, 4};
constexpr Type kBytes1 = {kDLInt, 8};
constexpr Type kBytes2 = {kDLInt, 16};
constexpr Type kBytes4 = {kDLInt, 32};

TEST(BroadcastInDimTest, PutsDimensionsWhereTheAttributeSays) {
  StridedTensor operand(kBytes2, {3, 1}, {2, 1});
  operand.Fill({1, 0, 2, 0, 3, 0});
  for (size_t layout = 0; layout < kBroadcast0; ++layout) {
    const Dims shape = {4, 5, 3};
    StridedTensor result(kBytes2, shape, StridesOf(layout, shape));
    ASSERT_EQ(RunOp({"broadcast_in_dim", "broadcast_dimensions", "[2, 0]"},
                    {operand.assay()}, result.assay()),
              ASSAY_OK);
    for (size_t i = 0; i < result.count(); ++i) {
      ASSERT_EQ(*result.At(i), i % 3 + 1) << kLayouts[layout];
    }
    EXPECT_TRUE(result.CanariesLive());
  }
}

TEST(BroadcastInDimTest, RefusesWhatDoesNotFit) {
  StridedTensor operand(kBytes2, {3}, {1});
  StridedTensor result(kBytes2, {4, 3}, {3, 1});
  StridedTensor other(kBytes1, {4, 3}, {3, 1});
  const auto status = [&](const char* dims, StridedTensor& to) {
    return RunOp({"broadcast_in_dim", "broadcast_dimensions", dims},
                 {operand.assay()}, to.assay());
  };
  EXPECT_EQ(status("[1]", result), ASSAY_OK);
  for (const char* dims : {"[0]", "[2]", "[-1]", "[]", "[1, 0]", "1", "[1"}) {
    EXPECT_EQ(status(dims, result), ASSAY_INVALID) << dims;
  }
  EXPECT_EQ(status("[1]", other), ASSAY_INVALID);
}

// Splitting elements and joining the parts again gives the same bits, in all
// layouts.
TEST(BitcastLayoutTest, SplitsAndJoins) {
  const Dims shape = {5, 3};
  for (const Type part : {kBool, Type{kDLUInt, 2}, kSmall4, kBytes1, kBytes2}) {
    for (size_t layout = 0; layout < kBroadcast0; ++layout) {
      StridedTensor whole(kBytes4, shape, StridesOf(layout, shape));
      whole.Fill(PatternFor(kBytes4, 3));
      const Dims parts = {5, 3, 32 / part.width()};
      StridedTensor split(part, parts, StridesOf(layout, parts));
      StridedTensor joined(kBytes4, shape, StridesOf(kBroadcast0 - 1, shape));
      const Op op = {"bitcast_convert", "", ""};
      ASSERT_EQ(RunOp(op, {whole.assay()}, split.assay()), ASSAY_OK);
      ASSERT_EQ(RunOp(op, {split.assay()}, joined.assay()), ASSAY_OK);
      EXPECT_TRUE(joined.Elements() == whole.Elements()) << kLayouts[layout];
      EXPECT_TRUE(split.CanariesLive() && joined.CanariesLive());
      const unsigned char lowest = *split.At(0);
      EXPECT_EQ(lowest, *whole.At(0) & part.mask() & 255) << kLayouts[layout];
    }
  }
}

}  // namespace
}  // namespace assay::simd_test
