// Tests the table of element types against a second table that was written from
// the texts: names and kinds from "Types" of the StableHLO specification, codes
// and bits from dlpack.h of DLPack 1.1 (enum DLDataTypeCode).
#include "spec/types/element_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "spec/types/element.h"

namespace assay {
namespace {

using enum ElementKind;

struct Expected {
  const char* name;
  ElementKind kind;
  int bits;
  int bytes;
  int dlpack_code;
  int dlpack_bits;
};

// The rows are in the order of the enum.
constexpr Expected kExpected[] = {
    {"i1", kBoolean, 1, 1, /*kDLBool*/ 6, 8},
    {"i2", kSignedInteger, 2, 1, /*kDLInt*/ 0, 2},
    {"i4", kSignedInteger, 4, 1, 0, 4},
    {"i8", kSignedInteger, 8, 1, 0, 8},
    {"i16", kSignedInteger, 16, 2, 0, 16},
    {"i32", kSignedInteger, 32, 4, 0, 32},
    {"i64", kSignedInteger, 64, 8, 0, 64},
    {"ui2", kUnsignedInteger, 2, 1, /*kDLUInt*/ 1, 2},
    {"ui4", kUnsignedInteger, 4, 1, 1, 4},
    {"ui8", kUnsignedInteger, 8, 1, 1, 8},
    {"ui16", kUnsignedInteger, 16, 2, 1, 16},
    {"ui32", kUnsignedInteger, 32, 4, 1, 32},
    {"ui64", kUnsignedInteger, 64, 8, 1, 64},
    {"f4E2M1FN", kFloat, 4, 1, /*kDLFloat4_e2m1fn*/ 17, 4},
    {"f6E2M3FN", kFloat, 6, 1, /*kDLFloat6_e2m3fn*/ 15, 6},
    {"f6E3M2FN", kFloat, 6, 1, /*kDLFloat6_e3m2fn*/ 16, 6},
    {"f8E3M4", kFloat, 8, 1, /*kDLFloat8_e3m4*/ 7, 8},
    {"f8E4M3", kFloat, 8, 1, /*kDLFloat8_e4m3*/ 8, 8},
    {"f8E4M3FN", kFloat, 8, 1, /*kDLFloat8_e4m3fn*/ 10, 8},
    {"f8E4M3FNUZ", kFloat, 8, 1, /*kDLFloat8_e4m3fnuz*/ 11, 8},
    {"f8E4M3B11FNUZ", kFloat, 8, 1, /*kDLFloat8_e4m3b11fnuz*/ 9, 8},
    {"f8E5M2", kFloat, 8, 1, /*kDLFloat8_e5m2*/ 12, 8},
    {"f8E5M2FNUZ", kFloat, 8, 1, /*kDLFloat8_e5m2fnuz*/ 13, 8},
    {"f8E8M0FNU", kFloat, 8, 1, /*kDLFloat8_e8m0fnu*/ 14, 8},
    {"bf16", kFloat, 16, 2, /*kDLBfloat*/ 4, 16},
    {"f16", kFloat, 16, 2, /*kDLFloat*/ 2, 16},
    {"f32", kFloat, 32, 4, 2, 32},
    {"f64", kFloat, 64, 8, 2, 64},
    {"complex<f32>", kComplex, 64, 8, /*kDLComplex*/ 5, 64},
    {"complex<f64>", kComplex, 128, 16, 5, 128},
};

TEST(ElementType, EveryTypeHasTheNamesWidthsAndCodesOfTheTexts) {
  ASSERT_EQ(ElementTypes().size(), std::size(kExpected));
  for (size_t i = 0; i < std::size(kExpected); ++i) {
    const Expected& expected = kExpected[i];
    const ElementTypeInfo& info = ElementTypes()[i];
    SCOPED_TRACE(expected.name);
    EXPECT_STREQ(info.name, expected.name);
    EXPECT_EQ(info.kind, expected.kind);
    EXPECT_EQ(info.bits, expected.bits);
    EXPECT_EQ(info.bytes, expected.bytes);
    EXPECT_EQ(info.dlpack_code, expected.dlpack_code);
    EXPECT_EQ(info.dlpack_bits, expected.dlpack_bits);
  }
}

TEST(ElementType, InfoOfATypeIsItsOwnRow) {
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    EXPECT_EQ(ElementTypes()[i].type, static_cast<ElementType>(i));
    EXPECT_EQ(&Info(static_cast<ElementType>(i)), &ElementTypes()[i]);
  }
}

TEST(ElementType, NoTwoTypesShareADlpackCodeAndWidth) {
  std::set<std::pair<int, int>> seen;
  for (const ElementTypeInfo& info : ElementTypes()) {
    EXPECT_TRUE(seen.insert({info.dlpack_code, info.dlpack_bits}).second)
        << info.name;
  }
}

TEST(ElementType, NamesRoundTrip) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    EXPECT_EQ(ParseElementType(Name(info.type)), info.type) << info.name;
  }
}

