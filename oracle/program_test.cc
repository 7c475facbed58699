// Tests that an element of a function's values is known if everything that it
// rests on is known.
#include "oracle/program.h"

#include <gmock/gmock.h>

#include <set>

#include "oracle/elementwise/float_test_support.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum ElementType;

Op OpOf(const std::string& id, const std::vector<Op::Operand>& operands,
        const std::string& result, const TensorType& type) {
  Op op;
  op.op = id;
  op.inputs = operands;
  op.outputs = {{"result", result, type}};
  return op;
}

class ProgramEvaluatorTest : public testing::Test {
 protected:
  // Evaluates an op of one operand, and keeps it.
  ProgramEvaluator::OpResults Run(const std::string& id,
                                  const std::string& operand,
                                  const TensorType& from,
                                  const std::string& result,
                                  const TensorType& to) {
    const Op op = OpOf(id, {{"operand", operand, from}}, result, to);
    const auto results = evaluator_.Evaluate(op);
    evaluator_.Keep(op, results);
    return results;
  }

  ProgramEvaluator evaluator_{Policy::Find("assay")};
  const TensorType f32_{{3}, kF32};
};

TEST_F(ProgramEvaluatorTest, KnowsAnElementWhateverItsNeighboursAre) {
  evaluator_.Define("x", TensorOfTexts(kF32, {3}, {"1", "88", "89"}));
  EXPECT_THAT(Run("exponential", "x", f32_, "t", f32_).are_known,
              ElementsAre(IsEmpty()));
  const auto log = Run("log", "t", f32_, "u", f32_);
  EXPECT_THAT(log.are_known, ElementsAre(ElementsAre(false, false, true)));
  EXPECT_TRUE(log.evaluation.outputs[0].IsExact(2));
  // An open element stays open.
  EXPECT_THAT(Run("negate", "u", f32_, "v", f32_).are_known,
              ElementsAre(ElementsAre(false, false, true)));
}

TEST_F(ProgramEvaluatorTest, KnowsANanButNotItsBits) {
  evaluator_.Define("x", TensorOfTexts(kF32, {3}, {"-1", "4", "nan"}));
  Run("sqrt", "x", f32_, "t", f32_);
  EXPECT_THAT(Run("negate", "t", f32_, "u", f32_).are_known,
              ElementsAre(ElementsAre(true, true, true)));
  EXPECT_THAT(Run("bitcast_convert", "t", f32_, "v", {{3}, kUi32}).are_known,
              ElementsAre(ElementsAre(false, true, false)));
}

// The sign of a NaN is open, and the total order asks for it.
TEST_F(ProgramEvaluatorTest, KnowsNoPlaceOfANanInTheTotalOrder) {
  evaluator_.Define("x", TensorOfTexts(kF32, {3}, {"-1", "4", "nan"}));
  Run("sqrt", "x", f32_, "t", f32_);
  Op compare = OpOf("compare", {{"lhs", "t", f32_}, {"rhs", "x", f32_}}, "u",
                    {{3}, kI1});
  compare.attributes = {{"comparison_direction", Symbol{"GT"}},
                        {"compare_type", Symbol{"TOTALORDER"}}};
  EXPECT_THAT(evaluator_.Evaluate(compare).are_known,
              ElementsAre(ElementsAre(false, true, false)));
  compare.attributes[1].value = Symbol{"FLOAT"};
  EXPECT_THAT(evaluator_.Evaluate(compare).are_known,
              ElementsAre(ElementsAre(true, true, true)));
}

TEST_F(ProgramEvaluatorTest, FollowsElementsThatAreMoved) {
  evaluator_.Define("x", TensorOfTexts(kF32, {3}, {"89", "1", "89"}));
  Run("exponential", "x", f32_, "t", f32_);
  Op broadcast =
      OpOf("broadcast_in_dim", {{"operand", "t", f32_}}, "u", {{2, 3}, kF32});
  Tensor dimensions(TensorType({1}, kI64));
  dimensions.SetBits(0, 1);
  broadcast.attributes = {{"broadcast_dimensions", dimensions}};
  EXPECT_THAT(evaluator_.Evaluate(broadcast).are_known,
              ElementsAre(ElementsAre(true, false, true, true, false, true)));
}

