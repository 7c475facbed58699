// Tests that an element of a function's values is known if everything that it
// rests on is known.
#include "oracle/program.h"

#include <gmock/gmock.h>

#include "oracle/elementwise/float_test_support.h"

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
  EXPECT_THAT(Run("exponential", "x", f32_, "t", f32_).holds,
              ElementsAre(IsEmpty()));
  const auto log = Run("log", "t", f32_, "u", f32_);
  EXPECT_THAT(log.holds, ElementsAre(ElementsAre(false, false, true)));
  EXPECT_TRUE(log.evaluation.outputs[0].IsExact(2));
  // An open element stays open.
  EXPECT_THAT(Run("negate", "u", f32_, "v", f32_).holds,
              ElementsAre(ElementsAre(false, false, true)));
}

TEST_F(ProgramEvaluatorTest, KnowsANanButNotItsBits) {
  evaluator_.Define("x", TensorOfTexts(kF32, {3}, {"-1", "4", "nan"}));
  Run("sqrt", "x", f32_, "t", f32_);
  EXPECT_THAT(Run("negate", "t", f32_, "u", f32_).holds,
              ElementsAre(ElementsAre(true, true, true)));
  EXPECT_THAT(Run("bitcast_convert", "t", f32_, "v", {{3}, kUi32}).holds,
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
  EXPECT_THAT(evaluator_.Evaluate(compare).holds,
              ElementsAre(ElementsAre(false, true, false)));
  compare.attributes[1].value = Symbol{"FLOAT"};
  EXPECT_THAT(evaluator_.Evaluate(compare).holds,
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
  EXPECT_THAT(evaluator_.Evaluate(broadcast).holds,
              ElementsAre(ElementsAre(true, false, true, true, false, true)));
}

}  // namespace
}  // namespace assay
