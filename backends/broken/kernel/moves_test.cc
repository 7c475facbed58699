// Tests the sound kernel on the ops that only move elements, and on iota:
// strided operands and results, calls in place, any number of operands.
#include "backends/broken/kernel/moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;

LayoutCall Slice(const Placed& operand, const Placed& result,
                 const std::string& starts, const std::string& limits,
                 const std::string& strides) {
  return {"slice",
          {operand},
          {result},
          {{"start_indices", starts},
           {"limit_indices", limits},
           {"strides", strides}}};
}

LayoutCall Concatenate(const std::vector<Placed>& operands,
                       const Placed& result, const std::string& dimension) {
  return {"concatenate", operands, {result}, {{"dimension", dimension}}};
}

LayoutCall IotaOf(const Placed& result, const std::string& dimension) {
  return {"iota", {}, {result}, {{"iota_dimension", dimension}}};
}

TEST(Moves, Reverse) {
  LayoutCall call = {"reverse", {CountingIn({2, 3}, {1, -4})}};
  call.outputs = {{kI8, {2, 3}, {7, 2}}};
  call.attributes = {{"dimensions", "[1]"}};
  EXPECT_THAT(SoundResult(call), ElementsAre(3, 2, 1, 6, 5, 4));
  call.attributes = {{"dimensions", "[1, 0]"}};
  EXPECT_THAT(SoundResult(call), ElementsAre(6, 5, 4, 3, 2, 1));
  call.attributes = {{"dimensions", "[]"}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Moves, InPlace) {
  for (const int n : {1, 8, 9, 40}) {
    for (const int64_t stride : {1, -2}) {
      LayoutCall call = {"reverse", {CountingIn({n}, {stride})}};
      call.outputs = {InPlaceOf(call.inputs[0], 0)};
      call.attributes = {{"dimensions", "[0]"}};
      Values expected = Iota(n);
      std::ranges::reverse(expected);
      EXPECT_EQ(SoundResult(call), expected) << n;
    }
  }
  LayoutCall call = {"transpose", {CountingIn({3, 3}, {4, 1})}};
  call.outputs = {InPlaceOf(call.inputs[0], 0)};
  call.attributes = {{"permutation", "[1, 0]"}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 4, 7, 2, 5, 8, 3, 6, 9));
  call.op = "reshape";
  call.attributes = {};
  EXPECT_EQ(SoundResult(call), Iota(9));
  call.inputs = {CountingIn({6}, {1}), CountingIn({0}, {1})};
  call.outputs = {InPlaceOf(call.inputs[0], 0)};
  call.op = "concatenate";
  call.attributes = {{"dimension", "0"}};
  EXPECT_EQ(SoundResult(call), Iota(6));
}

TEST(Moves, Transpose) {
  LayoutCall call = {"transpose", {CountingIn({2, 3, 2})}};
  call.attributes = {{"permutation", "[2, 0, 1]"}};
  call.outputs = {{kI8, {2, 2, 3}, {1, 2, -5}}};
  EXPECT_THAT(SoundResult(call),
              ElementsAre(1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12));
  call = {"transpose", {CountingIn({})}, {Dense(kI8, {})}};
  call.attributes = {{"permutation", "[]"}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1));
}

TEST(Moves, ReshapeOfAnyLayouts) {
  const std::vector<int64_t> columns = {1, 4};
  for (const Placed& operand :
       {CountingIn({4, 3}), CountingIn({4, 3}, columns)}) {
    for (const Placed& result :
         {Placed{kI8, {3, 4}, {4, 1}}, Placed{kI8, {3, 4}, {1, -5}},
          Placed{kI8, {12}, {2}}}) {
      EXPECT_EQ(SoundResult({"reshape", {operand}, {result}}), Iota(12));
    }
  }
}

TEST(Moves, Slice) {
  const Placed matrix = CountingIn({4, 5}, {-7, 1});
  EXPECT_THAT(SoundResult(Slice(matrix, {kI8, {2, 2}, {1, 2}}, "[1, 0]",
                                "[4, 5]", "[2, 3]")),
              ElementsAre(6, 9, 16, 19));
  EXPECT_THAT(SoundResult(Slice(matrix, Dense(kI8, {1, 1}), "[3, 4]", "[4, 5]",
                                "[9, 9]")),
              ElementsAre(20));
  EXPECT_THAT(SoundResult(Slice(matrix, Dense(kI8, {0, 5}), "[4, 0]", "[4, 5]",
                                "[1, 1]")),
              ElementsAre());
}

