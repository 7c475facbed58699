// Tests the sound kernel on layouts: strided outputs, calls in place,
// dimensions of size 1 with strides that mean nothing, and broadcast_in_dim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(Layout, StridedOutputsKeepTheirGaps) {
  for (const int n : {1, 7, 8, 9, 16, 33}) {
    for (const int64_t stride : {1, 2, 3, -1, -2}) {
      LayoutCall call = {"negate", {CountingIn({n}, {1})}};
      call.outputs = {{kI8, {n}, {stride}}};
      ActiveHooks() = SoundHooks();
      for (const Side side : {Side::kTightBehind, Side::kTightInFront}) {
        const Left left = RunCall(call, side);
        Values expected = Iota(n);
        for (int64_t& value : expected) value = -value;
        EXPECT_EQ(left.result, expected) << n << " by " << stride;
        EXPECT_EQ(std::ranges::count_if(left.pages.back(),
                                        [](auto byte) { return byte != 0xa5; }),
                  n)
            << n << " by " << stride;
      }
    }
  }
}

TEST(Layout, TransposedBoth) {
  LayoutCall call = {"negate", {CountingIn({2, 3}, {1, 2})}};
  call.outputs = {{kI8, {2, 3}, {7, 2}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(-1, -2, -3, -4, -5, -6));
  call.outputs = {{kI8, {2, 3}, {1, 2}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(-1, -2, -3, -4, -5, -6));
}

TEST(Layout, StridesOfSizeOneMeanNothing) {
  LayoutCall call = {"negate", {CountingIn({2, 1, 3, 1}, {3, 999, 1, -999})}};
  call.outputs = {{kI8, {2, 1, 3, 1}, {3, -999, 1, 999}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(-1, -2, -3, -4, -5, -6));
  call = {"negate", {CountingIn({1, 1}, {999, 999})}};
  call.outputs = {{kI8, {1, 1}, {999, 999}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(-1));
  call = {"negate", {CountingIn({2, 0}, {999, 999})}};
  call.outputs = {{kI8, {2, 0}, {999, 999}}};
  EXPECT_THAT(SoundResult(call), ElementsAre());
}

// The wrong two dimensions would be merged if the rule were applied to the
// wrong size.
TEST(Layout, PaddedRowsAreNotMerged) {
  LayoutCall call = {"negate", {CountingIn({4, 2}, {4, 1})}};
  call.outputs = {{kI8, {4, 2}, {4, 1}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(-1, -2, -3, -4, -5, -6, -7, -8));
}

TEST(Layout, EightDimensions) {
  const std::vector<int64_t> shape(8, 2);
  std::vector<int64_t> strides(8), reversed(8);
  for (int d = 0; d < 8; ++d) {
    strides[d] = d % 2 == 0 ? int64_t{1} << d : -(int64_t{1} << d);
    reversed[d] = 2 * (int64_t{128} >> d);
  }
  LayoutCall call = {"negate", {CountingIn(shape, strides)}};
  call.inputs[0].values = Values(256);
  for (int i = 0; i < 256; ++i) call.inputs[0].values[i] = i % 100;
  call.outputs = {{kI8, shape, reversed}};
  Values expected(256);
  for (int i = 0; i < 256; ++i) expected[i] = -(i % 100);
  EXPECT_EQ(SoundResult(call), expected);
}

TEST(Layout, InPlace) {
  for (const int n : {1, 7, 8, 20}) {
    LayoutCall call = {"add", {CountingIn({n}, {2}), CountingIn({n}, {1})}};
    Values expected = Iota(n);
    for (int64_t& value : expected) value *= 2;
    for (const int input : {0, 1}) {
      call.outputs = {InPlaceOf(call.inputs[input], input)};
      EXPECT_EQ(SoundResult(call), expected) << n;
    }
  }
}

TEST(Layout, BroadcastInDim) {
  LayoutCall call = {"broadcast_in_dim", {CountingIn({3}, {1})}};
  call.attributes = {{"broadcast_dimensions", "[1]"}};
  call.outputs = {{kI8, {2, 3}, {4, 1}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 2, 3, 1, 2, 3));
  call.attributes = {{"broadcast_dimensions", "[0]"}};
  call.outputs = {{kI8, {3, 2}, {2, 1}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 1, 2, 2, 3, 3));
  call = {"broadcast_in_dim", {CountingIn({3, 1}, {1, 999})}};
  call.attributes = {{"broadcast_dimensions", "[2, 0]"}};
  call.outputs = {{kI8, {2, 1, 3}, {3, 3, 1}}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 2, 3, 1, 2, 3));
  call = {"broadcast_in_dim", {CountingIn({}, {})}};
  call.attributes = {{"broadcast_dimensions", "[]"}};
  call.outputs = {{kI8, {2, 2}, {2, 1}}};
  EXPECT_THAT(SoundResult(call), Each(1));
}

TEST(Layout, BroadcastInDimInPlace) {
  LayoutCall call = {"broadcast_in_dim", {CountingIn({3, 3}, {4, 1})}};
  call.attributes = {{"broadcast_dimensions", "[1, 0]"}};
  call.outputs = {InPlaceOf(call.inputs[0], 0)};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 4, 7, 2, 5, 8, 3, 6, 9));
}

TEST(Layout, BroadcastInDimMovesBits) {
  LayoutCall call = {"broadcast_in_dim", {{kF32, {1}, {1}, {0x7f800001}}}};
  call.attributes = {{"broadcast_dimensions", "[0]"}};
  call.outputs = {{kF32, {2}, {1}}};
  EXPECT_THAT(SoundResult(call), Each(0x7f800001));
}

TEST(Layout, BroadcastInDimDeclinesWhatItIsNot) {
  LayoutCall call = {"broadcast_in_dim", {CountingIn({3, 1}, {1, 1})}};
  call.outputs = {{kI8, {3, 2}, {2, 1}}};
  ActiveHooks() = SoundHooks();
  for (const char* dimensions : {"[0]", "[1, 0]", "[0, 0]", "[0, 2]", "[-1, 1]",
                                 "[0, 1", "0, 1", "[0 1]", "[0, 1]]"}) {
    call.attributes = {{"broadcast_dimensions", dimensions}};
    EXPECT_EQ(RunCall(call, Side::kTightBehind).status, ASSAY_UNSUPPORTED)
        << dimensions;
  }
}

}  // namespace
}  // namespace assay::broken
