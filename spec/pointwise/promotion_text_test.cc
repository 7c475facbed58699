// Tests that the reader of promotion_methods reads what ToString prints, and
// that errors give the place in the text. Columns were counted by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spec/pointwise/promotion.h"

namespace assay {
namespace {

TEST(PromotionMethods, ReadsWhatItPrints) {
  std::string reason;
  const std::vector<PromotionRule> rules = {
      {{0, 1}, PromotionMethod::kDefault},
      {{2}, PromotionMethod::kNoOpmath},
      {{0, 0, 63}, PromotionMethod::kIntToFloat},
      {{1}, PromotionMethod::kAlwaysBool},
      {{1}, PromotionMethod::kComplexToFloat},
      {{10}, PromotionMethod::kBoolToLong}};
  const std::string text = ToString(rules);
  EXPECT_EQ(text, R"([[0, 1, "DEFAULT"], [2, "NO_OPMATH"], )"
                  R"([0, 0, 63, "INT_TO_FLOAT"], [1, "ALWAYS_BOOL"], )"
                  R"([1, "COMPLEX_TO_FLOAT"], [10, "BOOL_TO_LONG"]])");
  EXPECT_EQ(ParsePromotionMethods(text, &reason), rules) << reason;
  EXPECT_EQ(ParsePromotionMethods(
                " [ [0,\t1,\"DEFAULT\" ]\n,[2,\"NO_OPMATH\"]] ", &reason),
            (std::vector<PromotionRule>{rules[0], rules[1]}))
      << reason;
}

TEST(PromotionMethods, SaysWhereTheTextIsWrong) {
  const struct {
    std::string text;
    const char* reason;
  } kWrong[] = {
      {"", "promotion_methods, column 1: expected '['"},
      {"DEFAULT", "promotion_methods, column 1: expected '['"},
      {"[]",
       "promotion_methods[0], column 2: expected a list such as "
       "[0, 1, \"DEFAULT\"]"},
      {R"([[0, "DEFAULT"],])",
       "promotion_methods[1], column 17: expected a list such as "
       "[0, 1, \"DEFAULT\"]"},
      // The seed's example `polar` has this form.
      {R"([[[0, 1], "DEFAULT"]])",
       "promotion_methods[0][0], column 3: expected the index of an argument "
       "or a method in quotes"},
      {"[[0, -1, \"DEFAULT\"]]",
       "promotion_methods[0][1], column 6: expected the index of an argument "
       "or a method in quotes"},
      {R"([["DEFAULT"]])",
       "promotion_methods[0][0], column 4: expected the index of an argument "
       "before the method"},
      {R"([[0, 64, "DEFAULT"]])",
       "promotion_methods[0][1], column 6: expected an index below 64"},
      {R"([[99999999999999999999, "DEFAULT"]])",
       "promotion_methods[0][0], column 3: expected an index below 64"},
      {R"([[01, "DEFAULT"]])",
       "promotion_methods[0][0], column 4: expected ',' and further arguments "
       "or the method"},
      {R"([[0 1, "DEFAULT"]])",
       "promotion_methods[0][0], column 5: expected ',' and further arguments "
       "or the method"},
      {R"([[0, 1]])",
       "promotion_methods[0][1], column 7: expected ',' and further arguments "
       "or the method"},
      {R"([[0, "DEFAULT)",
       "promotion_methods[0][1], column 7: a '\"' that is not closed"},
      {R"([[0, "DEFAULT"], [1, "default"]])",
       "promotion_methods[1][1], column 23: unknown method 'default'; there "
       "are DEFAULT, NO_OPMATH, INT_TO_FLOAT, ALWAYS_BOOL, COMPLEX_TO_FLOAT, "
       "BOOL_TO_LONG"},
      {R"([[0, "DEFAULT", 1]])",
       "promotion_methods[0][1], column 15: expected ']' behind the method"},
      {R"([[0, "DEFAULT"])",
       "promotion_methods, column 16: expected ',' or ']'"},
      {R"([[0, "DEFAULT"]] x)",
       "promotion_methods, column 18: expected nothing behind the list"},
      {std::string(4097, '['),
       "promotion_methods, column 1: longer than 4096 characters"},
      {std::string(4096, '['),
       "promotion_methods[0][0], column 3: expected the index of an argument "
       "or a method in quotes"},
  };
  for (const auto& [text, expected] : kWrong) {
    std::string reason;
    EXPECT_EQ(ParsePromotionMethods(text, &reason), std::nullopt) << text;
    EXPECT_EQ(reason, expected) << text;
  }
}

}  // namespace
}  // namespace assay
