// Tests bits that are moved: bitcast_convert in both directions, complex, real,
// imag and select, where every bit of a NaN counts.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;
using Texts = std::vector<std::string>;

Texts AllBits(const Tensor& tensor) {
  Texts texts;
  for (int64_t i = 0; i < tensor.size(); ++i)
    texts.push_back(FormatBits(tensor.element_type(), tensor.Bits(i)));
  return texts;
}

struct Bitcast {
  ElementType from;
  Shape shape;
  Texts operand;
  ElementType to;
  Shape result_shape;
  Texts result;
};

TEST(BitcastConvert, NarrowerElementsComeLowPartFirstAndWiderOnesTakeThemBack) {
  const Bitcast rows[] = {
      {kF64,
       {1},
       {"0x3ff123456789abcd"},
       kF16,
       {1, 4},
       {"0xabcd", "0x6789", "0x2345", "0x3ff1"}},
      {kF64,
       {},
       {"0x7ff0000000000001"},
       kF32,
       {2},
       {"0x00000001", "0x7ff00000"}},
      {kI32,
       {2},
       {"0x04030201", "0xf4f3f2f1"},
       kUi8,
       {2, 4},
       {"0x01", "0x02", "0x03", "0x04", "0xf1", "0xf2", "0xf3", "0xf4"}},
      {kI8, {1}, {"0x9c"}, kI4, {1, 2}, {"0xc", "0x9"}},
      {kUi8, {1}, {"0xe4"}, kUi2, {1, 4}, {"0x0", "0x1", "0x2", "0x3"}},
      {kF8E4M3FN, {1}, {"0x9c"}, kF4E2M1FN, {1, 2}, {"0xc", "0x9"}},
      {kF6E2M3FN,
       {2},
       {"0x39", "0x06"},
       kI2,
       {2, 3},
       {"0x1", "0x2", "0x3", "0x2", "0x1", "0x0"}},
      {kUi4, {1}, {"0xa"}, kI1, {1, 4}, {"0x0", "0x1", "0x0", "0x1"}},
      {kI8,
       {1},
       {"0x81"},
       kI1,
       {1, 8},
       {"0x1", "0x0", "0x0", "0x0", "0x0", "0x0", "0x0", "0x1"}},
      {kComplexF64,
       {1},
       {"0x1p-1022 -0"},
       kComplexF32,
       {1, 2},
       {"0x0010000000000000", "0x8000000000000000"}},
  };
  for (const Bitcast& row : rows) {
    SCOPED_TRACE(fmt::format("{} and {}", Name(row.from), Name(row.to)));
    const Tensor wide = TensorOfTexts(row.from, row.shape, row.operand);
    Tensor narrow(TensorType{row.result_shape, row.to});
    for (size_t i = 0; i < row.result.size(); ++i)
      narrow.SetBits(static_cast<int64_t>(i),
                     std::stoull(row.result[i], nullptr, 16));
    const FloatCall down =
        MakeFloatCall("bitcast_convert", {wide}, narrow.type());
    Evaluation evaluation = EvaluateCall(down);
    EXPECT_EQ(AllBits(evaluation.outputs[0].lo), AllBits(narrow));
    EXPECT_EQ(LabelsOf(down, evaluation), "S1 S4");
    EXPECT_TRUE(evaluation.outputs[0].keeps_nans);
    const FloatCall up =
        MakeFloatCall("bitcast_convert", {narrow}, wide.type());
    evaluation = EvaluateCall(up);
    EXPECT_EQ(AllBits(evaluation.outputs[0].lo), AllBits(wide));
    EXPECT_EQ(LabelsOf(up, evaluation), "S2 S4");
    EXPECT_TRUE(evaluation.outputs[0].keeps_nans);
    for (const FloatCall* call : {&down, &up}) {
      const Expectation open = EvaluateCall(*call, "stablehlo").outputs[0];
      EXPECT_TRUE(open.flags.empty());
      EXPECT_EQ(open.readings.size(), 1u);
    }
  }
}

