// Tests what sort gives: the one answer of a stable sort, permutations of equal
// elements of another, and what is left where the comparator orders nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "oracle/broken_clause.h"
#include "oracle/judge.h"
#include "oracle/region_laws.h"
#include "oracle/region_test_support.h"
#include "oracle/relation.h"

namespace assay {
namespace {

using testing::ElementsAre;
using enum ElementType;

// Compares the first of `count` operands, which all have one type.
std::string ComparatorOf(const std::string& direction, const std::string& type,
                         const std::string& kind, int count = 1) {
  std::string arguments;
  for (int k = 0; k < count; ++k)
    arguments += fmt::format("{2}%a{0}: tensor<{1}>, %b{0}: tensor<{1}>", k,
                             type, k == 0 ? "" : ", ");
  return fmt::format(
      "^bb0({}): %p = stablehlo.compare {}, %a0, %b0, {} : "
      "(tensor<{}>, tensor<{}>) -> tensor<i1> "
      "stablehlo.return %p : tensor<i1>",
      arguments, direction, kind, type, type);
}

FloatCall SortCall(const std::vector<Tensor>& inputs,
                   const std::string& comparator, int64_t dimension,
                   bool is_stable) {
  Tensor dim(TensorType(Shape(), kI64)), stable(TensorType(Shape(), kI1));
  dim.SetBits(0, BitsOf(kI64, dimension));
  stable.SetBits(0, is_stable);
  std::vector<TensorType> results;
  for (const Tensor& input : inputs) results.push_back(input.type());
  return MakeRegionCall("sort", {{inputs},
                                 comparator,
                                 {{"dimension", dim}, {"is_stable", stable}},
                                 results});
}

// Operands that the comparator does not look at may be of any type, and many.
TEST(Sort, MovesComplexNumbersBehindTheirKeys) {
  constexpr int64_t kCount = 100;
  Tensor keys(TensorType({kCount}, kF32));
  Tensor values(TensorType({kCount}, kComplexF64));
  for (int64_t i = 0; i < kCount; ++i) {
    keys.SetBits(i, static_cast<ElementBits>(kCount - i));
    values.SetBits(i, static_cast<ElementBits>(i) << 64 | 7);
  }
  // What is not read may be NaN.
  values.SetBits(3, ElementBits{3} << 64 | 0x7FF8000000000000);
  const Evaluation evaluation = EvaluateRegionCall(SortCall(
      {keys, values, values},
      "^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<complex<f64>>, "
      "%d: tensor<complex<f64>>, %e: tensor<complex<f64>>, "
      "%f: tensor<complex<f64>>): "
      "%p = stablehlo.compare LT, %a, %b, FLOAT : "
      "(tensor<f32>, tensor<f32>) -> tensor<i1> "
      "stablehlo.return %p : tensor<i1>",
      0, true));
  EXPECT_EQ(evaluation.undecided, 0);
  for (int64_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(evaluation.outputs[1].IsExact(i));
    EXPECT_EQ(evaluation.outputs[1].lo.Bits(i) >> 64,
              static_cast<ElementBits>(kCount - 1 - i));
  }
}

std::vector<std::string> TextsOf(const Tensor& tensor) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < tensor.size(); ++i)
    texts.push_back(FormatValue(tensor.element_type(), tensor.Bits(i)));
  return texts;
}

bool Allows(const Evaluation& evaluation, const std::vector<Tensor>& results) {
  for (size_t k = 0; k < results.size(); ++k) {
    if (!Judge(evaluation.outputs[k], results[k]).ok()) return false;
  }
  return JudgeTogether(evaluation, results).ok();
}

FloatCall Example(bool is_stable) {
  const Shape shape = {2, 3};
  return SortCall({TensorOfTexts(kI64, shape, {"1", "2", "3", "3", "2", "1"}),
                   TensorOfTexts(kI64, shape, {"3", "2", "1", "1", "2", "3"})},
                  ComparatorOf("GT", "i64", "SIGNED", 2), 0, is_stable);
}

