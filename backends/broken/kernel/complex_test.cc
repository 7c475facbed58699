// Tests the sound kernel on whole elements: complex numbers, moved bits, and
// the caller's floating-point environment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "backends/broken/kernel/broken_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;

constexpr int64_t kOne = 0x3f800000, kTwo = 0x40000000, kMinus = 0x80000000,
                  kSignalling = 0x7f800001, kQuiet = 0x7fc00000;

TEST(Complex, PartByPartAndInOrder) {
  const Values a = {kOne, kTwo, kOne, kOne, kQuiet, kOne},
               b = {kOne, kOne, kTwo, kMinus, kOne, kOne};
  EXPECT_THAT(ResultOf({"add", kC64, {{kOne, kTwo}, {kOne, kMinus | kTwo}}}),
              ElementsAre(kTwo, 0));
  EXPECT_THAT(ResultOf({"subtract", kC64, {{kTwo, kTwo}, {kOne, kTwo}}}),
              ElementsAre(kOne, 0));
  EXPECT_THAT(ResultOf({"negate", kC64, {{0, kOne}}}),
              ElementsAre(kMinus, kMinus | kOne));
  const auto maximum = ResultOf({"maximum", kC64, {a, b}});
  EXPECT_THAT(Values(maximum.begin(), maximum.begin() + 4),
              ElementsAre(kOne, kTwo, kTwo, kMinus));
  const auto minimum = ResultOf({"minimum", kC64, {a, b}});
  EXPECT_THAT(Values(minimum.begin(), minimum.begin() + 4),
              ElementsAre(kOne, kOne, kOne, kOne));
  EXPECT_THAT(
      ResultOf({"clamp",
                kC64,
                {{kOne, 0}, {0, kTwo, kOne, kOne, kTwo, kTwo}, {kTwo, 0}}}),
      ElementsAre(kOne, 0, kOne, kOne, kTwo, 0));
  EXPECT_THAT(CompareOf(kC64, a, b, "GT", "FLOAT"), ElementsAre(1, 0, 0));
  EXPECT_THAT(CompareOf(kC64, a, b, "LE", "FLOAT"), ElementsAre(0, 1, 0));
  EXPECT_THAT(CompareOf(kC64, a, b, "NE", "FLOAT"), ElementsAre(1, 1, 1));
  EXPECT_THAT(CompareOf(kC64, {0, kOne}, {kMinus, kOne}, "EQ", "FLOAT"),
              ElementsAre(1));
}

