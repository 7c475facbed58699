// Tests the sound kernel on pointwise calls: broadcasting, promotion, scalars,
// several outputs, and calls that it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr DLDataType kI16 = {kDLInt, 16, 1}, kUi32 = {kDLUInt, 32, 1};
// These are bits of f32 and f16.
constexpr int64_t kHalf = 0x3f000000, kTwoF32 = 0x40000000, kThree = 0x40400000,
                  kOneF32 = 0x3f800000, kOneF16 = 0x3c00, kTwoF16 = 0x4000;

// ---------------------------------------------------------------- Broadcasting

TEST(Pointwise, BroadcastsByNumpysRule) {
  const Placed matrix = Dense(kI8, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Placed result = Dense(kI8, {2, 3});
  EXPECT_THAT(
      SoundResult(AddOfAny({matrix, Dense(kI8, {3}, {10, 20, 30})}, result)),
      ElementsAre(11, 22, 33, 14, 25, 36));
  EXPECT_THAT(
      SoundResult(AddOfAny({Dense(kI8, {2, 1}, {10, 20}), matrix}, result)),
      ElementsAre(11, 12, 13, 24, 25, 26));
  EXPECT_THAT(SoundResult(AddOfAny({matrix, Dense(kI8, {1, 1}, {10})}, result)),
              ElementsAre(11, 12, 13, 14, 15, 16));
  EXPECT_THAT(SoundResult(AddOfAny({Dense(kI8, {2, 1}, {10, 20}),
                                    Dense(kI8, {1, 1, 3}, {1, 2, 3})},
                                   Dense(kI8, {1, 2, 3}))),
              ElementsAre(11, 12, 13, 21, 22, 23));
  EXPECT_THAT(SoundResult(AddOfAny({Dense(kI8, {}, {1}), Dense(kI8, {}, {2})},
                                   Dense(kI8, {}))),
              ElementsAre(3));
}

TEST(Pointwise, SizeZeroWinsOverOne) {
  EXPECT_THAT(SoundResult(AddOfAny({Dense(kI8, {0}), Dense(kI8, {1}, {1})},
                                   Dense(kI8, {0}))),
              ElementsAre());
  EXPECT_THAT(
      SoundResult(AddOfAny({Dense(kI8, {2, 1}, {1, 2}), Dense(kI8, {0})},
                           Dense(kI8, {2, 0}))),
      ElementsAre());
}

TEST(Pointwise, EightDimensionsThatCannotBeMerged) {
  const Placed a = Dense(kI8, {2, 1, 2, 1, 2, 1, 2, 1}, Iota(16)),
               b = Dense(kI8, {2, 1, 2, 1, 2, 1, 2}, Iota(16));
  Values expected;
  for (int i = 0; i < 256; ++i) {
    const auto even_bits = [](int x) {
      return (x & 1) | (x >> 1 & 2) | (x >> 2 & 4) | (x >> 3 & 8);
    };
    expected.push_back(even_bits(i >> 1) + 1 + even_bits(i) + 1);
  }
  EXPECT_EQ(
      SoundResult(AddOfAny({a, b}, Dense(kI8, std::vector<int64_t>(8, 2)))),
      expected);
}

TEST(Pointwise, BroadcastsOfPaddle) {
  LayoutCall call = {"paddle.bitwise_left_shift",
                     {Dense(kI8, {2, 1}, {1, 3}), Dense(kI8, {3}, {0, 1, 8})},
                     {Dense(kI8, {2, 3})}};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 2, 0, 3, 6, 0));
  call.op = "paddle.bitwise_right_shift";
  call.inputs[0].values = {-128, 64};
  call.attributes = {{"is_arithmetic", "false"}};
  EXPECT_THAT(SoundResult(call), ElementsAre(-128, 64, 0, 64, 32, 0));
  call.inputs[1] = Dense(kI16, {3}, {0, 1, 8});
  EXPECT_EQ(
      RunSound(call).message,
      "paddle.bitwise_right_shift: input 1 is not of the type of input 0");
  call.inputs[1] = Dense(kI8, {2}, {0, 1});
  EXPECT_EQ(RunSound(call).status, ASSAY_INVALID);
  call.outputs = {Dense(kI8, {2, 2})};
  EXPECT_THAT(SoundResult(call), ElementsAre(-128, 64, 64, 32));
}

TEST(Pointwise, InPlaceWithOthersBroadcast) {
  const Placed matrix = {kI8, {2, 9}, {-20, 2}, Iota(18)};
  const Placed row = Dense(kI8, {9}, Values(9, 100)),
               column = Dense(kI8, {2, 1}, {10, 20});
  EXPECT_THAT(
      SoundResult(Pointwise("subtract", {row, matrix}, {InPlaceOf(matrix, 1)},
                            "[[0,1,\"DEFAULT\"]]")),
      ElementsAre(99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85,
                  84, 83, 82));
  EXPECT_THAT(SoundResult(AddOfAny({matrix, column}, InPlaceOf(matrix, 0))),
              ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19, 30, 31, 32, 33,
                          34, 35, 36, 37, 38));
  EXPECT_THAT(SoundResult(AddOfAny({matrix, PlacedScalar(kI64, 1)},
                                   InPlaceOf(matrix, 0))),
              ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                          17, 18, 19));
}

