// Tests the table of formats against one that was written from their papers:
// limits and special codes in decimals, and the value of every code.
#include "spec/types/float_format.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "spec/types/element.h"
#include "spec/types/float_reference_test_support.h"

namespace assay {
namespace {

using enum ElementType;

struct FormatRow {
  ElementType type;
  const char *max, *smallest_normal, *smallest_subnormal;  // "": none
  const char *infinity, *nan;  // the default code; "": none
  int nans;                    // codes; 0 for the widest, not counted
  bool negative_zero;
};

// The sources are OCP MX 1.0 and OFP8 1.0; IEEE P3109 and the papers of the
// FNUZ formats; IEEE 754-2019, table 3.5.
const FormatRow kRows[] = {
    {kF4E2M1FN, "6", "1", "0.5", "", "", 0, true},
    {kF6E2M3FN, "7.5", "1", "0.125", "", "", 0, true},
    {kF6E3M2FN, "28", "0.25", "0.0625", "", "", 0, true},
    {kF8E3M4, "15.5", "0.25", "0.015625", "0x70", "0x78", 30, true},
    {kF8E4M3, "240", "0.015625", "0.001953125", "0x78", "0x7c", 14, true},
    {kF8E4M3FN, "448", "0.015625", "0.001953125", "", "0x7f", 2, true},
    {kF8E4M3FNUZ, "240", "0.0078125", "0.0009765625", "", "0x80", 1, false},
    {kF8E4M3B11FNUZ, "30", "0.0009765625", "0.0001220703125", "", "0x80", 1,
     false},
    {kF8E5M2, "57344", "6.103515625e-05", "1.52587890625e-05", "0x7c", "0x7e",
     6, true},
    {kF8E5M2FNUZ, "57344", "3.0517578125e-05", "7.62939453125e-06", "", "0x80",
     1, false},
    {kF8E8M0FNU, "1.7014118346046923e+38", "5.877471754111438e-39", "", "",
     "0xff", 1, false},
    {kBF16, "3.3895313892515355e+38", "1.1754943508222875e-38",
     "9.183549615799121e-41", "0x7f80", "0x7fc0", 254, true},
    {kF16, "65504", "6.103515625e-05", "5.960464477539063e-08", "0x7c00",
     "0x7e00", 2046, true},
    {kF32, "3.4028234663852886e+38", "1.1754943508222875e-38",
     "1.401298464324817e-45", "0x7f800000", "0x7fc00000", 0, true},
    {kF64, "1.7976931348623157e+308", "2.2250738585072014e-308", "5e-324",
     "0x7ff0000000000000", "0x7ff8000000000000", 0, true},
};

TEST(FloatFormat, IsThatOfThePapers) {
  ASSERT_EQ(std::size(kRows), 15u);
  for (const FormatRow& row : kRows) {
    SCOPED_TRACE(Name(row.type));
    VisitKinds<kFloats>(row.type, [&]<class T>() {
      constexpr FloatFormat kFormat = T::kFormat;
      const auto value = [](uint64_t code) {
        return fmt::format(
            "{}", T::FromBits(static_cast<typename T::Bits>(code)).ToDouble());
      };
      EXPECT_EQ(kFormat.type, row.type);
      EXPECT_EQ(kFormat.bits(), Info(row.type).bits);
      EXPECT_EQ(value(kFormat.max_code()), row.max);
      EXPECT_EQ(value(kFormat.min_normal_code()), row.smallest_normal);
      EXPECT_EQ(T::Max(false).ToBits(), kFormat.max_code());
      EXPECT_EQ(std::ldexp(1.0, kFormat.min_exponent()),
                std::stod(row.smallest_normal));
      EXPECT_EQ(std::ilogb(std::stod(row.max)), kFormat.max_exponent());
      EXPECT_EQ(kFormat.has_subnormals(), *row.smallest_subnormal != '\0');
      if (kFormat.has_subnormals()) {
        EXPECT_EQ(value(1), row.smallest_subnormal);
        EXPECT_TRUE(T::FromBits(1).IsSubnormal());
      }
      EXPECT_EQ(kFormat.has_infinity(), *row.infinity != '\0');
      if (kFormat.has_infinity()) {
        EXPECT_EQ(FormatBits(row.type, T::Infinity(false).ToBits()),
                  row.infinity);
        EXPECT_TRUE(T::Infinity(true).IsInfinite());
        EXPECT_EQ(T::Infinity(true).ToDouble(), -HUGE_VAL);
      }
      EXPECT_EQ(kFormat.has_nan(), *row.nan != '\0');
      if (kFormat.has_nan()) {
        EXPECT_EQ(FormatBits(row.type, T::Nan().ToBits()), row.nan);
        EXPECT_TRUE(T::Nan().IsNan());
      }
      EXPECT_EQ(kFormat.has_negative_zero(), row.negative_zero);
      EXPECT_EQ(T::Zero(true).ToBits(),
                row.negative_zero ? kFormat.sign_bit() : 0);
    });
  }
}

template <class T>
void CheckCode(const reference::Format& format, uint64_t code) {
  const T x = T::FromBits(static_cast<typename T::Bits>(code));
  const reference::Real real = Decode(format, code);
  const bool is_nan = real.what == reference::Real::kNan;
  const bool is_infinite = real.what == reference::Real::kInfinite;
  ASSERT_EQ(x.ToBits(), code);
  ASSERT_EQ(x.IsNan(), is_nan);
  ASSERT_EQ(x.IsInfinite(), is_infinite);
  ASSERT_EQ(x.IsZero(), real.IsZero());
  ASSERT_EQ(x.SignBit(), (code & format.sign()) != 0);
  const uint64_t magnitude = x.SignBit() ? code - format.sign() : code;
  ASSERT_EQ(x.magnitude(), magnitude);
  ASSERT_EQ(x.IsSubnormal(), format.kind != reference::Kind::kE8m0 &&
                                 magnitude != 0 &&
                                 magnitude >> format.mantissa_bits == 0);
  if (is_nan) {
    ASSERT_TRUE(std::isnan(x.ToDouble()));
    return;
  }
  const double exact =
      is_infinite ? HUGE_VAL : std::ldexp(static_cast<double>(real.n), real.e);
  ASSERT_EQ(std::bit_cast<uint64_t>(x.ToDouble()),
            std::bit_cast<uint64_t>(real.negative ? -exact : exact));
}

TEST(Float, EveryCodeHasTheValueOfTheReference) {
  for (const reference::Format& format : reference::kFormats) {
    SCOPED_TRACE(Name(format.type));
    VisitKinds<kFloats>(format.type, [&]<class T>() {
      // For the wide formats the codes are a spread, with odd distances.
      const bool all = T::kBitWidth <= 16;
      const uint64_t last = all ? format.codes() - 1
                                : static_cast<typename T::Bits>(~uint64_t{0});
      const uint64_t step = all ? 1 : last / 9973;
      for (uint64_t code = 0; code <= last - step; code += step) {
        SCOPED_TRACE(code);
        CheckCode<T>(format, code);
        if (::testing::Test::HasFatalFailure()) return;
      }
      CheckCode<T>(format, last);
    });
  }
}

TEST(Float, AFormatHasAsManyNansAsItsPaperSays) {
  for (const FormatRow& row : kRows) {
    if (Info(row.type).bits > 16) continue;
    const uint64_t codes = reference::FormatOf(row.type).codes();
    const int nans = VisitKinds<kFloats>(row.type, [&]<class T>() {
      int count = 0;
      for (uint64_t code = 0; code < codes; ++code)
        count += T::FromBits(static_cast<typename T::Bits>(code)).IsNan();
      return count;
    });
    EXPECT_EQ(nans, row.nans) << Name(row.type);
  }
}

TEST(Float, BitsAboveTheFormatAreIgnored) {
  EXPECT_EQ(Float<kF4E2M1FN>::FromBits(0xf7).ToDouble(), 6);
  EXPECT_EQ(Float<kF4E2M1FN>::FromBits(0xff).ToBits(), 0xf);
  EXPECT_EQ(Float<kF6E2M3FN>::FromBits(0xdf).ToDouble(), 7.5);
  EXPECT_EQ(Float<kF6E3M2FN>::FromBits(0xc1).ToBits(), 1);
}

// Each kind of result that is not a number comes from one function.
TEST(Float, ResultsThatAFormatLacksSayWhatTheyWere) {
  using F4 = Float<kF4E2M1FN>;
  EXPECT_EQ(F4::OfNan().value.ToBits(), 0);
  EXPECT_EQ(F4::OfNan().unencodable, Unencodable::kNan);
  EXPECT_EQ(F4::OfInfinity(true).value.ToDouble(), -6);
  EXPECT_EQ(F4::OfInfinity(true).unencodable, Unencodable::kOverflow);
  EXPECT_TRUE(F4::OfInfinity(true).negative);
  using E4m3 = Float<kF8E4M3FN>;
  EXPECT_EQ(E4m3::OfInfinity(false).value.ToBits(), 0x7f);
  EXPECT_EQ(E4m3::OfInfinity(false).unencodable, Unencodable::kOverflow);
  EXPECT_EQ(E4m3::OfNan().unencodable, Unencodable::kNot);
  using E8m0 = Float<kF8E8M0FNU>;
  EXPECT_EQ(E8m0::OfZero(true).value.ToBits(), 0);
  EXPECT_EQ(E8m0::OfZero(true).unencodable, Unencodable::kE8m0Zero);
  EXPECT_EQ(E8m0::Round(0x1p-128).unencodable, Unencodable::kE8m0TooSmall);
  EXPECT_EQ(E8m0::Round(0x1.8p-128).unencodable, Unencodable::kNot);
  EXPECT_EQ(E8m0::OfInfinity(true).unencodable, Unencodable::kE8m0Negative);
  EXPECT_EQ(E8m0::OfInfinity(false).unencodable, Unencodable::kE8m0Overflow);
  EXPECT_EQ(F32::OfInfinity(true).value.ToBits(), 0xff800000);
  EXPECT_EQ(F32::OfInfinity(true).unencodable, Unencodable::kNot);
}

TEST(FloatFormatDeathTest, OtherTypesHaveNone) {
  EXPECT_DEATH(FormatOf(kI32), "IsFloat");
  EXPECT_DEATH(FormatOf(kComplexF32), "IsFloat");
}

}  // namespace
}  // namespace assay