// What an element may be stays so where it is moved. Which element comes where
// is seen by moving numbers.
TEST(ProgramEvaluator, MovesWhatElementsMayBe) {
  std::set<std::string> moved;
  for (const char* text : {
           "stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> "
           "tensor<2x4xf32>",
           "stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, "
           "tensor<4xf32>) -> tensor<8xf32>",
           "stablehlo.pad %x, %c, low = [1], high = [0], interior = [1] : "
           "(tensor<4xf32>, tensor<f32>) -> tensor<8xf32>",
           "stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>",
           "stablehlo.reverse %x, dims = [0] : tensor<4xf32>",
           "stablehlo.slice %x [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>",
           "stablehlo.transpose %x, dims = [0] : (tensor<4xf32>) -> "
           "tensor<4xf32>",
           "stablehlo.optimization_barrier %x : tensor<4xf32>",
           "stablehlo.dynamic_broadcast_in_dim %x, %four, dims = [0] : "
           "(tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>",
           "stablehlo.dynamic_pad %x, %c, %one, %one, %one : (tensor<4xf32>, "
           "tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> "
           "tensor<9xf32>",
           "stablehlo.dynamic_reshape %x, %four : (tensor<4xf32>, "
           "tensor<1xi64>) -> tensor<4xf32>",
           "stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xf32>, "
           "tensor<i64>) -> tensor<2xf32>",
           "stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xf32>, "
           "tensor<1xf32>, tensor<i64>) -> tensor<4xf32>",
           "\"stablehlo.gather\"(%x, %one) <{dimension_numbers = "
           "#stablehlo.gather<offset_dims = [0], start_index_map = [0], "
           "index_vector_dim = 0>, slice_sizes = array<i64: 2>}> : "
           "(tensor<4xf32>, tensor<1xi64>) -> tensor<2xf32>",
           "\"stablehlo.dynamic_gather\"(%x, %one, %two) "
           "<{dimension_numbers = #stablehlo.gather<offset_dims = [0], "
           "start_index_map = [0], index_vector_dim = 0>}> : (tensor<4xf32>, "
           "tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>",
       }) {
    SCOPED_TRACE(text);
    const Function function =
        ReadRegion("test", "f",
                   std::string("^bb0(%y: tensor<4xf32>, %c: tensor<f32>, "
                               "%u: tensor<1xf32>, %i: tensor<i64>, "
                               "%one: tensor<1xi64>, %two: tensor<1xi64>, "
                               "%four: tensor<1xi64>): "
                               "%x = stablehlo.tanh %y : tensor<4xf32> %z = ") +
                       text + " stablehlo.return %c : tensor<f32>");
    const Op& tanh = function.body[0];
    const Op& move = function.body[1];
    moved.insert(move.op);
    ProgramEvaluator numbers(Policy::Find("assay"));
    const Tensor operand = TensorOfTexts(kF32, {4}, {"0.5", "0.25", "0", "2"});
    const Tensor padding = TensorOfTexts(kF32, {}, {"7"});
    numbers.Define(tanh.outputs[0].value, operand);
    ProgramEvaluator several(Policy::Find("assay"));
    several.Define(tanh.inputs[0].value, operand);
    const Tensor others[] = {padding,
                             TensorOfTexts(kF32, {1}, {"7"}),
                             IntegerTensor({{}, kI64}, {1}),
                             IntegerTensor({{1}, kI64}, {1}),
                             IntegerTensor({{1}, kI64}, {2}),
                             IntegerTensor({{1}, kI64}, {4})};
    for (ProgramEvaluator* evaluator : {&numbers, &several}) {
      for (size_t k = 0; k < std::size(others); ++k)
        evaluator->Define(function.inputs[k + 1].name, others[k]);
    }
    several.Keep(tanh, several.Evaluate(tanh));
    numbers.Keep(move, numbers.Evaluate(move));
    several.Keep(move, several.Evaluate(move));
    const std::string& result = move.outputs[0].value;
    int not_known = 0;
    const int64_t size = move.outputs[0].type.tensor().ByteSize() / 4;
    for (int64_t i = 0; i < size; ++i) {
      const ElementBits number = numbers.At(result, i).ranges[0].lo;
      Possible wanted = Possible::Value(number);
      for (int64_t j = 0; j < 4; ++j) {
        if (operand.Bits(j) == number)
          wanted = several.At(tanh.outputs[0].value, j);
      }
      const Possible at = several.At(result, i);
      EXPECT_EQ(at.kind, Possible::Kind::kRanges) << i;
      EXPECT_EQ(at.ranges, wanted.ranges) << i;
      not_known += at.ranges.size() > 1;
    }
    EXPECT_GT(not_known, 0);
  }
  std::set<std::string> with_trait;
  for (const OpSpec& spec : Ops()) {
    if (spec.moves) with_trait.insert(spec.id);
  }
  EXPECT_EQ(moved, with_trait);
}

TEST(ProgramEvaluator, PassesRangesThroughOps) {
  const Function function = ReadRegion(
      "test", "f",
      "^bb0(%x: tensor<2xf32>, %c: tensor<2xf32>): "
      "%e = stablehlo.exponential %x : tensor<2xf32> "
      "%l = stablehlo.minimum %e, %c : tensor<2xf32> "
      "%r = stablehlo.reverse %l, dims = [0] : tensor<2xf32> "
      "%p = stablehlo.compare LE, %r, %c, FLOAT : "
      "(tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1> "
      "%s = stablehlo.select %p, %c, %x : tensor<2xi1>, tensor<2xf32> "
      "stablehlo.return %s : tensor<2xf32>");
  ProgramEvaluator evaluator(Policy::Find("assay"));
  evaluator.Define(function.inputs[0].name,
                   TensorOfTexts(kF32, {2}, {"1", "5"}));
  evaluator.Define(function.inputs[1].name,
                   TensorOfTexts(kF32, {2}, {"8", "8"}));
  std::vector<std::vector<size_t>> counts;
  for (const Op& op : function.body) {
    evaluator.Keep(op, evaluator.Evaluate(op));
    counts.emplace_back();
    for (int64_t i = 0; i < 2; ++i)
      counts.back().push_back(
          evaluator.At(op.outputs[0].value, i).ranges.size());
  }
  // exp(1) is one of a few values and below 8, exp(5) is above it.
  EXPECT_GT(counts[0][0], 1);
  EXPECT_GT(counts[0][1], 1);
  EXPECT_EQ(counts[1], (std::vector<size_t>{counts[0][0], 1}));
  EXPECT_EQ(counts[2], (std::vector<size_t>{1, counts[0][0]}));
  EXPECT_EQ(counts[3], (std::vector<size_t>{1, 1}));
  EXPECT_EQ(evaluator.At(function.body[4].outputs[0].value, 1).ranges[0].lo,
            BitsOfText(kF32, "8"));
}

}  // namespace
}  // namespace assay
