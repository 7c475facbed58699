// Tests which element comes from where in the ops that move elements, on
// results by hand, and the numbers of iota.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "oracle/movement/movement_test_support.h"

namespace assay {
namespace {

using enum ElementType;
using testing::ElementsAre;

using Numbers = std::vector<int64_t>;

Tensor List(const Numbers& numbers) {
  Tensor tensor(TensorType{{static_cast<int64_t>(numbers.size())}, kI64});
  for (size_t i = 0; i < numbers.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i),
                   static_cast<ElementBits>(numbers[i]));
  return tensor;
}

Tensor Number(int64_t number) {
  Tensor tensor(TensorType{{}, kI64});
  tensor.SetBits(0, static_cast<ElementBits>(number));
  return tensor;
}

Numbers ValuesOf(const FloatCall& call) {
  return ValuesIn(EvaluateCall(call).outputs[0].lo);
}

FloatCall Reverse(const Tensor& operand, const Numbers& dimensions) {
  return MakeFloatCall("reverse", {operand}, operand.type(),
                       {{"dimensions", List(dimensions)}});
}

FloatCall Transpose(const Tensor& operand, const Numbers& permutation,
                    const Shape& result) {
  return MakeFloatCall("transpose", {operand}, {result, kI32},
                       {{"permutation", List(permutation)}});
}

FloatCall Slice(const Tensor& operand, const Numbers& starts,
                const Numbers& limits, const Numbers& strides,
                const Shape& result) {
  return MakeFloatCall("slice", {operand}, {result, kI32},
                       {{"start_indices", List(starts)},
                        {"limit_indices", List(limits)},
                        {"strides", List(strides)}});
}

FloatCall Concatenate(const std::vector<Tensor>& operands, int64_t dimension,
                      const Shape& result) {
  return MakeFloatCall("concatenate", operands, {result, kI32},
                       {{"dimension", Number(dimension)}});
}

TEST(Reverse, TakesElementsFromTheOtherEnd) {
  const Tensor matrix = Counted({3, 2});
  EXPECT_THAT(ValuesOf(Reverse(matrix, {1})), ElementsAre(2, 1, 4, 3, 6, 5));
  EXPECT_THAT(ValuesOf(Reverse(matrix, {0})), ElementsAre(5, 6, 3, 4, 1, 2));
  EXPECT_THAT(ValuesOf(Reverse(matrix, {1, 0})), ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_THAT(ValuesOf(Reverse(matrix, {})), ElementsAre(1, 2, 3, 4, 5, 6));
  const FloatCall call = Reverse(matrix, {1});
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1 S2 S3");
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 4), ElementsAre(Source{0, 5}));
}

TEST(Transpose, PermutesDimensions) {
  EXPECT_THAT(ValuesOf(Transpose(Counted({2, 3}), {1, 0}, {3, 2})),
              ElementsAre(1, 4, 2, 5, 3, 6));
  // The example of the text.
  EXPECT_THAT(ValuesOf(Transpose(Counted({2, 3, 2}), {2, 1, 0}, {2, 3, 2})),
              ElementsAre(1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12));
  // A cycle of three dimensions is not its own inverse: result[k, i, j] =
  // operand[i, j, k].
  const FloatCall cycle = Transpose(Counted({1, 2, 3}), {2, 0, 1}, {3, 1, 2});
  EXPECT_THAT(ValuesOf(cycle), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(LabelsOf(cycle, EvaluateCall(cycle)), "S1 S2");
}

TEST(Reshape, KeepsTheOrder) {
  const FloatCall call =
      MakeFloatCall("reshape", {Counted({2, 3})}, {{3, 1, 2}, kI32});
  EXPECT_THAT(ValuesOf(call), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1 S2");
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 4), ElementsAre(Source{0, 4}));
}

TEST(Slice, StepsFromTheStart) {
  const Tensor matrix = Counted({3, 4});
  EXPECT_THAT(ValuesOf(Slice(matrix, {1, 2}, {3, 4}, {1, 1}, {2, 2})),
              ElementsAre(7, 8, 11, 12));
  EXPECT_THAT(ValuesOf(Slice(matrix, {0, 1}, {3, 4}, {2, 2}, {2, 2})),
              ElementsAre(2, 4, 10, 12));
  EXPECT_THAT(ValuesOf(Slice(matrix, {2, 0}, {3, 4}, {9, 3}, {1, 2})),
              ElementsAre(9, 12));
  const FloatCall call = Slice(matrix, {1, 2}, {3, 4}, {1, 1}, {2, 2});
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1 S2");
}

TEST(Concatenate, OperandsFollowEachOther) {
  const Tensor two = Counted({2, 1}), four = Counted({2, 2}, 5),
               none = Counted({2, 0});
  const FloatCall call = Concatenate({two, none, four, none}, 1, {2, 3});
  EXPECT_THAT(ValuesOf(call), ElementsAre(1, 5, 6, 2, 7, 8));
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1 S2 S3");
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 0), ElementsAre(Source{0, 0}));
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 5), ElementsAre(Source{2, 3}));
  EXPECT_THAT(ValuesOf(Concatenate({two, two}, 0, {4, 1})),
              ElementsAre(1, 2, 1, 2));
}