TEST(ElementType, SignedIntegersMayBeWrittenWithTheirSign) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    const std::string with_sign = std::string("s") + info.name;
    if (info.kind == kSignedInteger) {
      EXPECT_EQ(ParseElementType(with_sign), info.type) << with_sign;
    } else {
      EXPECT_EQ(ParseElementType(with_sign), std::nullopt) << with_sign;
    }
  }
}

TEST(ElementType, OtherNamesAreNotTypes) {
  for (const char* name : {"",
                           "i",
                           "s",
                           "si",
                           "si1",
                           "sui8",
                           "ssi8",
                           "i3",
                           "i128",
                           "ui1",
                           "I8",
                           "i8 ",
                           " i8",
                           "tf32",
                           "f8",
                           "f8e4m3fn",
                           "complex",
                           "complex<f16>",
                           "complex<i8>",
                           "index",
                           "none"}) {
    EXPECT_EQ(ParseElementType(name), std::nullopt) << name;
  }
}

TEST(ElementType, EachTypeIsOfExactlyOneKind) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    const ElementType t = info.type;
    EXPECT_EQ(IsBoolean(t) + IsSignedInteger(t) + IsUnsignedInteger(t) +
                  IsFloat(t) + IsComplex(t),
              1)
        << info.name;
    EXPECT_EQ(IsInteger(t), IsSignedInteger(t) || IsUnsignedInteger(t));
  }
}

TEST(ElementType, LimitsOfIntegersAreThoseOfTheText) {
  // "siN types represent integer values from -2^(N-1) to 2^(N-1)-1 inclusive,
  // and uiN types from 0 to 2^N-1 inclusive."
  struct Limits {
    const char* name;
    __int128 min, max;
  };
  const Limits limits[] = {
      {"i1", 0, 1},
      {"i2", -2, 1},
      {"i4", -8, 7},
      {"i8", -128, 127},
      {"i16", -32768, 32767},
      {"i32", -2147483648LL, 2147483647},
      {"i64", -9223372036854775807LL - 1, 9223372036854775807LL},
      {"ui2", 0, 3},
      {"ui4", 0, 15},
      {"ui8", 0, 255},
      {"ui16", 0, 65535},
      {"ui32", 0, 4294967295LL},
      {"ui64", 0, static_cast<__int128>(18446744073709551615ULL)},
  };
  for (const Limits& expected : limits) {
    const ElementType type = *ParseElementType(expected.name);
    EXPECT_TRUE(MinValue(type) == expected.min) << expected.name;
    EXPECT_TRUE(MaxValue(type) == expected.max) << expected.name;
  }
}

TEST(ElementTypeDeathTest, TypesThatAreNotIntegersHaveNoLimits) {
  EXPECT_DEATH(MinValue(ElementType::kF32), "IsInteger");
  EXPECT_DEATH(MaxValue(ElementType::kComplexF64), "IsInteger");
}

}  // namespace
}  // namespace assay