TEST(Sort, GivesTheExampleOfTheText) {
  const FloatCall call = Example(true);
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_THAT(TextsOf(evaluation.outputs[0].lo),
              ElementsAre("3", "2", "3", "1", "2", "1"));
  EXPECT_THAT(TextsOf(evaluation.outputs[1].lo),
              ElementsAre("1", "2", "1", "3", "2", "3"));
  EXPECT_TRUE(evaluation.outputs[0].IsDetermined());
  EXPECT_EQ(evaluation.relation, nullptr);
  EXPECT_EQ(IdsOf(call.op, evaluation),
            "sort/S1 sort/S3 sort/S5 sort/S6 sort/S8 compare/S4");
}

TEST(Sort, DimensionsBelowZeroCountFromTheEnd) {
  const Tensor operand =
      TensorOfTexts(kI8, {2, 3}, {"3", "1", "2", "9", "7", "8"});
  for (const int64_t dimension : {1, -1}) {
    const FloatCall call = SortCall(
        {operand}, ComparatorOf("LT", "i8", "SIGNED"), dimension, true);
    const Evaluation evaluation = EvaluateRegionCall(call);
    EXPECT_THAT(TextsOf(evaluation.outputs[0].lo),
                ElementsAre("1", "2", "3", "7", "8", "9"));
    EXPECT_EQ(IdsOf(call.op, evaluation).find("sort/S2") != std::string::npos,
              dimension < 0);
  }
  const FloatCall columns =
      SortCall({operand}, ComparatorOf("GT", "i8", "SIGNED"), -2, true);
  EXPECT_THAT(TextsOf(EvaluateRegionCall(columns).outputs[0].lo),
              ElementsAre("9", "7", "8", "3", "1", "2"));
  EXPECT_THAT(SourcesOf(columns.op, columns.inputs, 4),
              ElementsAre(Source{0, 1}, Source{0, 4}));
}

TEST(Sort, OfNothingIsNothing) {
  const FloatCall call = SortCall({Tensor(TensorType({3, 0}, kI8))},
                                  ComparatorOf("LT", "i8", "SIGNED"), 1, true);
  EXPECT_EQ(IdsOf(call.op, EvaluateRegionCall(call)), "");
}

// Any length, against the library's stable sort.
TEST(Sort, IsTheStableOrderOfManyElements) {
  std::mt19937 random(5);
  for (const int64_t n : {1, 2, 3, 17, 64, 65, 1000}) {
    Tensor keys(TensorType({n}, kI32)), places(TensorType({n}, kI32));
    std::vector<std::pair<int, int>> expected;
    for (int64_t i = 0; i < n; ++i) {
      const int key = static_cast<int>(random() % 50);
      keys.SetBits(i, static_cast<ElementBits>(key));
      places.SetBits(i, static_cast<ElementBits>(i));
      expected.emplace_back(key, static_cast<int>(i));
    }
    std::ranges::stable_sort(expected, {}, &std::pair<int, int>::first);
    const Evaluation evaluation = EvaluateRegionCall(SortCall(
        {keys, places}, ComparatorOf("LT", "i32", "SIGNED", 2), 0, true));
    for (int64_t i = 0; i < n; ++i) {
      const auto& [key, place] = expected[static_cast<size_t>(i)];
      ASSERT_EQ(static_cast<int>(evaluation.outputs[0].lo.Bits(i)), key);
      ASSERT_EQ(static_cast<int>(evaluation.outputs[1].lo.Bits(i)), place);
    }
  }
}

TEST(Sort, OrdersFloatsByTheirTotalOrder) {
  const FloatCall call = SortCall(
      {RowOfTexts(kF32, {"nan", "-0", "inf", "0xffc00001", "0", "-1"})},
      ComparatorOf("LT", "f32", "TOTALORDER"), 0, true);
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_THAT(TextsOf(evaluation.outputs[0].lo),
              ElementsAre("-nan", "-1", "-0", "0", "inf", "nan"));
  EXPECT_TRUE(evaluation.outputs[0].lo.Bits(0) == 0xffc00001u);
  EXPECT_TRUE(evaluation.outputs[0].keeps_nans);
  EXPECT_THAT(IdsOf(call.op, evaluation), testing::HasSubstr("sort/S10"));
}