FloatCall Pad(const Tensor& operand, const Numbers& low, const Numbers& high,
              const Numbers& interior, const Shape& result) {
  return MakeFloatCall("pad", {operand, Counted({}, 9)}, {result, kI32},
                       {{"edge_padding_low", List(low)},
                        {"edge_padding_high", List(high)},
                        {"interior_padding", List(interior)}});
}

TEST(Pad, IsAroundAndBetween) {
  const FloatCall call = Pad(Counted({2, 3}), {0, 1}, {1, 0}, {0, 1}, {3, 6});
  EXPECT_THAT(ValuesOf(call), ElementsAre(9, 1, 9, 2, 9, 3,  //
                                          9, 4, 9, 5, 9, 6,  //
                                          9, 9, 9, 9, 9, 9));
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1 S2");
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 0), ElementsAre(Source{1, 0}));
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 9), ElementsAre(Source{0, 4}));
  EXPECT_THAT(ValuesOf(Pad(Counted({0}), {2}, {1}, {7}, {3})),
              ElementsAre(9, 9, 9));
  const FloatCall whole = Pad(Counted({}), {}, {}, {}, {});
  EXPECT_THAT(ValuesOf(whole), ElementsAre(1));
  EXPECT_EQ(LabelsOf(whole, EvaluateCall(whole)), "S1");
}

TEST(Pad, CutsWhatIsPaddedBetween) {
  const Tensor list = Counted({3});  // 1 9 9 2 9 9 3 with two between
  EXPECT_THAT(ValuesOf(Pad(list, {-2}, {-1}, {2}, {4})),
              ElementsAre(9, 2, 9, 9));
  EXPECT_THAT(ValuesOf(Pad(list, {-3}, {0}, {2}, {4})),
              ElementsAre(2, 9, 9, 3));
  EXPECT_THAT(ValuesOf(Pad(list, {-9}, {4}, {2}, {2})), ElementsAre(9, 9));
  EXPECT_THAT(ValuesOf(Pad(list, {4}, {-9}, {2}, {2})), ElementsAre(9, 9));
}

TEST(Pad, PaddingsHave64Bits) {
  const Tensor two = Counted({2});
  EXPECT_THAT(ValuesOf(Pad(two, {INT64_MIN}, {1}, {INT64_MAX}, {2})),
              ElementsAre(2, 9));
  EXPECT_THAT(ValuesOf(Pad(two, {INT64_MIN}, {INT64_MAX}, {0}, {1})),
              ElementsAre(9));
}

TEST(Moves, KeepTheBitsOfNansUnderTheirPolicy) {
  Tensor operand = TensorOfTexts(kF32, {2}, {"1", "nan"});
  operand.SetBits(1, 0x7fa0'0001);
  const FloatCall call = Reverse(operand, {0});
  const Evaluation kept = EvaluateCall(call);
  EXPECT_TRUE(kept.outputs[0].lo.Bits(0) == 0x7fa0'0001);
  EXPECT_TRUE(kept.outputs[0].keeps_nans);
  EXPECT_EQ(LabelsOf(call, kept), "S1 S2 S4");
  EXPECT_FALSE(EvaluateCall(call, "stablehlo").outputs[0].keeps_nans);
}

FloatCall Iota(const TensorType& type, int64_t dimension) {
  return MakeFloatCall("iota", {}, type,
                       {{"iota_dimension", Number(dimension)}});
}

TEST(Iota, CountsAlongOneDimension) {
  EXPECT_THAT(ValuesOf(Iota({{2, 3}, kI32}, 0)), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(ValuesOf(Iota({{2, 3}, kUi8}, 1)), ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(ValuesOf(Iota({{3}, kF32}, 0)),
              ElementsAre(0, 0x3f80'0000, 0x4000'0000));
  const FloatCall call = Iota({{2}, kComplexF32}, 0);
  EXPECT_TRUE(EvaluateCall(call).outputs[0].lo.Bits(1) == 0x3f80'0000);
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1");
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 1), testing::IsEmpty());
}

TEST(Iota, ThePolicyDecidesIndicesThatTheTypeLacks) {
  const FloatCall narrow = Iota({{6}, kI2}, 0);
  EXPECT_THAT(ValuesOf(narrow), ElementsAre(0, 1, 2, 3, 0, 1));  // the bits
  EXPECT_EQ(LabelsOf(narrow, EvaluateCall(narrow)), "S1 S2");
  const Expectation open = EvaluateCall(narrow, "stablehlo").outputs[0];
  EXPECT_FALSE(open.IsOpen(1));
  EXPECT_TRUE(open.IsOpen(2));
  EXPECT_TRUE(open.IsOpen(4));
  // 257 is between two values of bf16 and goes to the even one, 256.
  const Expectation rounded = EvaluateCall(Iota({{258}, kBF16}, 0)).outputs[0];
  EXPECT_TRUE(rounded.lo.Bits(257) == rounded.lo.Bits(256));
  EXPECT_FALSE(rounded.lo.Bits(255) == rounded.lo.Bits(256));
}

TEST(Constant, IsItsValue) {
  const Tensor value = TensorOfTexts(kF32, {3}, {"-0", "nan", "1"});
  const FloatCall call =
      MakeFloatCall("constant", {}, value.type(), {{"value", value}});
  const Evaluation evaluation = EvaluateCall(call);
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_TRUE(evaluation.outputs[0].lo.Bits(i) == value.Bits(i));
  EXPECT_EQ(LabelsOf(call, evaluation), "S1 S2");
}

}  // namespace
}  // namespace assay