// ------------------------------------------------------------------- Promotion

TEST(Pointwise, MixedTypes) {
  EXPECT_THAT(SoundResult(AddOfAny(
                  {Dense(kI8, {2}, {-1, 100}), Dense(kUi8, {2}, {255, 100})},
                  Dense(kI16, {2}))),
              ElementsAre(254, 200));
  EXPECT_THAT(SoundResult(AddOfAny(
                  {Dense(kI64, {1}, {16777217}), Dense(kF32, {1}, {0})},
                  Dense(kF32, {1}))),
              ElementsAre(0x4b800000));  // 2^24, ties to even
  EXPECT_THAT(SoundResult(AddOfAny(
                  {Dense(kF16, {1}, {kOneF16}), Dense(kBf16, {1}, {0x3f80})},
                  Dense(kF32, {1}))),
              ElementsAre(kTwoF32));
  EXPECT_THAT(SoundResult(AddOfAny(
                  {Dense(kI1, {2}, {1, 0}), Dense(kI8, {2}, {127, -1})},
                  Dense(kI8, {2}))),
              ElementsAre(-128, -1));
  EXPECT_THAT(SoundResult(AddOfAny({Dense(kF32, {1}, {kTwoF32}),
                                    Dense(kC64, {1}, {kOneF32, kOneF32})},
                                   Dense(kC64, {1}))),
              ElementsAre(kThree, kOneF32));
}

// -65504 + 65504 * 1.5 is a value of f16, and the product is not.
TEST(Pointwise, ComputesNarrowFloatsInF32) {
  const Placed greatest = Dense(kF16, {1}, {0x7bff}),
               least = Dense(kF16, {1}, {0xfbff}),
               scale = Dense(kF16, {1}, {0x3e00});
  LayoutCall call = Pointwise("add_func", {least, greatest, scale},
                              {Dense(kF16, {1})}, "[[0, 1, 2, \"DEFAULT\"]]");
  EXPECT_THAT(SoundResult(call), ElementsAre(0x77ff));
  call.attributes["promotion_methods"] = "[[0, 1, 2, \"NO_OPMATH\"]]";
  EXPECT_THAT(SoundResult(call), ElementsAre(0x7c00));
}

TEST(Pointwise, TensorsThenZeroDimThenScalars) {
  const Placed vector = Dense(kF16, {1}, {kOneF16});
  EXPECT_THAT(
      SoundResult(AddOfAny({vector, Dense(kF64, {}, {0x3ff0000000000000})},
                           Dense(kF16, {1}))),
      ElementsAre(kTwoF16));
  EXPECT_THAT(SoundResult(AddOfAny({Dense(kF16, {}, {kOneF16}),
                                    PlacedScalar(kF64, 0x3ff0000000000000)},
                                   Dense(kF16, {}))),
              ElementsAre(kTwoF16));
  EXPECT_THAT(
      SoundResult(AddOfAny({Dense(kI64, {2}, {1, 2}), PlacedScalar(kF64, 0)},
                           Dense(kF32, {2}))),
      ElementsAre(kOneF32, kTwoF32));
  EXPECT_THAT(SoundResult(AddOfAny({PlacedScalar(kI8, 1), PlacedScalar(kI8, 2)},
                                   Dense(kI64, {}))),
              ElementsAre(3));
  EXPECT_THAT(
      SoundResult(AddOfAny({Dense(kUi32, {1}, {-1}), PlacedScalar(kI64, 2)},
                           Dense(kUi32, {1}))),
      ElementsAre(1));
}

TEST(Pointwise, Methods) {
  const Placed ints = Dense(kI32, {1}, {3}), bools = Dense(kI1, {1}, {1});
  EXPECT_THAT(
      SoundResult(Pointwise("divide", {ints, Dense(kI32, {1}, {2})},
                            {Dense(kF32, {1})}, "[[0, 1, \"INT_TO_FLOAT\"]]")),
      ElementsAre(0x3fc00000));
  EXPECT_THAT(
      SoundResult(Pointwise("sqrt", {Dense(kI1, {2}, {1, 0})},
                            {Dense(kF32, {2})}, "[[0, \"INT_TO_FLOAT\"]]")),
      ElementsAre(kOneF32, 0));
  EXPECT_THAT(SoundResult(Pointwise("power", {bools, bools}, {Dense(kI64, {1})},
                                    "[[0, 1, \"BOOL_TO_LONG\"]]")),
              ElementsAre(1));
  EXPECT_THAT(
      SoundResult(Pointwise("abs", {Dense(kC64, {1}, {kThree, 0x40800000})},
                            {Dense(kF32, {1})}, "[[0, \"COMPLEX_TO_FLOAT\"]]")),
      ElementsAre(0x40a00000));
  EXPECT_THAT(
      SoundResult(Pointwise("abs", {Dense(kC64, {1}, {kThree, 0x40800000})},
                            {Dense(kC64, {1})}, "[[0, \"DEFAULT\"]]")),
      ElementsAre(0x40a00000, 0));
  LayoutCall compare =
      Pointwise("compare", {ints, Dense(kF32, {2}, {kThree, kHalf})},
                {Dense(kI1, {2})}, "[[0, 1, \"ALWAYS_BOOL\"]]");
  compare.attributes["comparison_direction"] = "GT";
  compare.attributes["compare_type"] = "FLOAT";
  EXPECT_THAT(SoundResult(compare), ElementsAre(0, 1));
  EXPECT_THAT(SoundResult(AddOfAny({ints, Dense(kI32, {2}, {-3, 0})},
                                   Dense(kI1, {2}), "ALWAYS_BOOL")),
              ElementsAre(0, 1));
  // 2^8 is 0 in i8, but not before that.
  EXPECT_THAT(
      SoundResult(AddOfAny({Dense(kI8, {1}, {-128}), Dense(kI8, {1}, {-128})},
                           Dense(kI1, {1}), "ALWAYS_BOOL")),
      ElementsAre(0));
}

