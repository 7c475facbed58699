// Tests what reduce_window gives against the example of the text, against pads
// and slices that are made here step by step, and against all trees.
#include <gmock/gmock.h>

#include <random>

#include "oracle/broken_clause.h"
#include "oracle/reduction/window_call_test_support.h"

namespace assay {
namespace {

using testing::ElementsAre;
using enum ElementType;

using Texts = std::set<std::string>;
using Numbers = std::vector<int64_t>;

std::vector<int64_t> IntegersOf(const Tensor& tensor) {
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    integers.push_back(
        static_cast<int64_t>(ValueOf(tensor.element_type(), tensor.Bits(i))));
  return integers;
}

TEST(ReduceWindow, GivesTheExampleOfTheText) {
  const FloatCall call = ReduceWindowCall(
      {TensorOfTexts(kI64, {3, 2}, {"1", "2", "3", "4", "5", "6"})},
      {TensorOfTexts(kI64, {}, {"0"})}, BodyOf("add", "i64"),
      {{2, 1}, {4, 1}, {2, 1}, {3, 1}, {2, 0}, {1, 0}}, {2, 2});
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_THAT(IntegersOf(evaluation.outputs[0].lo), ElementsAre(0, 0, 3, 4));
  EXPECT_EQ(IdsOf(call.op, evaluation),
            "reduce_window/S1 reduce_window/S2 reduce_window/S3 "
            "reduce_window/S4 reduce_window/S5 add/S2");
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 2),
              ElementsAre(Source{0, 2}, Source{1, 0}));
}

// A row of the padded operand, element after element.
Numbers PaddedRow(const Numbers& row, int64_t low, int64_t high, int64_t step,
                  int64_t init) {
  Numbers dilated;
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0)
      dilated.insert(dilated.end(), static_cast<size_t>(step - 1), init);
    dilated.push_back(row[i]);
  }
  const auto resize = [init](Numbers* numbers, int64_t by) {
    numbers->resize(
        static_cast<size_t>(std::max<int64_t>(std::ssize(*numbers) + by, 0)),
        init);
  };
  // What is added at one end may be cut from the other.
  if (high > 0) resize(&dilated, high);
  std::ranges::reverse(dilated);
  resize(&dilated, low);
  std::ranges::reverse(dilated);
  if (high <= 0) resize(&dilated, high);
  return dilated;
}

TEST(ReduceWindow, TakesSlicesOfThePaddedOperand) {
  std::mt19937 random(1);
  const auto draw = [&](int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  };
  int whole = 0;
  for (int i = 0; i < 400; ++i) {
    Numbers row;
    std::vector<std::string> texts;
    for (int64_t left = draw(0, 6); left > 0; --left) {
      row.push_back(draw(-9, 9));
      texts.push_back(std::to_string(row.back()));
    }
    const int64_t size = draw(1, 4), stride = draw(1, 4), step = draw(1, 3),
                  dilation = draw(1, 3), low = draw(-3, 4), high = draw(-3, 4);
    const Numbers padded = PaddedRow(row, low, high, step, 0);
    Numbers sums;
    const int64_t extent = (size - 1) * dilation + 1;
    for (int64_t start = 0; start + extent <= std::ssize(padded);
         start += stride) {
      int64_t sum = 0;
      for (int64_t k = 0; k < size; ++k)
        sum += padded[static_cast<size_t>(start + k * dilation)];
      sums.push_back(sum);
    }
    whole += !sums.empty();
    const FloatCall call =
        ReduceWindowCall({TensorOfTexts(kI32, {std::ssize(row)}, texts)},
                         {TensorOfTexts(kI32, {}, {"0"})}, BodyOf("add", "i32"),
                         {{size}, {stride}, {step}, {dilation}, {low}, {high}},
                         {std::ssize(sums)});
    EXPECT_EQ(IntegersOf(EvaluateRegionCall(call).outputs[0].lo), sums);
  }
  EXPECT_GT(whole, 200);
}

TEST(ReduceWindow, HasTheResultsOfAllTrees) {
  const FloatCall call = WindowsOfRow(kI32, {"1", "2", "4"}, "100",
                                      BodyOf("subtract", "i32"), 2, 1);
  const Evaluation evaluation = EvaluateRegionCall(call);
  const std::function<int(const int&, const int&)> subtract =
      [](const int& a, const int& b) { return a - b; };
  const std::vector<std::vector<int>> windows = {{100, 1}, {1, 2}, {2, 4}};
  for (int64_t i = 0; i < 3; ++i) {
    Texts all;
    for (const int value :
         AllTrees<int>(windows[static_cast<size_t>(i)], 100, 0, 2, subtract))
      all.insert(std::to_string(value));
    EXPECT_EQ(AllowedAt(evaluation, 0, i), all) << i;
  }
}

TEST(ReduceWindow, PadsEachOperandWithItsInitialValue) {
  const std::string body =
      "^bb0(%a: tensor<i32>, %i: tensor<i8>, %b: tensor<i32>, %j: tensor<i8>): "
      "%0 = stablehlo.minimum %a, %b : tensor<i32> "
      "%1 = stablehlo.maximum %i, %j : tensor<i8> "
      "stablehlo.return %0, %1 : tensor<i32>, tensor<i8>";
  const FloatCall call = ReduceWindowCall(
      {RowOfTexts(kI32, {"5", "9"}), RowOfTexts(kI8, {"1", "2"})},
      {TensorOfTexts(kI32, {}, {"7"}), TensorOfTexts(kI8, {}, {"-3"})}, body,
      {{1}, {1}, {1}, {1}, {1}, {0}}, {3});
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(AllowedAt(evaluation, 0, 0), Texts{"7"});
  EXPECT_EQ(AllowedAt(evaluation, 1, 0), Texts{"-3"});
  EXPECT_EQ(AllowedAt(evaluation, 1, 1), Texts{"1"});
}

TEST(ReduceWindow, NumbersOf64BitsAreNoMistake) {
  constexpr int64_t kFar = int64_t{1} << 61;
  const FloatCall call =
      ReduceWindowCall({RowOfTexts(kI32, {"5", "9"})},
                       {TensorOfTexts(kI32, {}, {"0"})}, BodyOf("add", "i32"),
                       {{2}, {kFar}, {1}, {kFar}, {kFar - 1}, {kFar}}, {2});
  EXPECT_THAT(IntegersOf(EvaluateRegionCall(call).outputs[0].lo),
              ElementsAre(9, 9));
}

TEST(ReduceWindow, AWindowOfTooManyElementsIsUndecided) {
  constexpr int64_t kMany = int64_t{1} << 23;
  const FloatCall call =
      WindowsOfRow(kI32, {"5"}, "0", BodyOf("add", "i32"), kMany, kMany - 1);
  EXPECT_EQ(EvaluateRegionCall(call).undecided, 1);
}

#ifdef ASSAY_BREAK_CLAUSES
TEST(ReduceWindow, ABrokenClauseChangesTheResult) {
  const FloatCall call =
      WindowsOfRow(kI32, {"1", "2", "4", "8"}, "0", BodyOf("add", "i32"), 2, 1);
  const auto results = [&] {
    return IntegersOf(EvaluateRegionCall(call).outputs[0].lo);
  };
  const Numbers right = results();
  EXPECT_THAT(right, ElementsAre(1, 3, 6, 12));
  for (int clause = 1; clause <= 5; ++clause) {
    const ScopedBrokenClause broken("reduce_window", clause);
    EXPECT_NE(results(), right) << clause;
  }
}
#endif

}  // namespace
}  // namespace assay