TEST(Complex, MovesBits) {
  const Values a = {kSignalling, kMinus, 1, 2}, b = {3, 4, kSignalling, 5};
  EXPECT_THAT(ResultOf({"select", kC64, {{1, 0}, a, b}}),
              ElementsAre(kSignalling, kMinus, kSignalling, 5));
  EXPECT_THAT(ResultOf({"real", kC64, {a}, {}, kF32}),
              ElementsAre(kSignalling, 1));
  EXPECT_THAT(ResultOf({"imag", kC64, {b}, {}, kF32}), ElementsAre(4, 5));
  EXPECT_THAT(ResultOf({"real", kF32, {a}}), testing::ElementsAreArray(a));
  EXPECT_THAT(ResultOf({"imag", kF32, {a}}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(ResultOf({"complex", kF64, {{1, INT64_MIN}, {2, 3}}, {}, kC128}),
              ElementsAre(1, 2, INT64_MIN, 3));
  EXPECT_THAT(ResultOf({"select", kF32, {{0}, {1, 2}, {kSignalling, 4}}}),
              ElementsAre(kSignalling, 4));
}

TEST(Complex, Convert) {
  const int64_t one = std::bit_cast<int64_t>(1.0),
                two = std::bit_cast<int64_t>(2.0);
  EXPECT_THAT(ResultOf({"convert", kC64, {{kOne, kTwo}}, {}, kC128}),
              ElementsAre(one, two));
  EXPECT_THAT(ResultOf({"convert", kC128, {{one, two}}, {}, kC64}),
              ElementsAre(kOne, kTwo));
  EXPECT_THAT(ResultOf({"convert", kC64, {{kOne, kTwo, 0, kTwo}}, {}, kI1}),
              ElementsAre(1, 0));
  EXPECT_THAT(ResultOf({"convert", kC64, {{kTwo, kQuiet}}, {}, kI8}),
              ElementsAre(2));
  EXPECT_THAT(ResultOf({"convert", kI8, {{2, 1}}, {}, kC64}),
              ElementsAre(kTwo, 0, kOne, 0));
  EXPECT_THAT(ResultOf({"convert", kF64, {{two}}, {}, kC64}),
              ElementsAre(kTwo, 0));
}

TEST(Bitcast, SplitsJoinsAndKeeps) {
  const auto bitcast = [](const DLDataType& from, const Values& x,
                          const DLDataType& to, int64_t stride = 1) {
    return ResultOf({"bitcast_convert", from, {x}, {}, to}, stride);
  };
  const DLDataType i2 = {kDLInt, 2, 1}, f6 = {ASSAY_DL_FLOAT6_E2M3FN, 6, 1};
  EXPECT_THAT(bitcast(kF64, {0x0123456789abcdef}, kF16),
              ElementsAre(0xcdef, 0x89ab, 0x4567, 0x0123));
  EXPECT_THAT(
      bitcast(kF16, {0xcdef, 0x89ab, 0x4567, 0x0123, 1, 0, 0, 0x8000}, kF64),
      ElementsAre(0x0123456789abcdef, INT64_MIN + 1));
  EXPECT_THAT(bitcast(kI8, {0x21, -2}, kI4), ElementsAre(1, 2, -2, -1));
  EXPECT_THAT(bitcast(kI4, {1, 2, -2, -1}, kI8, 3), ElementsAre(0x21, -2));
  EXPECT_THAT(bitcast(kI8, {0x41}, kI1), ElementsAre(1, 0, 0, 0, 0, 0, 1, 0));
  EXPECT_THAT(bitcast(kI1, {1, 0, 0, 0, 0, 0, 1, 1}, kUi8), ElementsAre(0xc1));
  EXPECT_THAT(bitcast(f6, {0x39}, i2), ElementsAre(1, -2, -1));
  EXPECT_THAT(bitcast(i2, {1, -2, -1}, f6), ElementsAre(0x39));
  EXPECT_THAT(bitcast(kC64, {1, 2, 3, 4}, kC128),
              ElementsAre(1 | int64_t{2} << 32, 3 | int64_t{4} << 32));
  EXPECT_THAT(
      bitcast(kC128, {1 | int64_t{2} << 32, 3 | int64_t{4} << 32}, kC64),
      ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bitcast(kF32, {kSignalling, kMinus}, kI32),
              ElementsAre(kSignalling, INT32_MIN));
  EXPECT_THAT(bitcast(kC64, {kSignalling, 7}, kC64),
              ElementsAre(kSignalling, 7));
}

// The operands are a wide scalar, and a wide row in a matrix of narrow columns.
TEST(Bitcast, FollowsShapesAndStrides) {
  ActiveHooks() = SoundHooks();
  int64_t four[] = {4}, one[] = {1}, shape[] = {2, 2, 2}, apart[] = {4, 1, 2},
          pair[] = {2, 2}, column[] = {1, 2};
  uint64_t wide = 0x0123456789abcdef;
  uint16_t narrow[4] = {};
  AssayTensor split[] = {TensorOf(&wide, kF64, nullptr, 0, nullptr),
                         TensorOf(narrow, kF16, four, 1, one)};
  const AssayCall splits = CallOf("bitcast_convert", split, 1);
  ASSERT_EQ(assay_backend()->run(&splits, nullptr, 0), ASSAY_OK);
  EXPECT_THAT(narrow, ElementsAre(0xcdef, 0x89ab, 0x4567, 0x0123));
  uint8_t parts[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int16_t whole[4] = {};
  AssayTensor join[] = {TensorOf(parts, {kDLUInt, 8, 1}, shape, 3, apart),
                        TensorOf(whole, {kDLInt, 16, 1}, pair, 2, column)};
  const AssayCall joins = CallOf("bitcast_convert", join, 1);
  ASSERT_EQ(assay_backend()->run(&joins, nullptr, 0), ASSAY_OK);
  EXPECT_THAT(whole, ElementsAre(0x0200, 0x0604, 0x0301, 0x0705));
}

// Shapes that do not fit are declined.
TEST(Bitcast, DeclinesOtherShapes) {
  int64_t three[] = {3}, one[] = {1};
  uint64_t wide = 0;
  uint16_t narrow[3] = {};
  AssayTensor split[] = {TensorOf(&wide, kF64, nullptr, 0, nullptr),
                         TensorOf(narrow, kF16, three, 1, one)};
  AssayTensor same[] = {split[1], TensorOf(&wide, kBf16, one, 1, one)};
  for (const AssayTensor* tensors : {split, same}) {
    const AssayCall call = CallOf("bitcast_convert", tensors, 1);
    EXPECT_EQ(assay_backend()->run(&call, nullptr, 0), ASSAY_UNSUPPORTED);
  }
}

// The results do not depend on the caller's environment, and calls do not
// change it.
TEST(Environment, IsTheCallersAfterwards) {
  const double third = 1.0 / 3;
  const Call divide = {
      "divide",
      kF64,
      {{std::bit_cast<int64_t>(1.0), 1},
       {std::bit_cast<int64_t>(3.0), std::bit_cast<int64_t>(1.0)}}};
  fenv_t saved;
  fegetenv(&saved);
  for (const int rounding : {FE_UPWARD, FE_TONEAREST}) {
    std::fesetround(rounding);
    std::feclearexcept(FE_ALL_EXCEPT);
#if defined(__SSE__)
    _mm_setcsr((_mm_getcsr() | 0x8040) & ~0x1f80u);  // flushes, and would trap
#endif
    const unsigned control = ControlRegister();
    ActiveHooks() = SoundHooks();
    const Left left = RunCall(divide, Side::kTightBehind);
    std::fesetenv(&saved);
    EXPECT_THAT(left.result, ElementsAre(std::bit_cast<int64_t>(third), 1));
    EXPECT_EQ(left.rounding, rounding);
    EXPECT_EQ(left.flags, 0);
    EXPECT_EQ(left.control, control);
  }
}

}  // namespace
}  // namespace assay::broken