TEST(Pointwise, SelectConvertsTheOthers) {
  EXPECT_THAT(SoundResult(Pointwise(
                  "select",
                  {Dense(kI1, {2, 1}, {1, 0}), Dense(kI8, {2}, {1, 2}),
                   PlacedScalar(kF32, kHalf)},
                  {Dense(kF32, {2, 2})}, "[[1, 2, \"NO_OPMATH\"]]")),
              ElementsAre(kOneF32, kTwoF32, kHalf, kHalf));
}

TEST(Pointwise, CopiesBitsThatNeedNoConversion) {
  EXPECT_THAT(
      SoundResult(Pointwise("copy_func", {Dense(kF32, {1}, {0x7f800001})},
                            {Dense(kF32, {1})}, "[[0, \"DEFAULT\"]]")),
      ElementsAre(0x7f800001));
  EXPECT_THAT(SoundResult(Pointwise("copy_func", {{kI8, {3}, {-2}, {1, 2, 3}}},
                                    {Dense(kI8, {3})}, "[[0, \"DEFAULT\"]]")),
              ElementsAre(1, 2, 3));
}

TEST(Pointwise, AddFunc) {
  EXPECT_THAT(
      SoundResult(Pointwise("add_func",
                            {Dense(kI8, {2, 1}, {1, 2}),
                             Dense(kI8, {2}, {100, 3}), PlacedScalar(kI64, 2)},
                            {Dense(kI8, {2, 2})}, "[[0, 1, \"DEFAULT\"]]")),
      ElementsAre(-55, 7, -54, 8));
  // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, and 0 if the product is rounded.
  EXPECT_THAT(
      SoundResult(Pointwise(
          "add_func",
          {Dense(kF32, {1}, {0xbf801000}), Dense(kF32, {1}, {0x3f800800}),
           Dense(kF32, {1}, {0x3f800800})},
          {Dense(kF32, {1})}, "[[0, 1, 2, \"DEFAULT\"]]")),
      ElementsAre(0));
}

TEST(Pointwise, PolarInPlaceOfEither) {
  const Placed abs = Dense(kF32, {9}, Values(9, kTwoF32)),
               angle = {kF32, {9}, {2}, Values(9, 0)};
  const std::string rules = "[[0, 1, \"DEFAULT\"], [0, 1, \"DEFAULT\"]]";
  Values expected(9, kTwoF32);
  expected.resize(18, 0);
  for (const bool is_swapped : {false, true}) {
    std::vector<Placed> outputs = {
        InPlaceOf(is_swapped ? angle : abs, is_swapped ? 1 : 0),
        InPlaceOf(is_swapped ? abs : angle, is_swapped ? 0 : 1)};
    EXPECT_EQ(SoundResult(Pointwise("polar", {abs, angle}, outputs, rules)),
              expected);
  }
  EXPECT_EQ(
      SoundResult(Pointwise("polar", {abs, angle},
                            {Dense(kF32, {9}), InPlaceOf(abs, 0)}, rules)),
      expected);
}

TEST(Pointwise, DeclinesWhatItDoesNotKnow) {
  const Placed a = Dense(kI8, {1}, {1});
  for (const char* name : {"convert", "bitcast_convert", "complex", "sort",
                           "paddle.bitwise_left_shift", "broadcast_in_dim"}) {
    EXPECT_EQ(RunSound(Pointwise(name, {a}, {a}, "[[0, \"DEFAULT\"]]")).status,
              ASSAY_UNSUPPORTED)
        << name;
  }
  LayoutCall call = AddOfAny({a, a}, a);
  call.attributes["fastmath"] = "true";
  EXPECT_EQ(RunSound(call).status, ASSAY_UNSUPPORTED);
}

TEST(Pointwise, IsDeclared) {
  EXPECT_TRUE(assay_backend()->capabilities & ASSAY_VALIDATES_POINTWISE);
}

}  // namespace
}  // namespace assay::broken
