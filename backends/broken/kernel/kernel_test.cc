// Tests that the sound kernel is right on operands of any length and layout,
// and declines calls that it does not implement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "backends/broken/kernel/broken_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;

TEST(Kernel, Arithmetic) {
  const Values a = {-128, -7, 7, 0}, b = {-1, 2, -2, 5};
  EXPECT_THAT(ResultOf({"add", kI8, {a, b}}), ElementsAre(127, -5, 5, 5));
  EXPECT_THAT(ResultOf({"subtract", kI8, {a, b}}),
              ElementsAre(-127, -9, 9, -5));
  EXPECT_THAT(ResultOf({"multiply", kI8, {a, b}}),
              ElementsAre(-128, -14, -14, 0));
  EXPECT_THAT(ResultOf({"divide", kI8, {a, b}}), ElementsAre(-128, -3, -3, 0));
  EXPECT_THAT(ResultOf({"remainder", kI8, {a, b}}), ElementsAre(0, -1, 1, 0));
  EXPECT_THAT(ResultOf({"maximum", kI8, {a, b}}), ElementsAre(-1, 2, 7, 5));
  EXPECT_THAT(ResultOf({"minimum", kI8, {a, b}}), ElementsAre(-128, -7, -2, 0));
  EXPECT_THAT(ResultOf({"negate", kI8, {a}}), ElementsAre(-128, 7, -7, 0));
  EXPECT_THAT(ResultOf({"abs", kI8, {a}}), ElementsAre(-128, 7, 7, 0));
  EXPECT_THAT(ResultOf({"sign", kI8, {a}}), ElementsAre(-1, -1, 1, 0));
  EXPECT_THAT(ResultOf({"power", kI8, {{3, 2, -1, 5}, {4, 8, -3, -1}}}),
              ElementsAre(81, 0, -1, 0));
  EXPECT_THAT(ResultOf({"divide", kUi64, {{-1, 9}, {-2, 2}}}),
              ElementsAre(1, 4));
}

