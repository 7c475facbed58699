// Tests which element of the operand broadcast_in_dim puts where, by which
// clause, and how an explanation names it.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "oracle/movement/movement_test_support.h"

namespace assay {
namespace {

using enum ElementType;

FloatCall BroadcastCall(const Tensor& operand,
                        const std::vector<int64_t>& dimensions,
                        const Shape& result) {
  Tensor value(TensorType{{static_cast<int64_t>(dimensions.size())}, kI64});
  for (size_t d = 0; d < dimensions.size(); ++d)
    value.SetBits(static_cast<int64_t>(d),
                  static_cast<ElementBits>(dimensions[d]));
  return MakeFloatCall("broadcast_in_dim", {operand},
                       {result, operand.element_type()},
                       {{"broadcast_dimensions", value}});
}

// The rows are the example of the text, and results by hand.
TEST(BroadcastInDim, ElementsComeFromWhereTheTextSays) {
  struct Row {
    Shape operand;
    std::vector<int64_t> dimensions;
    Shape result;
    std::vector<int64_t> values;
    const char* labels;
  };
  for (const Row& row : {
           Row{{1, 3},
               {2, 1},
               {2, 3, 2},
               {1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3},
               "S1 S2 S3"},
           Row{{3}, {1}, {2, 3}, {1, 2, 3, 1, 2, 3}, "S1 S3"},
           Row{{2}, {0}, {2, 3}, {1, 1, 1, 2, 2, 2}, "S1 S3"},
           Row{{2, 1}, {0, 1}, {2, 3}, {1, 1, 1, 2, 2, 2}, "S1 S2 S3"},
           Row{{1}, {0}, {3}, {1, 1, 1}, "S1 S2"},
           Row{{1}, {0}, {1}, {1}, "S1 S2"},
           Row{{}, {}, {2, 2}, {1, 1, 1, 1}, "S1"},
           Row{{}, {}, {}, {1}, "S1"},
           Row{{2, 2}, {1, 0}, {2, 2}, {1, 3, 2, 4}, "S1 S3"},
           Row{{2, 2, 2},
               {1, 2, 0},
               {2, 2, 2},
               {1, 3, 5, 7, 2, 4, 6, 8},
               "S1 S3"},
           Row{{3, 1},
               {2, 0},
               {2, 2, 3},
               {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3},
               "S1 S2 S3"},
           Row{{0, 1}, {0, 1}, {0, 3}, {}, ""},
           Row{{1}, {0}, {0}, {}, ""},
       }) {
    const FloatCall call =
        BroadcastCall(Counted(row.operand), row.dimensions, row.result);
    const Evaluation evaluation = EvaluateCall(call);
    SCOPED_TRACE(::testing::PrintToString(row.dimensions));
    EXPECT_EQ(ValuesIn(evaluation.outputs[0].lo), row.values);
    EXPECT_EQ(LabelsOf(call, evaluation), row.labels);
  }
}

// Dimensions 2, 3, 5, 1 are put in any order, and back.
TEST(BroadcastInDim, UndoesItsPermutations) {
  const Shape shape = {2, 3, 5, 1};
  const Tensor operand = Counted(shape);
  std::vector<int64_t> to = {0, 1, 2, 3};
  do {
    Shape permuted(4);
    std::vector<int64_t> back(4);
    for (size_t d = 0; d < 4; ++d) {
      permuted[static_cast<size_t>(to[d])] = shape[d];
      back[static_cast<size_t>(to[d])] = static_cast<int64_t>(d);
    }
    const Tensor there =
        EvaluateCall(BroadcastCall(operand, to, permuted)).outputs[0].lo;
    const Tensor again =
        EvaluateCall(BroadcastCall(there, back, shape)).outputs[0].lo;
    EXPECT_EQ(ValuesIn(again), ValuesIn(operand));
  } while (std::ranges::next_permutation(to).found);
}

TEST(BroadcastInDim, MovesTheBitsOfEveryType) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    const ElementBits ones =
        info.bits == 128 ? ~ElementBits{0} : (ElementBits{1} << info.bits) - 1;
    Tensor operand(TensorType{{2}, info.type});
    operand.SetBits(0, ones);  // of many floats a NaN with a payload
    operand.SetBits(1, 1);
    const FloatCall call = BroadcastCall(operand, {1}, {2, 2});
    const Expectation result = EvaluateCall(call).outputs[0];
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_TRUE(result.lo.Bits(i) == operand.Bits(i % 2)) << info.name;
    EXPECT_TRUE(result.keeps_nans);
    EXPECT_FALSE(EvaluateCall(call, "stablehlo").outputs[0].keeps_nans);
  }
}

std::string LabelsAtElement(const FloatCall& call, int64_t index) {
  std::string labels;
  for (const DecidingClause& decides :
       ClausesOf(call.op, call.inputs, Policy::Find("assay"), index))
    labels += (labels.empty() ? "" : " ") + decides.clause->label;
  return labels;
}

TEST(BroadcastInDim, ClausesAreThoseOfTheOneElement) {
  const Tensor square = TensorOfTexts(kF32, {2, 2}, {"1", "nan", "3", "4"});
  const FloatCall call = BroadcastCall(square, {1, 0}, {2, 2});
  EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), "S1 S3 S4");
  EXPECT_EQ(LabelsAtElement(call, 0), "S1 S3");
  EXPECT_EQ(LabelsAtElement(call, 1), "S1 S3");
  EXPECT_EQ(LabelsAtElement(call, 2), "S1 S3 S4");
}

TEST(BroadcastInDim, AnExplanationNamesTheElementOfTheOperand) {
  const FloatCall call = BroadcastCall(Counted({1, 3}), {2, 1}, {2, 3, 2});
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 9),
              testing::ElementsAre(Source{0, 1}));
  Tensor actual = EvaluateCall(call).outputs[0].lo;
  EXPECT_EQ(DescribeElement(call.op, call.inputs, actual, 9),
            "[1, 1, 1]: operand[0, 1] = 2 (0x00000002), "
            "broadcast_dimensions = [2, 1]");
  const FloatCall scalar = BroadcastCall(Counted({}), {}, {2});
  EXPECT_EQ(DescribeElement(scalar.op, scalar.inputs,
                            EvaluateCall(scalar).outputs[0].lo, 1),
            "[1]: operand[] = 1 (0x00000001), broadcast_dimensions = []");
}

}  // namespace
}  // namespace assay