TEST(BitcastConvert, OfOneWidthKeepsEveryBit) {
  struct Row {
    ElementType from, to;
    Texts bits;
  };
  const Row rows[] = {
      {kF32, kI32, {"0x7f800001", "0xffc00000", "0x80000000", "0x00000001"}},
      {kUi64, kF64, {"0x7ff0000000000001", "0x8000000000000000"}},
      {kF8E4M3FNUZ, kF8E5M2, {"0x80", "0x7f"}},
      {kF6E3M2FN, kF6E2M3FN, {"0x3f", "0x20"}},
      {kBF16, kF16, {"0x7f81", "0x7c01"}},
      {kF8E8M0FNU, kI8, {"0x00", "0xff"}},
  };
  for (const Row& row : rows) {
    const Tensor operand = RowOfTexts(row.from, row.bits);
    const FloatCall call = MakeFloatCall("bitcast_convert", {operand},
                                         {operand.type().shape, row.to});
    const Evaluation evaluation = EvaluateCall(call);
    EXPECT_EQ(AllBits(evaluation.outputs[0].lo), row.bits) << Name(row.from);
    EXPECT_EQ(LabelsOf(call, evaluation), "S3 S4");
  }
}

// Checks a call whose result moves signalling NaNs, and where their bits end
// up.
void CheckMovement(const FloatCall& call, const Texts& bits,
                   const std::string& labels) {
  SCOPED_TRACE(call.op.op);
  const Evaluation evaluation = EvaluateCall(call);
  EXPECT_EQ(AllBits(evaluation.outputs[0].lo), bits);
  EXPECT_EQ(LabelsOf(call, evaluation), labels);
  EXPECT_TRUE(evaluation.outputs[0].keeps_nans);
  EXPECT_FALSE(EvaluateCall(call, "stablehlo").outputs[0].keeps_nans);
  EXPECT_FALSE(EvaluateCall(call, "xla").outputs[0].keeps_nans);
}

TEST(Movement, KeepsTheBitsOfNans) {
  const TensorType f32{{2}, kF32}, c64{{2}, kComplexF32};
  const Tensor nans = RowOfTexts(kF32, {"0x7f800001", "0xffc12345"});
  const Tensor zeros = RowOfTexts(kF32, {"-0", "0x80000001"});
  const FloatCall complex = MakeFloatCall("complex", {nans, zeros}, c64);
  CheckMovement(complex, {"0x800000007f800001", "0x80000001ffc12345"}, "S1 S2");
  const Tensor pairs = EvaluateCall(complex).outputs[0].lo;
  CheckMovement(MakeFloatCall("real", {pairs}, f32),
                {"0x7f800001", "0xffc12345"}, "S1 S2");
  CheckMovement(MakeFloatCall("imag", {pairs}, f32),
                {"0x80000000", "0x80000001"}, "S1");
  CheckMovement(MakeFloatCall("real", {nans}, f32),
                {"0x7f800001", "0xffc12345"}, "S1 S2");
  CheckMovement(MakeFloatCall("imag", {nans}, f32),
                {"0x00000000", "0x00000000"}, "S1");
  CheckMovement(
      MakeFloatCall("select", {RowOfTexts(kI1, {"true", "false"}), nans, zeros},
                    f32),
      {"0x7f800001", "0x80000001"}, "S1 S4");
  CheckMovement(
      MakeFloatCall("select", {TensorOfTexts(kI1, {}, {"false"}), pairs, pairs},
                    c64),
      {"0x800000007f800001", "0x80000001ffc12345"}, "S1 S2 S4");
}

TEST(Movement, TheImaginaryPartOfATypeWithoutZeroIsDecidedByThePolicy) {
  const FloatCall call =
      MakeFloatCall("imag", {RowOfTexts(kF8E8M0FNU, {"4"})}, {{1}, kF8E8M0FNU});
  const Evaluation evaluation = EvaluateCall(call);
  EXPECT_EQ(AllBits(evaluation.outputs[0].lo), Texts{"0x00"});
  EXPECT_EQ(LabelsOf(call, evaluation), "S1 E4");
  EXPECT_EQ(TextOfResult(EvaluateCall(call, "stablehlo").outputs[0], 0),
            "0x00|nan");
}

TEST(Movement, TheJudgeComparesWhatWasMovedBitForBit) {
  const FloatCall call =
      MakeFloatCall("select",
                    {RowOfTexts(kI1, {"true"}),
                     RowOfTexts(kF32, {"0x7f800001"}), RowOfTexts(kF32, {"0"})},
                    {{1}, kF32});
  const Tensor quieted = RowOfTexts(kF32, {"0x7fc00001"});
  EXPECT_FALSE(Judge(EvaluateCall(call).outputs[0], quieted).ok());
  EXPECT_TRUE(Judge(EvaluateCall(call, "stablehlo").outputs[0], quieted).ok());
}

}  // namespace
}  // namespace assay
