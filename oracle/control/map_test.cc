// Tests what map gives, by which clauses of its own and of its computation.
#include <gmock/gmock.h>

#include "oracle/broken_clause.h"
#include "oracle/judge.h"
#include "oracle/program.h"
#include "oracle/region_test_support.h"

namespace assay {
namespace {

using testing::ElementsAre;
using enum ElementType;

FloatCall MapCall(const std::vector<Tensor>& inputs, const std::string& region,
                  ElementType result, std::vector<Tensor> captures = {}) {
  const Shape& shape = inputs[0].type().shape;
  std::vector<int64_t> dimensions;
  for (size_t d = 0; d < shape.size(); ++d)
    dimensions.push_back(static_cast<int64_t>(d));
  return MakeRegionCall("map", {{inputs},
                                region,
                                {ListAttribute("dimensions", dimensions)},
                                {TensorType(shape, result)},
                                std::move(captures)});
}

std::vector<std::string> TextsOf(const Expectation& expectation) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < expectation.lo.size(); ++i)
    texts.push_back(AllowedText(expectation, i));
  return texts;
}

constexpr const char* kMultiply =
    "^bb0(%a: tensor<i64>, %b: tensor<i64>): "
    "%0 = stablehlo.multiply %a, %b : tensor<i64> "
    "stablehlo.return %0 : tensor<i64>";

FloatCall Example() {
  return MapCall({TensorOfTexts(kI64, {2, 2}, {"0", "1", "2", "3"}),
                  TensorOfTexts(kI64, {2, 2}, {"4", "5", "6", "7"})},
                 kMultiply, kI64);
}

TEST(Map, GivesTheExampleOfTheText) {
  const FloatCall call = Example();
  const Evaluation evaluation = EvaluateRegionCall(call);
  const Expectation& result = evaluation.outputs[0];
  EXPECT_TRUE(result.IsDetermined());
  const int64_t expected[] = {0, 5, 12, 21};
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(static_cast<int64_t>(result.lo.Bits(i)), expected[i]);
  EXPECT_EQ(IdsOf(call.op, evaluation), "map/S1 multiply/S2");
}

TEST(Map, OfNoElementsExecutesNothing) {
  const FloatCall call =
      MapCall({RowOfTexts(kI64, {}), RowOfTexts(kI64, {})}, kMultiply, kI64);
  EXPECT_EQ(IdsOf(call.op, EvaluateRegionCall(call)), "");
}

TEST(Map, OfRankZeroAndMoreElementsThanAChunk) {
  const FloatCall scalar =
      MapCall({TensorOfTexts(kI64, {}, {"3"}), TensorOfTexts(kI64, {}, {"-4"})},
              kMultiply, kI64);
  EXPECT_THAT(TextsOf(EvaluateRegionCall(scalar).outputs[0]),
              ElementsAre("-12 (0xfffffffffffffff4)"));
  Tensor many(TensorType({3, 20000}, kI64));
  for (int64_t i = 0; i < many.size(); ++i)
    many.SetBits(i, static_cast<ElementBits>(i));
  const FloatCall call = MapCall({many, many}, kMultiply, kI64);
  const Tensor result = EvaluateRegionCall(call).outputs[0].lo;
  for (int64_t i = 0; i < many.size(); ++i)
    ASSERT_EQ(static_cast<int64_t>(result.Bits(i)), i * i);
}

TEST(Map, ClausesAreThoseOfTheOneElement) {
  const FloatCall call =
      MapCall({RowOfTexts(kI8, {"1", "127"})},
              "^bb0(%a: tensor<i8>): %0 = stablehlo.add %a, %a : tensor<i8> "
              "stablehlo.return %0 : tensor<i8>",
              kI8);
  const auto at = [&](int64_t i) {
    std::vector<std::string> ids;
    for (const DecidingClause& clause :
         ClausesOf(call.op, call.inputs, Policy::Find("assay"), i))
      ids.push_back(clause.Id());
    return ids;
  };
  EXPECT_THAT(at(0), ElementsAre("map/S1", "add/S2"));
  EXPECT_THAT(at(1), ElementsAre("map/S1", "add/S6"));
  EXPECT_THAT(TextsOf(EvaluateRegionCall(call).outputs[0]),
              ElementsAre("2 (0x02)", "-2 (0xfe)"));
  EXPECT_THAT(TextsOf(EvaluateRegionCall(call, "stablehlo").outputs[0]),
              ElementsAre("2 (0x02)", "any value"));
  EXPECT_EQ(EvaluateRegionCall(call, "stablehlo").undecided, 0);
}

// The bits of a NaN that the computation moves are kept; those of one that an
// op made are open.
TEST(Map, KeepsTheBitsOfANanThatIsMoved) {
  const Tensor operand = RowOfTexts(kF32, {"0x7fc00001", "1", "-1"});
  const auto allows = [&](const FloatCall& call, const std::string& policy,
                          const std::string& bits) {
    const Expectation result = EvaluateRegionCall(call, policy).outputs[0];
    Tensor actual(result.lo.type());
    for (int64_t i = 0; i < 3; ++i) actual.SetBits(i, result.lo.Bits(i));
    actual.SetBits(0, BitsOfText(kF32, bits));
    return Accepts(result, actual, 0);
  };
  const FloatCall moved =
      MapCall({operand},
              "^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>", kF32);
  EXPECT_EQ(IdsOf(moved.op, EvaluateRegionCall(moved)), "map/S1 map/S2");
  EXPECT_TRUE(allows(moved, "assay", "0x7fc00001"));
  EXPECT_FALSE(allows(moved, "assay", "0x7fc00002"));
  EXPECT_TRUE(allows(moved, "stablehlo", "0x7fc00002"));
  const std::string root =
      "^bb0(%a: tensor<f32>): %0 = stablehlo.sqrt %a : tensor<f32> "
      "%1 = stablehlo.compare GT, %0, %a, FLOAT "
      ": (tensor<f32>, tensor<f32>) -> tensor<i1> "
      "%2 = stablehlo.select %1, %a, %0 : tensor<i1>, tensor<f32> "
      "stablehlo.return %2 : tensor<f32>";
  const FloatCall made = MapCall({operand}, root, kF32);
  EXPECT_EQ(IdsOf(made.op, EvaluateRegionCall(made)),
            "map/S1 compare/S10 select/S1 select/S2 select/S4 sqrt/S1");
  EXPECT_TRUE(allows(made, "assay", "0x7fc00002"));
}