// Every result of the first pair (1, 0), (1, 1) then (2, 2) is allowed that is
// a permutation of whole tuples.
TEST(Sort, EqualElementsMayStandInAnyOrder) {
  const FloatCall call = SortCall(
      {RowOfTexts(kI32, {"2", "1", "1"}), RowOfTexts(kI32, {"2", "0", "1"})},
      ComparatorOf("LT", "i32", "SIGNED", 2), 0, false);
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_EQ(IdsOf(call.op, evaluation),
            "sort/S1 sort/S5 sort/S6 sort/S8 sort/S9 compare/S6");
  const auto allows = [&](const std::vector<std::string>& keys,
                          const std::vector<std::string>& places) {
    return Allows(evaluation,
                  {RowOfTexts(kI32, keys), RowOfTexts(kI32, places)});
  };
  EXPECT_TRUE(allows({"1", "1", "2"}, {"0", "1", "2"}));
  EXPECT_TRUE(allows({"1", "1", "2"}, {"1", "0", "2"}));
  EXPECT_FALSE(allows({"1", "1", "2"}, {"0", "0", "2"}));
  EXPECT_FALSE(allows({"1", "1", "2"}, {"1", "2", "0"}));
  EXPECT_FALSE(allows({"1", "2", "1"}, {"0", "2", "1"}));
  const std::vector<Tensor> twice = {RowOfTexts(kI32, {"1", "1", "2"}),
                                     RowOfTexts(kI32, {"0", "0", "2"})};
  EXPECT_EQ(JudgeTogether(evaluation, twice).first_failed, 1);
  Basis basis;
  EXPECT_THAT(ExplainTogether(call.op, call.inputs, Policy::Find("assay"),
                              evaluation, twice, &basis),
              testing::HasSubstr("returned too often: (1 (0x00000001), 0 "
                                 "(0x00000000))\n  missing: (1 (0x00000001), "
                                 "1 (0x00000001))"));
  EXPECT_EQ(basis.text, "policy:sort_equal_elements");
  const Policy stable =
      Policy::Find("assay").With("sort_equal_elements", "stable");
  EXPECT_TRUE(Evaluate(call.op, call.inputs, stable, Marks::kNone)
                  .outputs[1]
                  .IsDetermined());
}

// A comparison of floats has no place for NaN.
TEST(Sort, WithoutAnOrderOnlyThePermutationIsJudged) {
  const std::string comparator = ComparatorOf("LT", "f32", "FLOAT");
  const FloatCall call =
      SortCall({RowOfTexts(kF32, {"2", "nan", "1"})}, comparator, 0, true);
  const Evaluation evaluation = EvaluateRegionCall(call);
  EXPECT_TRUE(evaluation.outputs[0].IsOpen(0));
  EXPECT_EQ(evaluation.undecided, 0);
  EXPECT_THAT(IdsOf(call.op, evaluation), testing::HasSubstr("sort/S7"));
  EXPECT_TRUE(Allows(evaluation, {RowOfTexts(kF32, {"nan", "2", "1"})}));
  EXPECT_FALSE(Allows(evaluation, {RowOfTexts(kF32, {"nan", "2", "2"})}));
  const Evaluation any = EvaluateRegionCall(call, "stablehlo");
  EXPECT_TRUE(Allows(any, {RowOfTexts(kF32, {"nan", "2", "2"})}));
  const FloatCall numbers =
      SortCall({RowOfTexts(kF32, {"2", "-0", "1", "0"})}, comparator, 0, true);
  EXPECT_THAT(TextsOf(EvaluateRegionCall(numbers).outputs[0].lo),
              ElementsAre("-0", "0", "1", "2"));
}

