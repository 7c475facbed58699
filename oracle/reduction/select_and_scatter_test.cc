// Tests what select_and_scatter gives against the example of the text, and
// against all trees of a window, which are enumerated here.
#include <gmock/gmock.h>

#include <map>

#include "oracle/broken_clause.h"
#include "oracle/reduction/window_call_test_support.h"

namespace assay {
namespace {

using enum ElementType;

using Texts = std::set<std::string>;

// Returns what each element may be.
std::vector<Texts> AllAllowed(const FloatCall& call,
                              const std::string& policy = "assay") {
  const Evaluation evaluation = EvaluateRegionCall(call, policy);
  std::vector<Texts> all;
  for (int64_t i = 0; i < evaluation.outputs[0].lo.size(); ++i)
    all.push_back(AllowedAt(evaluation, 0, i));
  return all;
}

std::vector<Texts> Each(const std::vector<std::string>& texts) {
  std::vector<Texts> all;
  for (const std::string& text : texts) all.push_back({text});
  return all;
}

TEST(SelectAndScatter, GivesTheExampleOfTheText) {
  const FloatCall call = SelectAndScatterCall(
      TensorOfTexts(kI64, {4, 2}, {"1", "5", "2", "5", "3", "6", "4", "4"}),
      TensorOfTexts(kI64, {2, 2}, {"5", "6", "7", "8"}),
      TensorOfTexts(kI64, {}, {"0"}), SelectBy("GE", "i64"),
      BodyOf("add", "i64"), {{3, 1}, {2, 1}, {}, {}, {0, 0}, {1, 0}});
  EXPECT_EQ(AllAllowed(call), Each({"0", "0", "0", "0", "5", "14", "7", "0"}));
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 6),
              testing::ElementsAre(Source{0, 4}, Source{0, 6}, Source{1, 2},
                                   Source{2, 0}));
}

TEST(SelectAndScatter, TheFunctionDecidesTies) {
  // EQ takes the first of two elements that are equal, and else the last.
  const std::map<std::string, std::vector<Texts>> expected = {
      {"GE", Each({"1", "2", "0", "4"})},
      {"GT", Each({"0", "3", "0", "4"})},
      {"LE", Each({"1", "0", "6", "0"})},
      {"EQ", Each({"1", "0", "2", "4"})}};
  for (const auto& [direction, results] : expected) {
    const FloatCall call =
        SelectFromRow(kI32, {"5", "5", "3", "9"}, {"1", "2", "4"}, "0",
                      SelectBy(direction, "i32"), BodyOf("add", "i32"), 2);
    EXPECT_EQ(AllAllowed(call), results) << direction;
  }
}

TEST(SelectAndScatter, PaddingIsNeverSelected) {
  for (const char* direction : {"GE", "GT", "LE", "LT"}) {
    const FloatCall call = SelectFromRow(kI32, {"0", "0"}, {"1", "2", "4"}, "0",
                                         SelectBy(direction, "i32"),
                                         BodyOf("add", "i32"), 2, 1, 1);
    const bool is_first = direction[1] == 'E';
    EXPECT_EQ(AllAllowed(call), is_first ? Each({"3", "4"}) : Each({"1", "6"}))
        << direction;
  }
}

TEST(SelectAndScatter, AWindowOfPaddingAloneIsUpToThePolicy) {
  const FloatCall call =
      SelectFromRow(kI32, {"7"}, {"1", "2", "4"}, "0", SelectBy("GE", "i32"),
                    BodyOf("add", "i32"), 1, 1, 1);
  EXPECT_EQ(AllAllowed(call), Each({"2"}));
  EXPECT_EQ(AllAllowed(call, "stablehlo"), Each({"open"}));
}

// A number, and the place where it stands.
using Pair = std::pair<double, size_t>;

// Returns the places that trees over a window select.
std::set<size_t> SelectedBy(const std::vector<double>& window,
                            const std::function<bool(double, double)>& select) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i < window.size(); ++i) pairs.emplace_back(window[i], i);
  const std::function<Pair(const Pair&, const Pair&)> body =
      [&](const Pair& a, const Pair& b) {
        return select(a.first, b.first) ? a : b;
      };
  std::set<size_t> places;
  for (const Pair& pair : TreesOver<Pair>(pairs, body))
    places.insert(pair.second);
  return places;
}

TEST(SelectAndScatter, AnElementThatSomeTreeSelectsMayHaveTheSource) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> windows = {
      {1, nan, 3, 2},
      {5, 1, nan, 3},
      {4, 1, nan, 2, 8, nan, 7},
      {nan, nan},
      {9, nan, 1, 2, 3, nan, 4, 1, 6, 5}};
  for (const std::vector<double>& window : windows) {
    std::vector<std::string> texts;
    for (const double number : window)
      texts.push_back(
          number == number ? std::to_string(static_cast<int>(number)) : "nan");
    const FloatCall call =
        SelectFromRow(kF32, texts, {"7"}, "0", SelectBy("GE", "f32"),
                      BodyOf("add", "f32"), std::ssize(window));
    const std::set<size_t> selected =
        SelectedBy(window, std::greater_equal<>());
    std::vector<Texts> expected(window.size(), {"0"});
    for (const size_t place : selected) {
      expected[place].insert("7");
      if (selected.size() == 1) expected[place] = {"7"};
    }
    EXPECT_EQ(AllAllowed(call), expected) << testing::PrintToString(texts);
  }
}

TEST(SelectAndScatter, SourcesComeInTheirOrder) {
  const std::string first =
      "^bb0(%a: tensor<i32>, %b: tensor<i32>): "
      "%z = stablehlo.constant dense<0> : tensor<i32> "
      "%p = stablehlo.compare NE, %a, %z : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1> %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32> "
      "stablehlo.return %0 : tensor<i32>";
  const FloatCall call =
      SelectFromRow(kI32, {"1", "1", "9", "1", "1"}, {"0", "5", "6"}, "0",
                    SelectBy("GE", "i32"), first, 3);
  EXPECT_EQ(AllAllowed(call), Each({"0", "0", "5", "0", "0"}));
}

// Windows of NaNs and a number, which each select one of several elements.
TEST(SelectAndScatter, ManyDoubtfulWindowsAreUndecided) {
  std::vector<std::string> row;
  for (int i = 0; i < 20; ++i) row.push_back(i % 3 == 1 ? "nan" : "1");
  const std::vector<std::string> sources(14, "1");
  const FloatCall call = SelectFromRow(
      kF32, row, sources, "0", SelectBy("GE", "f32"), BodyOf("add", "f32"), 7);
  EXPECT_GT(EvaluateRegionCall(call).undecided, 0);
}

#ifdef ASSAY_BREAK_CLAUSES
TEST(SelectAndScatter, ABrokenClauseChangesTheResult) {
  const FloatCall call =
      SelectFromRow(kI32, {"3", "7", "5", "1"}, {"1", "2", "4", "8"}, "0",
                    SelectBy("GE", "i32"), BodyOf("add", "i32"), 2, 1);
  const std::vector<Texts> right = AllAllowed(call);
  EXPECT_EQ(right, Each({"1", "6", "8", "0"}));
  for (const int clause : {1, 2, 3, 4, 5, 8, 9, 10, 11}) {
    const ScopedBrokenClause broken("select_and_scatter", clause);
    EXPECT_NE(AllAllowed(call), right) << clause;
  }
}
#endif

}  // namespace
}  // namespace assay
