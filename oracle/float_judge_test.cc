// Tests the judge on floats and complex numbers: which values are the same, how
// far others are apart, and how explanations read.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expectation Between(ElementType type, const std::string& lo,
                    const std::string& hi) {
  Expectation expectation(TensorType{{1}, type});
  expectation.lo = RowOfTexts(type, {lo});
  expectation.hi = RowOfTexts(type, {hi});
  return expectation;
}
Judgement JudgeOne(ElementType type, const std::string& expected,
                   const std::string& actual, bool keeps_nans = false) {
  Expectation expectation = Between(type, expected, expected);
  expectation.keeps_nans = keeps_nans;
  return Judge(expectation, RowOfTexts(type, {actual}));
}

TEST(JudgeFloat, ZerosOfOtherSignAreWrongAndNoDistanceAway) {
  for (const ElementType type : {kF32, kF64, kBF16, kF8E4M3FN, kF4E2M1FN}) {
    EXPECT_TRUE(JudgeOne(type, "-0", "-0").ok());
    const Judgement judgement = JudgeOne(type, "0", "-0");
    EXPECT_EQ(judgement.failed, 1) << Name(type);
    EXPECT_EQ(judgement.worst_error, 0);
    EXPECT_EQ(judgement.worst_failed, 0);
    EXPECT_EQ(JudgeOne(type, "-0", "0").failed, 1) << Name(type);
  }
}

TEST(JudgeFloat, EitherZeroIsAcceptedWhereTheTextsSayBoth) {
  Expectation expectation = Between(kF32, "0", "0");
  expectation.Set(Expectation::kEitherZero, 0);
  EXPECT_TRUE(Judge(expectation, RowOfTexts(kF32, {"0"})).ok());
  EXPECT_TRUE(Judge(expectation, RowOfTexts(kF32, {"-0"})).ok());
  EXPECT_FALSE(Judge(expectation, RowOfTexts(kF32, {"0x00000001"})).ok());
  EXPECT_FALSE(Judge(expectation, RowOfTexts(kF32, {"nan"})).ok());
  EXPECT_EQ(Judge(expectation, RowOfTexts(kF32, {"-0"})).open, 0);
  EXPECT_EQ(AllowedText(expectation, 0), "+0 or -0");
}

TEST(JudgeFloat, AnyNanIsTheNanUnlessBitsAreMoved) {
  for (const char* actual : {"nan", "0xffc00000", "0x7f800001", "0xffffffff"}) {
    EXPECT_TRUE(JudgeOne(kF32, "nan", actual).ok()) << actual;
    EXPECT_EQ(JudgeOne(kF32, "0x7fc00002", actual, true).failed, 1) << actual;
    EXPECT_EQ(JudgeOne(kF32, "1", actual).worst_error, kInfinity) << actual;
    EXPECT_TRUE(JudgeOne(kF32, actual, actual, true).ok()) << actual;
  }
  EXPECT_EQ(JudgeOne(kF32, "0x7fc00002", "nan", true).worst_error, 0);
  EXPECT_EQ(JudgeOne(kF32, "nan", "inf").worst_error, kInfinity);
  EXPECT_TRUE(JudgeOne(kF8E4M3FN, "0x7f", "0xff").ok());
  EXPECT_FALSE(JudgeOne(kF8E4M3FN, "0x7e", "0xff").ok());
  EXPECT_FALSE(JudgeOne(kF8E4M3FNUZ, "0", "0x80").ok());
  EXPECT_FALSE(JudgeOne(kF8E4M3FNUZ, "0x80", "0").ok());
  EXPECT_FALSE(JudgeOne(kF8E8M0FNU, "0xff", "0xfe").ok());
}

TEST(JudgeFloat, PartsOfComplexNumbersAreJudgedEachByItself) {
  EXPECT_TRUE(JudgeOne(kComplexF32, "nan 1", "0x7f800001 1").ok());
  EXPECT_EQ(JudgeOne(kComplexF32, "nan 1", "nan 1.5").worst_error, 8388608);
  EXPECT_FALSE(JudgeOne(kComplexF32, "nan 1", "1 nan").ok());
  EXPECT_FALSE(JudgeOne(kComplexF64, "0 -0", "0 0").ok());
  EXPECT_FALSE(JudgeOne(kComplexF64, "0 -0", "-0 -0").ok());
  EXPECT_FALSE(
      JudgeOne(kComplexF64, "nan 0", "0x7ff0000000000001 0", true).ok());
  EXPECT_EQ(JudgeOne(kComplexF32, "1 1", "1 nan").worst_error, kInfinity);
}

