// Tests the grammar of formulas: how operators bind, the meaning of chains,
// maps, splices and slices, and that a text outside of the grammar is an error
// which names its column. Evaluation makes the tree visible.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "spec/formula/formula.h"
#include "spec/formula/formula_test_support.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(FormulaGrammar, OperatorsBindAsInPython) {
  ExpectValues({
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"2 - 3 - 4", "-5"},
      {"100 // 7 // 2", "7"},
      {"100 % 7 * 2", "4"},
      {"-2 * 3", "-6"},
      {"--2", "2"},
      {"-xs[0] + 5", "4"},
      {"7 // 2", "3"},
      {"-7 // 2", "-4"},  // Python rounds toward minus infinity
      {"7 // -2", "-4"},
      {"-7 % 3", "2"},
      {"7 % -3", "-2"},
      {"-6 % 3", "0"},
      {"5 // -1", "-5"},
      {"5 % -1", "0"},
      {"not 1 = 2", "true"},
      {"true or false and false", "true"},
      {"not true or true", "true"},
      {"not not true", "true"},
      {"1 + 1 = 2 and 2 < 3", "true"},
      {"1 if true else 2", "1"},
      {"1 if false else 2 if false else 3", "3"},
      {"(1 if true else 2) + 10", "11"},
      {"1 if 1 = 2 or 2 = 2 else 0", "1"},
  });
}

TEST(FormulaGrammar, ComparisonsChain) {
  ExpectTruths({
      {"1 < 2 < 3", "true"},
      {"1 < 3 < 2", "false"},
      {"3 > 2 >= 2 = 2 <= 2 != 3", "true"},
      {"1 = 1 = 2", "false"},
      {"1 in [1, 2] = [1, 2]", "true"},
  });
}

TEST(FormulaGrammar, ForAllBindsANameInAStatement) {
  ExpectTruths({
      {"For all d in xs, 0 < d", "true"},
      {"For all d in xs, d < 3", "false"},
      {"For all d in none_of_them, d < d", "true"},
      {"For all d in xs, d = 1 or d = 2 or d = 3", "true"},
      {"For all d in xs, If d = 1, then d < 2", "true"},
      {"For all d in xs, For all e in xs, d + e < 7", "true"},
      {"For all d in xs, For all e in xs, d + e < 6", "false"},
      {"For all d in range(2), xs[d] < xs[d + 1]", "true"},
      {"For all d in range(3), xs[d] < xs[d + 1]", "undefined"},
      {"For all d in [1, D], d = 1", "deferred"},
      {"For all d in [D, 2], d = 1", "false"},
      {"For all d in D, d = 1", "deferred"},
      {"For all d in U, d = 1", "undefined"},
      {"For all d in 5, d = 1", "undefined"},
      {"true and (If 1 = 2, then false) and (For all d in xs, 0 < d)", "true"},
      {"true and (For all d in xs, 1 < d)", "false"},
  });
  EXPECT_THAT(ErrorOf("(For all d in xs, 0 < d) and d = 1"),
              HasSubstr("unknown name 'd'"));
  EXPECT_THAT(ErrorOf("For d in xs, d = 1"), HasSubstr("expected 'all'"));
  EXPECT_THAT(ErrorOf("For all 1 in xs, 1 = 1"), HasSubstr("unexpected '1'"));
  EXPECT_THAT(ErrorOf("For all if in xs, 1 = 1"), HasSubstr("unexpected 'if'"));
  EXPECT_THAT(ErrorOf("For all d in xs d = 1"), HasSubstr("expected ','"));
  EXPECT_THAT(ErrorOf("For all"), HasSubstr("unexpected end"));
  EXPECT_THAT(ErrorOf("1 = For"), HasSubstr("unexpected 'For'"));
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "For all d in xs, ";
  EXPECT_THAT(ErrorOf(deep + "d = 1"), HasSubstr("nested too deeply"));
}

TEST(FormulaGrammar, ImplicationHoldsWhereItsConditionFails) {
  ExpectTruths({
      {"If true, then 1 = 1", "true"},
      {"If true, then 1 = 2", "false"},
      {"If false, then 1 = 2", "true"},
      {"If false, then U", "true"},
      {"If D, then true", "true"},
      {"If D, then false", "deferred"},
      {"If U, then false", "undefined"},
      {"If true, then If false, then 1 = 2", "true"},
  });
}