TEST(Map, UsesWhatItCaptures) {
  const FloatCall call = MapCall(
      {RowOfTexts(kI32, {"1", "2"})},
      "^bb0(%a: tensor<i32>): %0 = stablehlo.multiply %a, %outer : tensor<i32> "
      "stablehlo.return %0 : tensor<i32>",
      kI32, {TensorOfTexts(kI32, {}, {"10"})});
  EXPECT_THAT(TextsOf(EvaluateRegionCall(call).outputs[0]),
              ElementsAre("10 (0x0000000a)", "20 (0x00000014)"));
  ProgramEvaluator evaluator(Policy::Find("assay"));
  evaluator.Define("inputs0", call.inputs[0]);
  evaluator.Define("outer", call.inputs[1]);
  EXPECT_TRUE(evaluator.Evaluate(call.op).Holds(0, 1));
}

TEST(MapDeathTest, NeedsWhatItCaptures) {
  FloatCall call =
      MapCall({RowOfTexts(kI32, {"1", "2"})},
              "^bb0(%a: tensor<i32>): stablehlo.return %outer : tensor<i32>",
              kI32, {TensorOfTexts(kI32, {}, {"10"})});
  call.inputs.pop_back();
  EXPECT_DEATH(EvaluateRegionCall(call), "HasCaptures");
}

// The sum is a NaN of any bits, and what an if makes of such a value that it
// captures is not known. An i1 of memory that was not written is no value.
TEST(Map, CountsWhatIsNotKnownOfABranch) {
  const FloatCall call = MapCall(
      {RowOfTexts(kF32, {"nan", "nan", "nan", "nan"})},
      "^bb0(%a: tensor<f32>): %0 = stablehlo.add %a, %a : tensor<f32> "
      "%1 = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1> "
      "%2 = \"stablehlo.if\"(%1) ({ stablehlo.return %a : tensor<f32> }, "
      "{ stablehlo.return %0 : tensor<f32> }) : (tensor<i1>) -> tensor<f32> "
      "%3 = stablehlo.convert %2 : (tensor<f32>) -> tensor<i1> "
      "stablehlo.return %3 : tensor<i1>",
      kI1);
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(evaluation.undecided, 4);
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_TRUE(evaluation.outputs[0].IsOpen(i)) << i;
}

// exponential has a budget, so its result is a range, of which only some later
// ops make one value.
TEST(Map, CountsWhatNoRangeDecides) {
  const FloatCall range = MapCall(
      {RowOfTexts(kF64, {"1", "-inf"})},
      "^bb0(%a: tensor<f64>): %0 = stablehlo.exponential %a : tensor<f64> "
      "stablehlo.return %0 : tensor<f64>",
      kF64);
  const Evaluation evaluation = EvaluateRegionCall(range);
  EXPECT_EQ(evaluation.undecided, 0);
  EXPECT_FALSE(evaluation.outputs[0].IsExact(0));
  EXPECT_FALSE(evaluation.outputs[0].IsOpen(0));
  EXPECT_TRUE(evaluation.outputs[0].IsExact(1));
  // Each of the few values of the range is converted, and all give 3.
  const FloatCall converted = MapCall(
      {RowOfTexts(kF64, {"1", "-inf"})},
      "^bb0(%a: tensor<f64>): %0 = stablehlo.exponential %a : tensor<f64> "
      "%1 = stablehlo.round_nearest_even %0 : tensor<f64> "
      "stablehlo.return %1 : tensor<f64>",
      kF64);
  EXPECT_TRUE(EvaluateRegionCall(converted).outputs[0].IsExact(0));
  EXPECT_TRUE(EvaluateRegionCall(converted).outputs[0].lo.Bits(0) ==
              BitsOfText(kF64, "3"));
}

TEST(Map, AnExplanationNamesTheElements) {
  const FloatCall call = Example();
  EXPECT_EQ(DescribeElement(call.op, call.inputs,
                            EvaluateRegionCall(call).outputs[0].lo, 2),
            "[1, 0]: inputs.0[1, 0] = 2 (0x0000000000000002), inputs.1[1, 0] = "
            "6 (0x0000000000000006), dimensions = [0, 1]");
}

#ifdef ASSAY_BREAK_CLAUSES
TEST(Map, ABrokenClauseOfTheComputationChangesTheResult) {
  const FloatCall call = Example();
  for (const auto& [op, clause] : {std::pair("multiply", 2), {"map", 1}}) {
    const ScopedBrokenClause broken(op, clause);
    EXPECT_THAT(TextsOf(EvaluateRegionCall(call).outputs[0])[0],
                "1 (0x0000000000000001)");
  }
  const ScopedBrokenClause broken("multiply", 6);
  EXPECT_THAT(TextsOf(EvaluateRegionCall(call).outputs[0])[0],
              "0 (0x0000000000000000)");
}
#endif

}  // namespace
}  // namespace assay
