// Tests floats in every op: the special values of each, and the clauses that
// decide them. spec/types/float_test.cc tests that finite results are rounded
// once.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;

struct RoundedRow {
  const char* op;
  ElementType type;
  std::vector<std::string> operands;
  const char* result;
  const char* labels;
};

// Checks results of one element. Under policy stablehlo the clauses E1 to E6
// accept two values at most, one of which is that of policy assay; E2 and E5
// accept any.
void CheckRounded(const std::vector<RoundedRow>& rows) {
  for (const RoundedRow& row : rows) {
    SCOPED_TRACE(fmt::format("{} {} {}", row.op, Name(row.type),
                             ::testing::PrintToString(row.operands)));
    std::vector<Tensor> inputs;
    for (const std::string& operand : row.operands)
      inputs.push_back(RowOfTexts(row.type, {operand}));
    const FloatCall call = MakeFloatCall(row.op, inputs, {{1}, row.type});
    const Evaluation evaluation = EvaluateCall(call);
    EXPECT_EQ(TextOfResult(evaluation.outputs[0], 0),
              ExpectedText(row.type, row.result));
    EXPECT_EQ(LabelsOf(call, evaluation), row.labels);
    EXPECT_FALSE(evaluation.outputs[0].keeps_nans);
    if (std::string(row.labels).find('E') != std::string::npos) {
      const Expectation open = EvaluateCall(call, "stablehlo").outputs[0];
      const std::string labels = row.labels;
      const bool is_any = labels.find("E2") != std::string::npos ||
                          labels.find("E5") != std::string::npos;
      EXPECT_EQ(open.IsOpen(0), is_any);
      EXPECT_TRUE(Accepts(open, evaluation.outputs[0].lo, 0));
      int accepted = 0;
      for (uint32_t code = 0; code < 1u << Info(row.type).bits; ++code) {
        Tensor actual(TensorType{{1}, row.type});
        actual.SetBits(0, code);
        accepted += Accepts(open, actual, 0) ? 1 : 0;
      }
      // f8E4M3FN has a NaN of either sign.
      EXPECT_TRUE(is_any || accepted <= 3) << accepted;
    }
  }
}

TEST(FloatOps, ArithmeticAtInfinitiesZerosAndNans) {
  CheckRounded({
      {"add", kF32, {"inf", "-inf"}, "nan", "S3"},
      {"add", kF32, {"-0", "-0"}, "-0", "S3"},
      {"add", kF32, {"0", "-0"}, "0", "S3"},
      {"add", kF64, {"1", "0x1p-54"}, "1", "S3"},
      {"add", kF16, {"65504", "16"}, "inf", "S3"},
      {"add", kF16, {"65504", "15.9"}, "65504", "S3"},
      {"subtract", kF32, {"1", "1"}, "0", "S2"},
      {"subtract", kF32, {"inf", "inf"}, "nan", "S2"},
      {"multiply", kF32, {"0", "inf"}, "nan", "S3"},
      {"multiply", kF32, {"0x1p-126", "0.5"}, "0x1p-127", "S3"},
      {"multiply", kF32, {"-0x1p-149", "0.5"}, "-0", "S3"},
      {"multiply", kF8E4M3FNUZ, {"-0.0009765625", "0.5"}, "0", "S3"},
      {"divide", kF32, {"1", "-0"}, "-inf", "S2"},
      {"divide", kF32, {"0", "0"}, "nan", "S2"},
      {"divide", kBF16, {"-1", "inf"}, "-0", "S2"},
      {"sqrt", kF32, {"-0"}, "-0", "S1"},
      {"sqrt", kF32, {"-0x1p-149"}, "nan", "S1"},
      {"sqrt", kF64, {"2"}, "0x1.6a09e667f3bcdp0", "S1"},
      {"remainder", kF32, {"5.5", "-2"}, "1.5", "S3"},
      {"remainder", kF32, {"-1", "1"}, "-0", "S3"},
      {"remainder", kF32, {"3", "inf"}, "3", "S3"},
      {"remainder", kF32, {"inf", "3"}, "nan", "S3"},
      {"remainder", kF32, {"3", "0"}, "nan", "S3"},
      {"remainder", kF64, {"0x1p1023", "3"}, "2", "S3"},
      {"abs", kF32, {"-0"}, "0", "S2"},
      {"abs", kF16, {"-inf"}, "inf", "S2"},
      {"abs", kF8E4M3FNUZ, {"0x80"}, "nan", "S2"},
      {"negate", kF32, {"0"}, "-0", "S3"},
      {"negate", kF8E4M3FNUZ, {"0"}, "0", "S3"},
      {"negate", kF8E5M2FNUZ, {"0x80"}, "nan", "S3"},
      {"negate", kF8E8M0FNU, {"0xff"}, "nan", "S3"},
  });
}