TEST(Sort, WhatIsNotShownIsComparedPairByPair) {
  // By the last two bits; and by a distance below 2, which is no order.
  const std::string bits =
      "^bb0(%a: tensor<i32>, %b: tensor<i32>): "
      "%0 = stablehlo.popcnt %a : tensor<i32> "
      "%1 = stablehlo.popcnt %b : tensor<i32> "
      "%2 = stablehlo.compare LT, %0, %1, SIGNED : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1> "
      "stablehlo.return %2 : tensor<i1>";
  Tensor few(TensorType({64}, kI32)), many(TensorType({65}, kI32));
  for (int64_t i = 0; i < 65; ++i) {
    if (i < 64) few.SetBits(i, static_cast<ElementBits>(i));
    many.SetBits(i, static_cast<ElementBits>(i));
  }
  const Evaluation ordered = EvaluateRegionCall(SortCall({few}, bits, 0, true));
  EXPECT_EQ(ordered.undecided, 0);
  EXPECT_THAT(TextsOf(ordered.outputs[0].lo), testing::Contains("63").Times(1));
  EXPECT_TRUE(ordered.outputs[0].lo.Bits(63) == 63);
  const Evaluation unknown =
      EvaluateRegionCall(SortCall({many}, bits, 0, true));
  EXPECT_EQ(unknown.undecided, 65);
  EXPECT_TRUE(Allows(unknown, {many}));
  many.SetBits(0, 1);
  EXPECT_FALSE(Allows(unknown, {many}));
  const Evaluation none = EvaluateRegionCall(
      SortCall({few}, ComparatorOf("LE", "i32", "SIGNED"), 0, true));
  EXPECT_TRUE(none.outputs[0].IsOpen(0));
  EXPECT_EQ(none.undecided, 0);
}

Shown LawOf(const std::string& comparator) {
  Op op;
  op.op = "sort";
  op.regions.push_back(ReadRegion("test", "comparator", comparator));
  const std::vector<Tensor> none;
  return ShownStrictWeakOrder(
      op.regions[0], OpCall{op, none, Policy::Find("assay"), Marks::kNone});
}

TEST(Sort, OrdersAreShown) {
  EXPECT_EQ(LawOf(ComparatorOf("LT", "i64", "SIGNED")), Shown::kAlways);
  EXPECT_EQ(LawOf(ComparatorOf("GT", "ui8", "UNSIGNED", 2)), Shown::kAlways);
  EXPECT_EQ(LawOf(ComparatorOf("LT", "f32", "TOTALORDER")), Shown::kAlways);
  EXPECT_EQ(LawOf(ComparatorOf("GT", "f8E4M3FN", "TOTALORDER")),
            Shown::kAlways);
  EXPECT_EQ(LawOf(ComparatorOf("LT", "bf16", "FLOAT")), Shown::kOfNumbers);
  EXPECT_EQ(LawOf(ComparatorOf("LE", "i32", "SIGNED")), Shown::kNever);
  EXPECT_EQ(LawOf(ComparatorOf("NE", "f16", "FLOAT")), Shown::kNever);
}

#ifdef ASSAY_BREAK_CLAUSES
TEST(Sort, ABrokenClauseChangesTheResult) {
  const FloatCall call = Example(true);
  const auto values = [&] {
    const Evaluation evaluation = EvaluateRegionCall(call);
    return std::pair(TextsOf(evaluation.outputs[0].lo),
                     TextsOf(evaluation.outputs[1].lo));
  };
  const auto right = values();
  for (const int clause : {1, 6}) {
    const ScopedBrokenClause broken("sort", clause);
    EXPECT_NE(values(), right) << clause;
  }
  const FloatCall equals =
      SortCall({RowOfTexts(kI32, {"1", "1"}), RowOfTexts(kI32, {"0", "1"})},
               ComparatorOf("LT", "i32", "SIGNED", 2), 0, true);
  {
    const ScopedBrokenClause broken("sort", 3);
    EXPECT_THAT(TextsOf(EvaluateRegionCall(equals).outputs[1].lo),
                ElementsAre("1", "0"));
  }
  const ScopedBrokenClause broken("compare", 4);
  EXPECT_NE(values(), right);
}
#endif

}  // namespace
}  // namespace assay