TEST(FormulaGrammar, ListsSubscriptsAndSlices) {
  ExpectValues({
      {"[]", "[]"},
      {"[1, [2, 3], true]", "[1, [2, 3], true]"},
      {"xs[0]", "1"},
      {"xs[2]", "3"},
      {"xs[1:]", "[2, 3]"},
      {"xs[:1]", "[1]"},
      {"xs[1:2]", "[2]"},
      {"xs[:]", "[1, 2, 3]"},
      {"xs[3:]", "[]"},
      {"[[1, 2], [3, 4]][1][0]", "3"},
      {"shape(lhs)[1:]", "[3, 4]"},
      {"5[]", "5"},  // the element of a 0-dimensional constant
  });
  ExpectTruths({{"xs[3]", "undefined"},
                {"xs[-1] = 3", "undefined"},
                {"xs[2:1] = []", "undefined"},
                {"xs[:4] = xs", "undefined"},
                {"1[0] = 1", "undefined"}});
}

TEST(FormulaGrammar, EllipsisMapsAFunctionAndSplicesAList) {
  ExpectValues({
      {"dim(lhs, axes(lhs)...)", "[2, 3, 4]"},
      {"dim(lhs, [2, 0]...)", "[4, 2]"},
      {"rank([lhs, scalar]...)", "[3, 0]"},
      {"dim([lhs, rhs]..., [1, 2]...)", "[3, 5]"},
      {"dim(lhs, []...)", "[]"},
      {"[0, xs..., 9]", "[0, 1, 2, 3, 9]"},
      {"[xs[1:]..., xs[:1]...]", "[2, 3, 1]"},
  });
  ExpectTruths({{"dim([lhs, rhs]..., [1]...)", "undefined"},
                {"dim(lhs, 1...)", "undefined"},
                {"[1..., 2] = [1, 2]", "undefined"}});
}

TEST(FormulaGrammar, ErrorsNameTheirColumn) {
  struct Error {
    const char* formula;
    int column;
    const char* reason;
  };
  const Error errors[] = {
      {"", 1, "unexpected end"},
      {"1 +", 4, "unexpected end"},
      {"(1", 3, "expected ')'"},
      {"1 2", 3, "unexpected '2'"},
      {"rank(lhs) $ 1", 11, "unexpected character '$'"},
      {"1 == 1", 4, "unexpected '='"},
      {"2x", 1, "bad number '2x'"},
      {"9223372036854775808", 1, "bad number"},
      {"If true then 1", 9, "expected ','"},
      {"If true, 1", 10, "expected 'then'"},
      {"1 if true", 10, "expected 'else'"},
      {"xs[1:2", 7, "expected ']'"},
      {"[1, 2", 6, "expected ']'"},
      {"rank(lhs,)", 10, "unexpected ')'"},
      {"1 and and", 7, "unexpected 'and'"},
      {"_x", 1, "unexpected '_x'"},
  };
  for (const Error& error : errors) {
    const std::string column = fmt::format("column {}: ", error.column);
    EXPECT_THAT(ErrorOf(error.formula),
                AllOf(HasSubstr(column + error.reason),
                      StartsWith(fmt::format("formula \"{}\"", error.formula))))
        << error.formula;
  }
}

// Nests `depth` pairs of `open` and `close` around an operand.
std::string Nest(const std::string& open, const std::string& close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  text += "1";
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(FormulaGrammar, DeepNestingIsRefused) {
  const std::pair<const char*, const char*> kinds[] = {{"(", ")"},
                                                       {"[", "]"},
                                                       {"-", ""},
                                                       {"not ", ""},
                                                       {"rank(", ")"},
                                                       {"xs[", "]"},
                                                       {"1 if 1 else ", ""},
                                                       {"If true, then ", ""}};
  for (const auto& [open, close] : kinds) {
    EXPECT_NO_THROW(Formula::Parse(Nest(open, close, 50))) << open;
    EXPECT_THROW(Formula::Parse(Nest(open, close, 1000)), FormulaError) << open;
  }
}

}  // namespace
}  // namespace assay