TEST(FloatOps, ResultsThatAFormatLacksAreDecidedByTheSharedClauses) {
  CheckRounded({
      {"add", kF4E2M1FN, {"6", "6"}, "6", "S3 E1"},
      {"add", kF4E2M1FN, {"-6", "-1"}, "-6", "S3 E1"},
      {"add", kF4E2M1FN, {"6", "0.5"}, "6", "S3"},
      {"add", kF8E4M3FN, {"448", "16"}, "448", "S3"},  // a tie, to even
      {"add", kF8E4M3FN, {"448", "18"}, "nan", "S3 E1"},
      {"subtract", kF6E2M3FN, {"-7.5", "1"}, "-7.5", "S2 E1"},
      {"multiply", kF8E4M3FNUZ, {"-240", "2"}, "nan", "S3 E1"},
      {"divide", kF4E2M1FN, {"-1", "0"}, "-6", "S2 E1"},
      {"divide", kF4E2M1FN, {"0", "0"}, "0", "S2 E2"},
      {"divide", kF8E4M3B11FNUZ, {"1", "0"}, "nan", "S2 E1"},
      {"divide", kF8E4M3B11FNUZ, {"0", "0"}, "nan", "S2"},
      {"sqrt", kF6E3M2FN, {"-1"}, "0", "S1 E2"},
      {"remainder", kF6E3M2FN, {"1", "0"}, "0", "S3 E2"},
      {"add", kF8E8M0FNU, {"2", "1"}, "4", "S3 E3"},
      {"subtract", kF8E8M0FNU, {"4", "1"}, "4", "S2 E3"},
      {"subtract", kF8E8M0FNU, {"1", "1"}, "0x00", "S2 E4"},
      {"subtract", kF8E8M0FNU, {"1", "2"}, "nan", "S2 E5"},
      {"multiply", kF8E8M0FNU, {"0x1p127", "2"}, "nan", "S3 E6"},
      {"multiply", kF8E8M0FNU, {"0x1p-127", "0.5"}, "0x00", "S3 E4"},
      {"divide", kF8E8M0FNU, {"0x1p-127", "0x1p127"}, "0x00", "S2 E4"},
      {"remainder", kF8E8M0FNU, {"4", "2"}, "0x00", "S3 E4"},
      {"remainder", kF8E8M0FNU, {"2", "4"}, "2", "S3"},
      {"sqrt", kF8E8M0FNU, {"2"}, "1", "S1"},
      {"negate", kF8E8M0FNU, {"1"}, "nan", "S3 E5"},
  });
}

// The rules are those of IEEE 754-2019, 9.6.
TEST(FloatOps, MaximumAndMinimumOrderZerosAndPassNansOn) {
  CheckRounded({
      {"maximum", kF32, {"0", "-0"}, "0", "S3"},
      {"maximum", kF32, {"-0", "0"}, "0", "S3"},
      {"minimum", kF32, {"0", "-0"}, "-0", "S3"},
      {"minimum", kF32, {"-0", "0"}, "-0", "S3"},
      {"maximum", kF32, {"nan", "1"}, "nan", "S3"},
      {"maximum", kF32, {"1", "0xff800001"}, "nan", "S3"},
      {"minimum", kF32, {"nan", "-inf"}, "nan", "S3"},
      {"minimum", kF32, {"-inf", "nan"}, "nan", "S3"},
      {"maximum", kF64, {"-1", "-2"}, "-1", "S3"},
      {"minimum", kBF16, {"0x1p-133", "-0x1p-133"}, "-0x1p-133", "S3"},
      {"maximum", kF8E4M3FNUZ, {"0", "0x80"}, "nan", "S3"},
      {"maximum", kF8E8M0FNU, {"2", "0xff"}, "nan", "S3"},
      {"minimum", kF8E8M0FNU, {"2", "0.5"}, "0.5", "S3"},
      {"maximum", kF4E2M1FN, {"-0", "0"}, "0", "S3"},
      {"clamp", kF32, {"-1", "0.5", "1"}, "0.5", "S1"},
      {"clamp", kF32, {"2", "5", "1"}, "1", "S1"},  // max wins
      {"clamp", kF32, {"0", "-0", "1"}, "0", "S1"},
      {"clamp", kF32, {"-1", "0", "-0"}, "-0", "S1"},
      {"clamp", kF32, {"nan", "1", "2"}, "nan", "S1"},
      {"clamp", kF32, {"1", "nan", "2"}, "nan", "S1"},
      {"clamp", kF32, {"1", "1", "nan"}, "nan", "S1"},
      {"clamp", kF32, {"-inf", "0xff7fffff", "inf"}, "0xff7fffff", "S1"},
  });
}

