#include <gtest/gtest.h>

#include "spec/formula/formula_test_support.h"

namespace assay {
namespace {

Environment WithListConstants() {
  Environment environment = Members();
  const auto constant = [&](const char* name, Shape shape,
                            const std::vector<int64_t>& numbers) {
    environment.members.emplace(
        name, Value::FromTensor(IntegerTensor(
                  {std::move(shape), ElementType::kI64}, numbers)));
  };
  constant("groups", {2, 3}, {0, 2, 4, 1, 3, 5});
  constant("twice", {2, 2}, {0, 1, 1, 2});
  constant("no_rows", {0, 3}, {});
  constant("no_columns", {2, 0}, {});
  return environment;
}

std::string ListText(const char* formula) {
  return Evaluate(Formula::Parse(formula), WithListConstants()).ToString();
}

TEST(FormulaLists, AComprehensionIsTheListOfItsBodies) {
  EXPECT_EQ(ListText("[d + 1 for d in xs]"), "[2, 3, 4]");
  EXPECT_EQ(ListText("[dim(lhs, d) for d in axes(lhs)]"), "[2, 3, 4]");
  EXPECT_EQ(ListText("[d for d in []]"), "[]");
  EXPECT_EQ(ListText("[row[0] for row in groups]"), "[0, 1]");
  EXPECT_EQ(ListText("[size(row) for row in no_columns]"), "[0, 0]");
}

TEST(FormulaLists, AComprehensionHidesANameOnlyInside) {
  EXPECT_EQ(ListText("[[d * e for e in [1, 10]] for d in [1, 2]]"),
            "[[1, 10], [2, 20]]");
  EXPECT_EQ(ListText("[sum([d for d in xs]) + d for d in [10]]"), "[16]");
}

TEST(FormulaLists, ArrangedPutsEachElementAtItsPlace) {
  EXPECT_EQ(ListText("arranged([7, 8, 9], [2, 0, 1])"), "[8, 9, 7]");
  EXPECT_EQ(ListText("arranged([], [])"), "[]");
  for (const char* none :
       {"arranged([7, 8], [0, 0])", "arranged([7, 8], [0, 2])",
        "arranged([7, 8], [0])", "arranged([7, 8], [0, -1])"}) {
    EXPECT_TRUE(Evaluate(Formula::Parse(none), WithListConstants())
                    .Is<Value::Undefined>())
        << none;
  }
}

TEST(FormulaLists, ListsAreSortedIfNoneFalls) {
  ExpectTruths({{"is_sorted([])", "true"},
                {"is_sorted([1, 1, 2])", "true"},
                {"is_sorted([1, 3, 2])", "false"},
                {"is_sorted([3, 1, U])", "false"},
                {"is_sorted([1, D])", "deferred"}});
}

TEST(FormulaLists, ConstantsOfTwoDimensionsHaveAShapeAndElements) {
  EXPECT_EQ(ListText("shape(groups)"), "[2, 3]");
  EXPECT_EQ(ListText("shape(no_rows)"), "[0, 3]");
  EXPECT_EQ(ListText("dim(no_rows, 1)"), "3");
  EXPECT_EQ(ListText("rank(groups)"), "2");
  EXPECT_EQ(ListText("size(groups)"), "6");
  EXPECT_EQ(ListText("size(no_columns)"), "0");
  EXPECT_EQ(ListText("is_unique(groups)"), "true");
  EXPECT_EQ(ListText("is_unique(twice)"), "false");
  EXPECT_EQ(ListText("0 <= groups < 6"), "true");
  EXPECT_EQ(ListText("groups < 5"), "false");
}

TEST(FormulaLists, ZeroTimesWhatIsNotKnownIsZero) {
  EXPECT_EQ(ListText("0 * D"), "0");
  EXPECT_EQ(ListText("D * 0"), "0");
  EXPECT_EQ(ListText("1 * D"), "?");
  EXPECT_EQ(ListText("num_partitions * 0"), "0");
}

}  // namespace
}  // namespace assay