// The unit is the distance of the allowed value's neighbours, the smaller one
// at a power of two (Harrison).
TEST(JudgeFloat, ErrorsAreInUnitsInTheLastPlace) {
  struct Row {
    ElementType type;
    const char *expected, *actual;
    double error;
  };
  const Row rows[] = {
      {kF32, "1", "0x3f800001", 2},
      {kF32, "1", "0x3f7fffff", 1},
      {kF32, "1.5", "0x3fc00001", 1},
      {kF32, "-1.5", "0xbfbfffff", 1},
      {kF32, "1", "-1", 33554432},
      {kF32, "0", "0x00000003", 3},
      {kF32, "-0", "0x00000001", 1},
      {kF32, "0x00000005", "0x00000001", 4},
      {kF32, "0x1p-126", "0x1.000002p-126", 1},  // as fine as the subnormals
      {kF32, "0x1p-125", "0x1.000002p-125", 2},
      {kF64, "1", "0x1.0000000000001p0", 2},
      {kF16, "1", "2", 2048},
      {kBF16, "3", "0x1.82p1", 1},
      {kF8E4M3FN, "448", "416", 1},
      {kF8E8M0FNU, "4", "8", 2},
      {kF8E8M0FNU, "4", "2", 1},
      {kF8E8M0FNU, "0x00", "0x01", 1},
      // An infinity counts as the power of two behind the last value.
      {kF32, "0x7f7fffff", "inf", 1},
      {kF32, "inf", "0x7f7fffff", 1},
      {kF16, "inf", "-inf", 4096},
      {kF32, "inf", "0x7f7ffffe", 2},
  };
  for (const Row& row : rows) {
    const Judgement judgement = JudgeOne(row.type, row.expected, row.actual);
    EXPECT_EQ(judgement.failed, 1);
    EXPECT_EQ(judgement.worst_error, row.error)
        << Name(row.type) << ' ' << row.expected << ' ' << row.actual;
  }
}

TEST(JudgeFloat, AnIntervalIsOrderedByValueWithZerosApart) {
  const Expectation around_zero = Between(kF32, "-0", "0x00000001");
  const auto accepts = [](const Expectation& expectation,
                          const std::string& actual) {
    return Judge(expectation, RowOfTexts(kF32, {actual})).ok();
  };
  EXPECT_TRUE(accepts(around_zero, "-0"));
  EXPECT_TRUE(accepts(around_zero, "0"));
  EXPECT_TRUE(accepts(around_zero, "0x00000001"));
  EXPECT_FALSE(accepts(around_zero, "0x80000001"));
  EXPECT_FALSE(accepts(around_zero, "0x00000002"));
  EXPECT_FALSE(accepts(around_zero, "nan"));
  const Expectation negative = Between(kF32, "-2", "-1");
  EXPECT_TRUE(accepts(negative, "-1.5"));
  EXPECT_FALSE(accepts(negative, "-0.5"));
  EXPECT_FALSE(accepts(negative, "-2.5"));
  const Expectation wide = Between(kF32, "-inf", "inf");
  EXPECT_TRUE(accepts(wide, "0x7f7fffff"));
  EXPECT_FALSE(accepts(wide, "0xffc00000"));
  // The distance is that of the nearer end.
  EXPECT_EQ(Judge(negative, RowOfTexts(kF32, {"0xbf7fffff"})).worst_error, 1);
}

TEST(JudgeFloat, HighBitsOfSubByteFloatsAreIgnored) {
  const Tensor expected = RowOfTexts(kF6E2M3FN, {"-7.5"});
  Tensor actual = RowOfTexts(kF6E2M3FN, {"-7.5"});
  actual.data()[0] |= std::byte{0xc0};
  Expectation expectation(expected.type());
  expectation.lo = expectation.hi = expected;
  EXPECT_TRUE(Judge(expectation, actual).ok());
}

TEST(JudgeFloat, TheWorstElementIsTheFarthestInUnits) {
  Expectation expectation(TensorType{{4}, kF32});
  expectation.lo = expectation.hi =
      RowOfTexts(kF32, {"1", "1", "1", "0x1p-149"});
  const Judgement judgement =
      Judge(expectation,
            RowOfTexts(kF32, {"0x3f800001", "0x3f800005", "0x3f800002", "1"}));
  EXPECT_EQ(judgement.failed, 4);
  EXPECT_EQ(judgement.first_failed, 0);
  EXPECT_EQ(judgement.worst_failed, 3);
}

TEST(AllowedText, OfFloatsHasDecimalHexAndBits) {
  EXPECT_EQ(AllowedText(Between(kF32, "0.1", "0.1"), 0),
            "0.1 = 0x1.99999ap-4 (0x3dcccccd)");
  EXPECT_EQ(AllowedText(Between(kF32, "nan", "nan"), 0), "any NaN");
  Expectation kept = Between(kF32, "0x7f800001", "0x7f800001");
  kept.keeps_nans = true;
  EXPECT_EQ(AllowedText(kept, 0), "nan (0x7f800001)");
  EXPECT_EQ(AllowedText(Between(kF32, "-0", "1"), 0),
            "-0 = -0x0p+0 (0x80000000) to 1 = 0x1p+0 (0x3f800000)");
  EXPECT_EQ(AllowedText(Between(kComplexF32, "1 -0", "1 -0"), 0),
            "[1 = 0x1p+0 (0x3f800000), -0 = -0x0p+0 (0x80000000)]");
}

TEST(Explain, OfAFloatNamesTheKeyThatDecided) {
  const FloatCall call = MakeFloatCall(
      "convert", {RowOfTexts(kF32, {"3", "1e9"})}, {{2}, kF8E4M3FN});
  const Policy& policy = Policy::Find("assay");
  const Evaluation evaluation = EvaluateCall(call);
  const Tensor actual = RowOfTexts(kF8E4M3FN, {"3", "448"});
  const std::string text =
      Explain(call.op, call.inputs, policy, evaluation.outputs[0], actual,
              Judge(evaluation.outputs[0], actual));
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("first at [1]: operand = 1000000000 = 0x1.dcd65p+29"),
            HasSubstr("expected any NaN"), HasSubstr("actual   448"),
            HasSubstr("convert/E1: "),
            HasSubstr("basis policy:overflow_without_infinity = by_format")));
}

}  // namespace
}  // namespace assay