TEST(Kernel, Bits) {
  EXPECT_THAT(ResultOf({"and", kI8, {{12, -1}, {10, 7}}}), ElementsAre(8, 7));
  EXPECT_THAT(ResultOf({"or", kI8, {{12, -1}, {10, 7}}}), ElementsAre(14, -1));
  EXPECT_THAT(ResultOf({"xor", kI8, {{12, -1}, {10, 7}}}), ElementsAre(6, -8));
  EXPECT_THAT(ResultOf({"not", kI8, {{12, -1}}}), ElementsAre(-13, 0));
  EXPECT_THAT(ResultOf({"not", kI1, {{1, 0}}}), ElementsAre(0, 1));
  EXPECT_THAT(ResultOf({"add", kI1, {{1, 0, 1}, {1, 0, 0}}}),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(ResultOf({"popcnt", kI8, {{-1, 5, 0}}}), ElementsAre(8, 2, 0));
  EXPECT_THAT(ResultOf({"count_leading_zeros", kI4, {{0, 1, -1}}}),
              ElementsAre(4, 3, 0));
}

TEST(Kernel, Shifts) {
  const Values x = {-100, -100, -100, 100}, counts = {1, 8, -1, 3};
  EXPECT_THAT(ResultOf({"shift_left", kI8, {x, counts}}),
              ElementsAre(56, 0, 0, 32));
  EXPECT_THAT(ResultOf({"shift_right_logical", kI8, {x, counts}}),
              ElementsAre(78, 0, 0, 12));
  EXPECT_THAT(ResultOf({"shift_right_arithmetic", kI8, {x, counts}}),
              ElementsAre(-50, -1, -1, 12));
  EXPECT_THAT(ResultOf({"shift_right_arithmetic", kUi8, {{200, 200}, {1, 9}}}),
              ElementsAre(228, 255));
  const std::string right = "paddle.bitwise_right_shift";
  EXPECT_THAT(ResultOf({right, kI8, {x, counts}}),
              ElementsAre(-50, -1, -1, 12));
  EXPECT_THAT(ResultOf({right, kI8, {x, counts}, {{"is_arithmetic", "false"}}}),
              ElementsAre(78, 0, 0, 12));
  EXPECT_THAT(ResultOf({right, kUi8, {{200, 200}, {1, 9}}}),
              ElementsAre(100, 0));
  EXPECT_THAT(ResultOf({"paddle.bitwise_left_shift", kI8, {x, counts}}),
              ElementsAre(56, 0, 0, 32));
}

TEST(Kernel, OrderingAndChoice) {
  const Values a = {-1, 1, 2}, b = {1, 1, -2};
  const std::map<std::string, Values> expected = {
      {"EQ", {0, 1, 0}}, {"NE", {1, 0, 1}}, {"GE", {0, 1, 1}},
      {"GT", {0, 0, 1}}, {"LE", {1, 1, 0}}, {"LT", {1, 0, 0}}};
  for (const auto& [direction, result] : expected) {
    EXPECT_EQ(ResultOf({"compare",
                        kI8,
                        {a, b},
                        {{"comparison_direction", direction}},
                        kI1}),
              result)
        << direction;
  }
  EXPECT_THAT(
      ResultOf(
          {"compare", kUi64, {a, b}, {{"comparison_direction", "LT"}}, kI1}),
      ElementsAre(0, 0, 1));
  EXPECT_THAT(ResultOf({"clamp", kI8, {{0}, {-5, 5, 9}, {7}}}),
              ElementsAre(0, 5, 7));
  EXPECT_THAT(ResultOf({"clamp", kI8, {{2}, {0, 9}, {1}}}), ElementsAre(1, 1));
  EXPECT_THAT(ResultOf({"select", kI8, {{1, 0}, {3, 4}, {5, 6}}}),
              ElementsAre(3, 6));
  EXPECT_THAT(ResultOf({"select", kI8, {{0}, {3, 4}, {5, 6}}}),
              ElementsAre(5, 6));
  EXPECT_THAT(ResultOf({"convert", kI64, {{-1, 256, 300}}, {}, kUi8}),
              ElementsAre(255, 0, 44));
  EXPECT_THAT(ResultOf({"convert", kI8, {{-1, 0}}, {}, kI64}),
              ElementsAre(-1, 0));
  EXPECT_THAT(ResultOf({"convert", kI8, {{-2, 0}}, {}, kI1}),
              ElementsAre(1, 0));
}

TEST(Kernel, EveryLengthAndStride) {
  for (int n = 1; n <= 70; ++n) {
    Values expected = Iota(n);
    for (int64_t& value : expected) value *= 2;
    const Call call = {"add", kI32, {Iota(n), Iota(n)}};
    EXPECT_EQ(ResultOf(call), expected) << n;
    EXPECT_EQ(ResultOf(call, 3), expected) << n;
    EXPECT_EQ(ResultOf(call, -1, n - 1), expected) << n;
    EXPECT_EQ(ResultOf(call, -2, 2 * (n - 1)), expected) << n;
  }
}

TEST(Kernel, WalksTransposedBroadcastAndGappedTensors) {
  ActiveHooks() = SoundHooks();
  int8_t a[6] = {1, 2, 3, 4, 5, 6}, b[2] = {10, 20}, c[12] = {};
  int64_t shape[] = {2, 3}, by_column[] = {1, 2}, one_a_row[] = {1, 0},
          gapped[] = {6, 2};
  AssayTensor tensors[] = {TensorOf(a, kI8, shape, 2, by_column),
                           TensorOf(b, kI8, shape, 2, one_a_row),
                           TensorOf(c, kI8, shape, 2, gapped)};
  const AssayCall call = CallOf("add", tensors, 2);
  ASSERT_EQ(assay_backend()->run(&call, nullptr, 0), ASSAY_OK);
  EXPECT_THAT(c, ElementsAre(11, 0, 13, 0, 15, 0, 22, 0, 24, 0, 26, 0));
}

TEST(Kernel, DeclinesWhatItDoesNotHave) {
  int64_t shape[] = {1, 2}, strides[] = {1, 1};
  float f[2] = {};
  AssayTensor floats[] = {TensorOf(f, {kDLFloat, 32, 1}, shape, 1, strides),
                          TensorOf(f, {kDLFloat, 32, 1}, shape, 1, strides)};
  AssayTensor quad[] = {TensorOf(f, {kDLFloat, 128, 1}, shape, 1, strides),
                        TensorOf(f, {kDLFloat, 128, 1}, shape, 1, strides)};
  AssayTensor unlike[] = {TensorOf(f, kI8, shape, 1, strides),
                          TensorOf(f, kI8, shape + 1, 1, strides),
                          TensorOf(f, kI8, shape, 1, strides)};
  const auto answer = [](const AssayCall& call) {
    char message[64] = "";
    EXPECT_EQ(assay_backend()->run(&call, message, sizeof(message)),
              ASSAY_UNSUPPORTED);
    return std::string(message);
  };
  EXPECT_EQ(answer(CallOf("not", floats, 1)),
            "not: op on this element type not implemented");
  EXPECT_EQ(answer(CallOf("abs", quad, 1)),
            "abs: element type not implemented");
  EXPECT_EQ(answer(CallOf("reduce_precision", floats, 1)),
            "reduce_precision: an attribute or region not implemented");
  EXPECT_EQ(answer(CallOf("fft", unlike, 1)), "fft: op not implemented");
  EXPECT_EQ(answer(CallOf("add", unlike, 2)),
            "add: mix of shapes not implemented");
  EXPECT_EQ(answer(CallOf("add", unlike, 1)),
            "add: number of operands not implemented");
}

}  // namespace
}  // namespace assay::broken
