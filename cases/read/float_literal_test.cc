// Tests that each float literal is rounded once, from its text, by comparison
// with decimals that lie on, just below and just above every place where the
// result changes. A value that a type does not have is refused with the reason,
// and in a file with file and place.
#include "cases/read/float_literal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "cases/case.h"
#include "spec/error.h"

namespace assay {
namespace {

using enum ElementType;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Returns the bits as text, or the reason.
std::string Read(const std::string& text, ElementType type) {
  std::string reason;
  const auto bits = ParseFloatLiteral(text, type, &reason);
  EXPECT_EQ(bits.has_value(), reason.empty());
  return bits ? FormatBits(type, *bits) : reason;
}

TEST(FloatLiteral, IsRoundedOnceFromItsText) {
  struct Row {
    const char* text;
    ElementType type;
    const char* bits;
  };
  const Row rows[] = {
      {"0", kF32, "0x00000000"},
      {"-0", kF32, "0x80000000"},
      {"-0.0e5", kBF16, "0x8000"},
      {"1", kF32, "0x3f800000"},
      {"-1.5e-3", kF64, "0xbf589374bc6a7efa"},
      {"0.1", kF32, "0x3dcccccd"},
      {"0.1", kF64, "0x3fb999999999999a"},
      {"16777217", kF32, "0x4b800000"},  // 2^24 + 1: a tie
      {"9007199254740993", kF64, "0x4340000000000000"},
      {"9007199254740993.00000000000000000001", kF64, "0x4340000000000001"},
      // The first is just above the tie of 1 and its neighbour, by less than
      // the precision of f64.
      {"1.00000005960464477539062500001", kF32, "0x3f800001"},
      {"1.000000059604644775390625", kF32, "0x3f800000"},
      {"1.00000017881393432617187499999", kF32, "0x3f800001"},
      {"1.000000178813934326171875", kF32, "0x3f800002"},
      {"1.00390625000000000000000001", kBF16, "0x3f81"},
      {"1.00390625", kBF16, "0x3f80"},
      {"1.00048828125000000000000001", kF16, "0x3c01"},
      // Half of the smallest subnormal rounds to zero, and anything above does
      // not.
      {"7.00649232162408535461864791644958065640130970938257885878534141944895"
       "5413429303002e-46",
       kF32, "0x00000000"},
      {"7.00649232162408535461864791644958065640130970938257885878534141944895"
       "5413429303e-46",
       kF32, "0x00000000"},
      {"0x1p-150", kF32, "0x00000000"},
      {"-0x1p-150", kF32, "0x80000000"},
      {"0x1.000000000000001p-150", kF32, "0x00000001"},
      {"0x1p-1075", kF64, "0x0000000000000000"},
      {"0x1.8p-1075", kF64, "0x0000000000000001"},
      {"0x1p-134", kBF16, "0x0000"},
      {"0x1.00000000000000000000001p-134", kBF16, "0x0001"},
      {"1e-400", kF32, "0x00000000"},
      {"-1e-400", kF64, "0x8000000000000000"},
      {"-1e-400", kF8E4M3FNUZ, "0x00"},  // rounds to the only zero there is
      // These are hex floats.
      {"0x1.8p3", kF32, "0x41400000"},
      {"-0X1.8P+3", kF32, "0xc1400000"},
      {"0x18p-1", kF16, "0x4a00"},
      {"0x.8p0", kF32, ""},  // not even C's: a digit stands before the point
      {"0x1.000001p0", kF32, "0x3f800000"},
      {"0x1.0000010000000001p0", kF32, "0x3f800001"},
      {"0x1.fffffffffffff8p0", kF64, "0x4000000000000000"},
      // These values are at the ends of the small types.
      {"6", kF4E2M1FN, "0x7"},
      {"7.5", kF6E2M3FN, "0x1f"},
      {"-28", kF6E3M2FN, "0x3f"},
      {"15.5", kF8E3M4, "0x6f"},
      {"240", kF8E4M3, "0x77"},
      {"448", kF8E4M3FN, "0x7e"},
      {"464", kF8E4M3FN, "0x7e"},  // a tie, which is even
      {"240", kF8E4M3FNUZ, "0x7f"},
      {"30", kF8E4M3B11FNUZ, "0x7f"},
      {"57344", kF8E5M2, "0x7b"},
      {"57344", kF8E5M2FNUZ, "0x7f"},
      {"1", kF8E8M0FNU, "0x7f"},
      {"0x1p127", kF8E8M0FNU, "0xfe"},
      {"0x1p-127", kF8E8M0FNU, "0x00"},
      {"0x.cp-127", kF8E8M0FNU, ""},
      {"0x0.cp-127", kF8E8M0FNU, "0x00"},
      {"1.49999999999999999999", kF8E8M0FNU, "0x7f"},
      {"nan", kF16, "0x7e00"},
      {"nan", kF8E4M3FNUZ, "0x80"},
      {"nan", kF8E8M0FNU, "0xff"},
      {"inf", kBF16, "0x7f80"},
      {"-inf", kF8E5M2, "0xfc"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{} as {}", row.text, Name(row.type)));
    if (*row.bits == '\0') {
      EXPECT_THAT(Read(row.text, row.type), HasSubstr("not a floating-point"));
    } else {
      EXPECT_EQ(Read(row.text, row.type), row.bits);
    }
  }
}

// Returns a dyadic number with all its decimals, which fmt does not print.
std::string Exactly(long double value) {
  char buffer[2000];
  std::snprintf(buffer, sizeof(buffer), "%.1200Lf", value);
  std::string text = buffer;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Returns a number above `text`, which is not negative, by less than the
// precision of f64. Below() returns one that is as little below.
std::string Above(const std::string& text) {
  const bool has_fraction = text.find('.') != std::string::npos;
  return text + (has_fraction ? "" : ".") + std::string(30, '0') + "1";
}
std::string Below(std::string text) {
  if (text.find('.') == std::string::npos) text += ".0";
  size_t i = text.size() - 1;
  while (text[i] == '0' || text[i] == '.') {
    if (text[i] == '0') text[i] = '9';
    --i;
  }
  --text[i];
  const size_t zeros = text.find_first_not_of('0');
  if (zeros > 0) text.erase(0, text[zeros] == '.' ? zeros - 1 : zeros);
  return text + std::string(40, '9');
}

TEST(FloatLiteral, DecimalsBesideOneAreBesideIt) {  // the tools of this test
  EXPECT_EQ(Exactly(0.375L), "0.375");
  EXPECT_EQ(Exactly(1024.0L), "1024");
  EXPECT_EQ(Above("0.5"), "0.5" + std::string(30, '0') + "1");
  EXPECT_EQ(Below("0.5"), "0.4" + std::string(40, '9'));
  EXPECT_EQ(Below("100"), "99.9" + std::string(40, '9'));
  EXPECT_EQ(Below("1"), "0.9" + std::string(40, '9'));
}

// Between each value and the next above it, the midpoint must go to the even
// one, and a little more or less must not. The last step is the one beyond the
// largest value, where a format with an infinity has it.
template <ElementType kType>
void CheckMidpoints(uint64_t step) {
  using T = Float<kType>;
  static constexpr FloatFormat kFormat = T::kFormat;
  const auto real = [](uint64_t code) -> long double {
    if (code <= kFormat.max_code())
      return T::FromBits(static_cast<typename T::Bits>(code)).ToDouble();
    const long double last = std::ldexp(1.0L, kFormat.max_exponent());
    const long double largest = T::Max(false).ToDouble();
    // The last step is as wide as the one before it, and twice as wide in
    // f8E8M0FNU.
    if (kFormat.mantissa_bits == 0) return 2 * last;
    return largest +
           std::ldexp(1.0L, kFormat.max_exponent() - kFormat.mantissa_bits);
  };
  const auto check = [&](const std::string& text, uint64_t code) {
    for (const bool negative : {false, true}) {
      if (negative && (!kFormat.has_sign || code == 0)) continue;
      const uint64_t bits = code | (negative ? kFormat.sign_bit() : 0);
      const std::string literal = (negative ? "-" : "") + text;
      const std::string result = Read(literal, kType);
      if (code > kFormat.max_code()) {
        ASSERT_THAT(result, HasSubstr("is exceeded")) << literal;
      } else {
        ASSERT_EQ(result, FormatBits(kType, bits)) << literal;
      }
    }
  };
  for (uint64_t code = 0; code <= kFormat.max_code();
       code = code == kFormat.max_code()
                  ? code + 1
                  : std::min(code + step, kFormat.max_code())) {
    SCOPED_TRACE(fmt::format("{:#x}", code));
    const long double middle = (real(code) + real(code + 1)) / 2;
    const std::string text = Exactly(middle);
    check(Below(text), code);
    check(Above(text), code + 1);
    if (kFormat.has_zero) {
      check(text, code % 2 == 0 ? code : code + 1);
    } else {
      ASSERT_THAT(Read(text, kType),
                  HasSubstr(code == kFormat.max_code() ? "is exceeded"
                                                       : "equally near"));
    }
  }
}

TEST(FloatLiteral, MidpointsOfTheSmallFormatsGoToTheEvenValue) {
  CheckMidpoints<kF4E2M1FN>(1);
  CheckMidpoints<kF6E2M3FN>(1);
  CheckMidpoints<kF6E3M2FN>(1);
  CheckMidpoints<kF8E3M4>(1);
  CheckMidpoints<kF8E4M3>(1);
  CheckMidpoints<kF8E4M3FN>(1);
  CheckMidpoints<kF8E4M3FNUZ>(1);
  CheckMidpoints<kF8E4M3B11FNUZ>(1);
  CheckMidpoints<kF8E5M2>(1);
  CheckMidpoints<kF8E5M2FNUZ>(1);
  CheckMidpoints<kF8E8M0FNU>(1);
}

TEST(FloatLiteral, MidpointsOfTheWideFormatsGoToTheEvenValue) {
  CheckMidpoints<kBF16>(331);
  CheckMidpoints<kF16>(331);
  CheckMidpoints<kF32>(0x7f7fffff / 97);
  CheckMidpoints<kF64>(0x7fefffffffffffff / 31);
}

TEST(FloatLiteral, WhatATypeDoesNotHaveIsRefusedWithTheReason) {
  struct Row {
    const char* text;
    ElementType type;
    const char* reason;
  };
  const Row rows[] = {
      {"1e39", kF32, "1e39: f32 is exceeded"},
      {"-1e400", kF64, "-1e400: f64 is exceeded"},
      {"65520", kF16, "65520: f16 is exceeded"},
      {"7", kF4E2M1FN, "7: f4E2M1FN is exceeded"},
      {"465", kF8E4M3FN, "465: f8E4M3FN is exceeded"},
      {"-248", kF8E4M3FNUZ, "-248: f8E4M3FNUZ is exceeded"},
      {"0x1.8p127", kF8E8M0FNU, "0x1.8p127: f8E8M0FNU is exceeded"},
      {"inf", kF8E4M3FN, "inf: f8E4M3FN has no infinity"},
      {"-inf", kF8E8M0FNU, "-inf: f8E8M0FNU has no infinity"},
      {"inf", kF4E2M1FN, "inf: f4E2M1FN has no infinity"},
      {"nan", kF6E2M3FN, "nan: f6E2M3FN has no NaN"},
      {"-0", kF8E4M3FNUZ, "-0: f8E4M3FNUZ has no -0"},
      {"-0.00", kF8E5M2FNUZ, "-0.00: f8E5M2FNUZ has no -0"},
      {"-0x0p5", kF8E4M3B11FNUZ, "-0x0p5: f8E4M3B11FNUZ has no -0"},
      {"0", kF8E8M0FNU, "0: f8E8M0FNU has no zero, and nothing so small"},
      {"1e-40", kF8E8M0FNU, "has no zero, and nothing so small"},
      {"-1", kF8E8M0FNU, "-1: f8E8M0FNU has no negative values"},
      {"3", kF8E8M0FNU, "3: f8E8M0FNU has two values that are equally near"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Read(row.text, row.type), HasSubstr(row.reason)) << row.text;
  }
}

TEST(FloatLiteral, OtherTextsAreNoLiterals) {
  for (const char* text :
       {"",       "-",        "+1",      "1.",        ".5",      "1e",
        "1e+",    "01",       "-01",     "0x",        "0x1",     "0x1.8",
        "0x1.8p", "0xp3",     "0x1.8p+", "0x1.8p1.5", "0x1.8q3", "0x1..8p3",
        "1.0.0",  "1,5",      "--1",     "NaN",       "-nan",    "+inf",
        "Inf",    "infinity", " 1",      "1 ",        "1f",      "nan(1)",
        "1e5\n",  "0x1.gp0"}) {
    EXPECT_THAT(Read(text, kF32),
                AllOf(StartsWith(fmt::format("'{}' is not", text)),
                      HasSubstr("bit pattern of 8 digits")))
        << text;
  }
  EXPECT_THAT(Read(std::string(5000, '1'), kF64),
              AllOf(HasSubstr("'1111"), HasSubstr("is not")));
  EXPECT_LT(Read(std::string(5000, '1'), kF64).size(), 300u);
}

// Returns the error for a file with one case of `abs` on these elements.
std::string Complaint(const std::string& type, const std::string& data) {
  const std::string json =
      R"({"op": "abs", "cases": [{"id": "a", "inputs": {"operand": {"type": ")" +
      type + R"(", "data": )" + data + "}}}]}";
  try {
    ParseCases("t.json", ParseJsonExactly("t.json", json), {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FloatLiteral, InAFileIsRefusedWithFilePlaceAndReason) {
  struct Row {
    const char *type, *data, *message;
  };
  const Row rows[] = {
      {"2xf32", "[1, 1e39]", "/1: 1e39: f32 is exceeded"},
      // These are beyond f64, where a parser would give up before the place is
      // known.
      {"2xf32", "[1, 1e400]", "/1: 1e400: f32 is exceeded"},
      {"1xf64", "[-1e400]", "/0: -1e400: f64 is exceeded"},
      {"1xf32", R"(["0x1.8"])", "/0: '0x1.8' is not a floating-point literal"},
      {"1xf32", R"(["0x1.8p"])", "/0: '0x1.8p' is not"},
      {"1xf32", R"(["1.5e"])", "/0: '1.5e' is not"},
      {"1xf32", R"(["0x3f8"])",
       "/0: '0x3f8' is not a bit pattern of f32: 0x and 8 hexadecimal digit"},
      {"1xf16", R"(["0x3f800000"])", "of f16: 0x and 4 hexadecimal digit"},
      {"1xf8E4M3FN", R"(["0x7"])", "of f8E4M3FN: 0x and 2 hexadecimal digit"},
      {"1xf6E2M3FN", R"(["0x40"])", "/0: '0x40' has more bits than f6E2M3FN"},
      {"1xf4E2M1FN", R"(["0x10"])", "of f4E2M1FN: 0x and 1 hexadecimal digit"},
      {"1xf32", R"(["0x3f80000g"])", "/0: '0x3f80000g' is not a bit pattern"},
      {"1xf8E4M3FNUZ", "[-0]", "/0: -0: f8E4M3FNUZ has no -0"},
      {"1xf8E8M0FNU", "[0]", "/0: 0: f8E8M0FNU has no zero"},
      {"1xf4E2M1FN", R"(["nan"])", "/0: nan: f4E2M1FN has no NaN"},
      {"1xf8E4M3FN", R"(["-inf"])", "/0: -inf: f8E4M3FN has no infinity"},
      {"1xf32", "[true]", "/0: true is not a floating-point literal"},
      {"1xf32", "[null]", "/0: null is not a floating-point literal"},
      {"1xf32", "[[1]]", "/0: [1] is not a floating-point literal"},
      {"1xcomplex<f32>", "[1]", "/0: expected [real, imaginary], found 1"},
      {"1xcomplex<f32>", "[[1, 2, 3]]", "/0: expected [real, imaginary]"},
      {"1xcomplex<f32>", "[[1, 1e39]]", "/0: 1e39: f32 is exceeded"},
      {"1xcomplex<f32>", R"(["0x3f8000003f800000"])", "expected [real"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Complaint(fmt::format("tensor<{}>", row.type), row.data),
                AllOf(StartsWith("t.json#/cases/0/inputs/operand/data"),
                      HasSubstr(row.message), testing::Not(HasSubstr("\n"))))
        << row.data;
  }
  EXPECT_EQ(Complaint("tensor<3xf32>", R"([-0, "0x7f800001", 1e-400])"),
            "accepted");
}

}  // namespace
}  // namespace assay