TEST(FloatOps, ComplexExtremaAreLexicographicAndOpenWhereThatSaysNothing) {
  CheckRounded({
      {"maximum", kComplexF32, {"1 5", "2 -9"}, "2 -9", "S4"},
      {"minimum", kComplexF32, {"1 5", "2 -9"}, "1 5", "S4"},
      {"maximum", kComplexF64, {"1 5", "1 6"}, "1 6", "S4"},
      {"minimum", kComplexF64, {"1 -inf", "1 6"}, "1 -inf", "S4"},
      {"maximum", kComplexF32, {"-0 1", "0 2"}, "0 2", "S4"},
      {"maximum", kComplexF32, {"1 0", "1 -0"}, "1 0", "S6"},
      {"maximum", kComplexF32, {"0 1", "0 1"}, "0 1", "S4"},
      {"minimum", kComplexF32, {"1 nan", "2 0"}, "1 nan", "S6"},
      {"clamp", kComplexF32, {"0 0", "1 1", "2 2"}, "1 1", "S1"},
      {"clamp", kComplexF32, {"0 0", "1 nan", "2 2"}, "1 nan", "S5"},
      {"clamp", kComplexF32, {"0 0", "3 3", "nan 2"}, "3 3", "S5"},
      {"remainder", kComplexF32, {"5 0", "2 0"}, "any", "S4"},
      {"add", kComplexF32, {"inf 1", "-inf 1"}, "nan 2", "S4"},
      {"subtract", kComplexF64, {"1 1", "1 2"}, "0 -1", "S3"},
      {"negate", kComplexF32, {"0 -1"}, "-0 1", "S4"},
  });
}

TEST(FloatOps, SignHasAClauseForEachKindOfOperand) {
  CheckRounded({
      {"sign", kF32, {"nan"}, "nan", "S4"},
      {"sign", kF32, {"-0"}, "-0", "S13"},
      {"sign", kF32, {"0"}, "0", "S6"},
      {"sign", kF32, {"-inf"}, "-1", "S7"},
      {"sign", kF32, {"-0x1p-149"}, "-1", "S7"},
      {"sign", kF32, {"0x1p-149"}, "1", "S8"},
      {"sign", kF8E4M3FNUZ, {"0"}, "0", "S6"},
      {"sign", kF8E4M3FNUZ, {"0x80"}, "nan", "S4"},
      {"sign", kF8E8M0FNU, {"0x00"}, "1", "S8"},
      {"sign", kF8E8M0FNU, {"0xff"}, "nan", "S4"},
      {"sign", kF4E2M1FN, {"-0"}, "-0", "S13"},
  });
  // Read literally, -0 equals +0 in "if compare(x, -0.0, EQ, FLOAT)".
  const FloatCall zero =
      MakeFloatCall("sign", {RowOfTexts(kF32, {"0", "-0"})}, {{2}, kF32});
  const Expectation open = EvaluateCall(zero, "stablehlo").outputs[0];
  EXPECT_TRUE(open.Has(Expectation::kEitherZero, 0));
  EXPECT_FALSE(open.IsOpen(0));
  EXPECT_FALSE(open.Has(Expectation::kEitherZero, 1));
  EXPECT_EQ(TextOfResult(open, 1), "0x80000000");
}

