#include "spec/text/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace assay::text {
namespace {

using enum ElementType;

std::string Text(ElementType type, ElementBits bits) {
  std::string text;
  AppendElement(type, bits, &text);
  return text;
}

std::string TextOfF32(float value) {
  return Text(kF32, std::bit_cast<uint32_t>(value));
}

TEST(Number, FloatsAreScientificWhereSixDigitsAreTheValue) {
  EXPECT_EQ(TextOfF32(0), "0.000000e+00");
  EXPECT_EQ(TextOfF32(-0.0f), "-0.000000e+00");
  EXPECT_EQ(TextOfF32(1), "1.000000e+00");
  EXPECT_EQ(TextOfF32(-2.5f), "-2.500000e+00");
  EXPECT_EQ(TextOfF32(0.1f), "1.000000e-01");
  EXPECT_EQ(TextOfF32(123456), "1.234560e+05");
  EXPECT_EQ(Text(kF64, std::bit_cast<uint64_t>(1e-300)), "1.000000e-300");
  EXPECT_EQ(Text(kF16, 0x3C00), "1.000000e+00");
}

TEST(Number, OtherFloatsHaveTheDigitsThatTheTypeMayNeed) {
  EXPECT_EQ(TextOfF32(1.0f / 3), "0.333333343");
  EXPECT_EQ(TextOfF32(0.00012345678f), "1.23456775E-4");
  EXPECT_EQ(TextOfF32(1234567.5f), "1234567.5");
  EXPECT_EQ(TextOfF32(3.4028235e38f), "3.40282347E+38");
  EXPECT_EQ(Text(kF64, std::bit_cast<uint64_t>(1.0 / 3)),
            "0.33333333333333331");
  EXPECT_EQ(Text(kF64, std::bit_cast<uint64_t>(0.0039215482917486456)),
            "0.0039215482917486456");
  EXPECT_EQ(Text(kF64, 1), "4.940660e-324");
}

TEST(Number, SpecialValuesAndWholeNumbersAreBits) {
  EXPECT_EQ(TextOfF32(INFINITY), "0x7F800000");
  EXPECT_EQ(TextOfF32(-INFINITY), "0xFF800000");
  EXPECT_EQ(TextOfF32(std::bit_cast<float>(0x7FC00001)), "0x7FC00001");
  // So are those whose digits have no point: they would be read as integers.
  EXPECT_EQ(TextOfF32(50331648), "0x4C400000");
  EXPECT_EQ(Text(kBF16, 0x7F80), "0x7F80");
  EXPECT_EQ(Text(kF8E4M3FN, 0x7F), "0x7F");
}

TEST(Number, EveryFloatOfSixteenBitsReadsBack) {
  for (const ElementType type :
       {kF4E2M1FN, kF6E2M3FN, kF6E3M2FN, kF8E3M4, kF8E4M3, kF8E4M3FN,
        kF8E4M3FNUZ, kF8E4M3B11FNUZ, kF8E5M2, kF8E5M2FNUZ, kF8E8M0FNU, kBF16,
        kF16}) {
    for (uint32_t bits = 0; bits < 1u << Info(type).bits; ++bits) {
      std::string text = Text(type, bits);
      if (text.starts_with("0x")) {
        EXPECT_EQ(ParseDigits(text), bits) << Name(type);
        continue;
      }
      const bool is_negative = text.starts_with('-');
      const double value = ParseDouble(text.substr(is_negative));
      EXPECT_EQ(FloatBits(type, is_negative ? -value : value), bits)
          << Name(type) << " " << text;
    }
  }
}

TEST(Number, FloatsOfManyBitsReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    for (const ElementType type : {kF32, kF64}) {
      const ElementBits own = type == kF32 ? bits >> 32 : bits;
      const std::string text = Text(type, own);
      if (text.starts_with("0x")) {
        EXPECT_EQ(ParseDigits(text), own);
        continue;
      }
      const bool is_negative = text.starts_with('-');
      const double value = ParseDouble(text.substr(is_negative));
      ASSERT_EQ(FloatBits(type, is_negative ? -value : value), own) << text;
    }
  }
}

TEST(Number, IntegersOfATypeWithoutASignMayBeItsBits) {
  EXPECT_EQ(IntegerBits(kI8, false, 255), 255);
  EXPECT_EQ(IntegerBits(kI8, true, 128), 128);
  EXPECT_EQ(IntegerBits(kI8, false, 256), std::nullopt);
  EXPECT_EQ(IntegerBits(kI8, true, 129), std::nullopt);
  EXPECT_EQ(IntegerBits(kUi8, false, 255), 255);
  EXPECT_EQ(IntegerBits(kUi8, true, 1), std::nullopt);
  EXPECT_EQ(IntegerBits(kI2, false, 3), 3);
  EXPECT_EQ(IntegerBits(kI1, false, 1), 1);
  EXPECT_EQ(IntegerBits(kI1, false, 2), std::nullopt);
  EXPECT_EQ(IntegerBits(kI64, false, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(IntegerBits(kI64, true, uint64_t{1} << 63), uint64_t{1} << 63);
  EXPECT_EQ(IntegerBits(kI64, true, (uint64_t{1} << 63) + 1), std::nullopt);
  EXPECT_EQ(ParseDigits("18446744073709551616"), std::nullopt);
  EXPECT_EQ(ParseDigits("0xFFFFFFFFFFFFFFFF"), UINT64_MAX);
  EXPECT_EQ(ParseDigits("m"), std::nullopt);
  EXPECT_EQ(ParseDigits(""), std::nullopt);
}

TEST(Number, IntegersArePrintedByTheirValue) {
  EXPECT_EQ(Text(kI8, 0xFF), "-1");
  EXPECT_EQ(Text(kUi64, UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(Text(kI64, uint64_t{1} << 63), "-9223372036854775808");
  EXPECT_EQ(Text(kI1, 1), "true");
  EXPECT_EQ(Text(kI1, 0), "false");
}

TEST(Number, LiteralsBeyondADoubleAreInfiniteOrZero) {
  EXPECT_EQ(ParseDouble("1.0e999"), HUGE_VAL);
  EXPECT_EQ(ParseDouble("1.0e-999"), 0.0);
}

}  // namespace
}  // namespace assay::text