TEST(Moves, Concatenate) {
  const Placed one = CountingIn({2, 1}), three = CountingIn({2, 3}, {1, 2}),
               none = CountingIn({2, 0});
  const Placed result = {kI8, {2, 5}, {9, -1}};
  EXPECT_THAT(SoundResult(Concatenate({one, none, three, one}, result, "1")),
              ElementsAre(1, 1, 2, 3, 1, 2, 4, 5, 6, 2));
  EXPECT_THAT(SoundResult(Concatenate({one, one}, Dense(kI8, {4, 1}), "0")),
              ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(SoundResult(Concatenate({none, none}, Dense(kI8, {2, 0}), "1")),
              ElementsAre());
  std::vector<Placed> twenty;
  Values expected;
  for (int k = 0; k < 20; ++k) {
    twenty.push_back(CountingIn({k % 3}));
    for (int i = 0; i < k % 3; ++i) expected.push_back(i + 1);
  }
  EXPECT_EQ(SoundResult(Concatenate(twenty, Dense(kI8, {19}), "0")), expected);
}

TEST(Moves, Iota) {
  EXPECT_THAT(SoundResult(IotaOf({kI8, {2, 3}, {1, -3}}, "1")),
              ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(SoundResult(IotaOf({kI32, {2, 3}, {7, 2}}, "0")),
              ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(SoundResult(IotaOf(Dense(kC64, {2}), "0")),
              ElementsAre(0, 0, 0x3f800000, 0));
  EXPECT_THAT(SoundResult(IotaOf(Dense(kF64, {0, 3}), "0")), ElementsAre());
  // Each number is rounded by itself: to even where it is odd.
  const Values numbers = SoundResult(IotaOf(Dense(kBf16, {260}), "0"));
  EXPECT_EQ(numbers[255], 0x437f);
  EXPECT_THAT(Values(numbers.begin() + 256, numbers.end()),
              ElementsAre(0x4380, 0x4380, 0x4381, 0x4382));
  EXPECT_THAT(SoundResult(IotaOf(Dense(kI8, {300}), "0"))[299], 43);
}

TEST(Moves, Constant) {
  LayoutCall call = {"constant", {}, {{kI4, {2, 2}, {1, -3}}}};
  call.value = Dense(kI4, {2, 2}, {-8, 7, -1, 0});
  EXPECT_THAT(SoundResult(call), ElementsAre(-8, 7, -1, 0));
  call.outputs = {Dense(kC64, {2})};
  call.value = Dense(kC64, {2}, {1, 2, 3, 4});
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 2, 3, 4));
  call.value = call.outputs[0] = Dense(kF32, {});
  call.value->values = {0x7f800001};
  EXPECT_THAT(SoundResult(call), ElementsAre(0x7f800001));
}

TEST(Moves, DeclineWhatTheyAreNot) {
  ActiveHooks() = SoundHooks();
  const Placed vector = CountingIn({3});
  const Placed deep = Dense(kI8, std::vector<int64_t>(70, 1), {1});
  const LayoutCall calls[] = {
      {"reverse", {vector}, {Dense(kI8, {3})}, {{"dimensions", "[1]"}}},
      {"reverse", {vector}, {Dense(kI8, {3})}},
      {"reverse", {vector, vector}, {Dense(kI8, {3})}, {{"dimensions", "[]"}}},
      {"reverse", {vector}, {Dense(kI32, {3})}, {{"dimensions", "[0]"}}},
      {"reverse", {deep}, {Dense(kI8, deep.shape)}, {{"dimensions", "[0]"}}},
      {"reshape", {vector}, {Dense(kI8, {2})}},
      {"reshape", {vector}, {Dense({kDLFloat, 128, 1}, {1})}},
      {"constant", {}, {Dense(kI8, {1})}, {{"value", "1"}}},
      IotaOf(Dense(kI8, {}), "0"),
      IotaOf(Dense(kI8, {2}), "-1"),
      Slice(vector, Dense(kI8, {4}), "[0]", "[4]", "[1]"),
      Concatenate({}, Dense(kI8, {0}), "0"),
      Concatenate({vector}, Dense(kI8, {4}), "0")};
  for (const LayoutCall& call : calls) {
    EXPECT_EQ(RunCall(call, Side::kTightBehind).status, ASSAY_UNSUPPORTED)
        << call.op << " " << &call - calls;
  }
}

}  // namespace
}  // namespace assay::broken