TEST(FloatOps, RoundingToIntegersKeepsSignsAndMayLeaveTheFormat) {
  CheckRounded({
      {"ceil", kF32, {"-0.5"}, "-0", "S1"},
      {"ceil", kF32, {"0.5"}, "1", "S1"},
      {"ceil", kF32, {"8388607.5"}, "8388608", "S1"},
      {"ceil", kF32, {"-0"}, "-0", "S1"},
      {"ceil", kF16, {"-inf"}, "-inf", "S1"},
      {"ceil", kF16, {"nan"}, "nan", "S1"},
      {"ceil", kF8E3M4, {"15.5"}, "inf", "S1"},
      {"ceil", kF8E4M3FNUZ, {"-0.5"}, "0", "S1"},
      {"ceil", kF6E2M3FN, {"7.5"}, "7.5", "S1 E1"},
      {"ceil", kF8E8M0FNU, {"0x1p-127"}, "1", "S1"},
      {"floor", kF32, {"-0.5"}, "-1", "S1"},
      {"floor", kF8E3M4, {"-15.5"}, "-inf", "S1"},
      {"floor", kF8E3M4, {"15.5"}, "15", "S1"},
      {"floor", kF6E2M3FN, {"-7.5"}, "-7.5", "S1 E1"},
      {"floor", kF8E8M0FNU, {"0.5"}, "0x00", "S1 E4"},
      {"floor", kF8E8M0FNU, {"2"}, "2", "S1"},
      {"round_nearest_afz", kF32, {"2.5"}, "3", "S1"},
      {"round_nearest_afz", kF32, {"-2.5"}, "-3", "S1"},
      {"round_nearest_afz", kF32, {"-0.25"}, "-0", "S1"},
      {"round_nearest_afz", kF64, {"0.49999999999999994"}, "0", "S1"},
      {"round_nearest_afz",
       kF64,
       {"4503599627370497.5"},
       "4503599627370498",
       "S1"},
      {"round_nearest_afz", kF8E8M0FNU, {"0.5"}, "1", "S1"},
      {"round_nearest_afz", kF8E3M4, {"15.5"}, "inf", "S1"},
      {"round_nearest_even", kF32, {"2.5"}, "2", "S1"},
      {"round_nearest_even", kF32, {"3.5"}, "4", "S1"},
      {"round_nearest_even", kF32, {"-0.5"}, "-0", "S1"},
      {"round_nearest_even", kF64, {"0.49999999999999994"}, "0", "S1"},
      {"round_nearest_even",
       kF64,
       {"4503599627370496.5"},
       "4503599627370496",
       "S1"},
      {"round_nearest_even", kF8E3M4, {"15.5"}, "inf", "S1"},
      {"round_nearest_even", kF8E3M4, {"14.5"}, "14", "S1"},
      {"round_nearest_even", kF8E8M0FNU, {"0.5"}, "0x00", "S1 E4"},
      {"round_nearest_even", kF4E2M1FN, {"1.5"}, "2", "S1"},
  });
}

TEST(FloatOps, IsFiniteLooksForInfinitiesAndNans) {
  const auto is_finite = [](ElementType type, const std::string& text) {
    const FloatCall call =
        MakeFloatCall("is_finite", {RowOfTexts(type, {text})}, {{1}, kI1});
    const Evaluation evaluation = EvaluateCall(call);
    EXPECT_EQ(LabelsOf(call, evaluation), "S1");
    return TextOfResult(evaluation.outputs[0], 0) == "0x1";
  };
  for (const char* text : {"inf", "-inf", "nan", "0x7f800001", "0xffffffff"})
    EXPECT_FALSE(is_finite(kF32, text)) << text;
  for (const char* text : {"0", "-0", "0x7f7fffff", "0x00000001"})
    EXPECT_TRUE(is_finite(kF32, text)) << text;
  EXPECT_FALSE(is_finite(kF8E4M3FN, "0xff"));
  EXPECT_TRUE(is_finite(kF8E4M3FN, "0xfe"));
  EXPECT_FALSE(is_finite(kF8E5M2FNUZ, "0x80"));
  EXPECT_TRUE(is_finite(kF8E5M2FNUZ, "0xff"));
  EXPECT_FALSE(is_finite(kF8E8M0FNU, "0xff"));
  EXPECT_TRUE(is_finite(kF8E8M0FNU, "0x00"));
  for (int code = 0; code < 16; ++code)
    EXPECT_TRUE(is_finite(kF4E2M1FN, fmt::format("{:#x}", code)));
}

}  // namespace
}  // namespace assay
