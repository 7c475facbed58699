// Tests budgets as policies write them: how they are read, where a row holds,
// how it is printed, and how mistakes are located.
#include "spec/accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "spec/error.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using UnorderedJson = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Returns a row of op `op` on f32 with these members.
UnorderedJson BudgetRow(const std::string& members,
                        const std::string& op = "sine",
                        const std::string& type = "f32") {
  UnorderedJson row = UnorderedJson::parse("{" + members + "}");
  row["ops"] = {op};
  row["types"] = {type};
  row["reason"] = "for the test";
  return row;
}

Budget ReadBudget(const std::string& members, const std::string& op = "sine") {
  return ParseBudgets("x.json", UnorderedJson::array({BudgetRow(members, op)}))
      .at(0);
}

TEST(Quantity, IsAProductOfDecimalsPowersOfTwoAndPi) {
  const double pi = 3.14159265358979323846;
  const std::pair<const char*, double> quantities[] = {
      {"2.5", 2.5},
      {"0", 0},
      {"1e-3", 0.001},
      {"-1", -1},
      {"pi", pi},
      {"-pi", -pi},
      {"-2*pi", -2 * pi},
      {"100*pi", 100 * pi},
      {"2^-11", 0x1p-11},
      {"2^126", 0x1p126},
      {"-2^126", -0x1p126},
      {"1.25*2^-22", 1.25 * 0x1p-22},
      {"2^-21.41", 0x1p-22 * std::pow(2, 0.59)}};
  for (const auto& [text, value] : quantities) {
    const auto quantity = ParseQuantity(text);
    ASSERT_TRUE(quantity.has_value()) << text;
    EXPECT_NEAR(quantity->value / (value == 0 ? 1 : value), value == 0 ? 0 : 1,
                1e-15)
        << text;
    EXPECT_EQ(quantity->text, text);
  }
  for (const char* text :
       {"",    "-",    "x",         "2^",    "2^x",   "*",     "2*",
        "*2",  "2**3", "2^-21.41 ", " 1",    "--1",   "2*-pi", "inf",
        "nan", "3^2",  "pi2",       "1e999", "2^2^2", "0x1p3"})
    EXPECT_FALSE(ParseQuantity(text).has_value()) << text;
}

TEST(Budget, ReadsEveryKindOfError) {
  const Budget units = ReadBudget(R"("ulp": 2.5, "ulp_per_operand": 1.173)");
  EXPECT_EQ(units.ulp, 2.5);
  EXPECT_EQ(units.ulp_per_operand, 1.173);
  EXPECT_FALSE(units.IsConstant());
  EXPECT_EQ(units.Text(), "2.5 + floor(1.173 |operand|) ulp");
  const Budget absolute = ReadBudget(R"("absolute": "2^-11")");
  EXPECT_EQ(absolute.absolute.value, 0x1p-11);
  EXPECT_EQ(absolute.ulp, 0);  // the last rounding included
  EXPECT_FALSE(absolute.IsConstant());
  EXPECT_EQ(absolute.Text(), "absolute 2^-11");
  const Budget sum =
      ReadBudget(R"("ulp": 0.5, "absolute": 0.25, "relative": "2^-3")");
  EXPECT_EQ(sum.ulp, 0.5);
  EXPECT_EQ(sum.relative.value, 0.125);
  EXPECT_EQ(sum.Text(), "0.5 ulp + absolute 0.25 + relative 2^-3");
  const Budget of_operand = ReadBudget(
      R"("ulp": 2, "operand_error": {"absolute": "2^-20", "relative": 0.5})",
      "tan");
  EXPECT_EQ(of_operand.operand_absolute.value, 0x1p-20);
  EXPECT_EQ(of_operand.operand_relative.value, 0.5);
  EXPECT_FALSE(of_operand.IsConstant());
  EXPECT_EQ(of_operand.Text(),
            "2 ulp + what an operand that is off by absolute 2^-20 + relative "
            "0.5 gives");
  EXPECT_THAT(
      ReadBudget(R"("operand_error": {"relative": 0.5})", "power").Text(),
      HasSubstr("what a logarithm that is off by relative 0.5 gives"));
  const Budget open = ReadBudget(R"("any": true)");
  EXPECT_TRUE(open.any);
  EXPECT_FALSE(open.IsConstant());
  EXPECT_EQ(open.Text(), "any value");
  const Budget rule = ReadBudget(
      R"("result_accuracy": {"atol": 0.5, "rtol": 0.25, "ulps": 3})");
  EXPECT_TRUE(rule.IsConstant());
  EXPECT_EQ(rule.Text(), "atol 0.5 rtol 0.25 ulps 3");
  EXPECT_TRUE(ReadBudget(R"("ulp": 2)").IsConstant());
  EXPECT_EQ(ReadBudget(R"("ulp": 2)").Text(), "2 ulp");
}

TEST(Budget, HoldsFromEndToEndOfItsIntervals) {
  const Budget everywhere = ReadBudget(R"("ulp": 2)");
  EXPECT_EQ(everywhere.WhereText(), "");
  for (const double x : {0.0, -kInfinity, kNan})
    EXPECT_TRUE(everywhere.Holds(x, x));
  const Budget of_one =
      ReadBudget(R"("where": {"operand": ["-pi", 2]}, "absolute": 1)");
  EXPECT_EQ(of_one.WhereText(), "operand in [-pi, 2]");
  EXPECT_TRUE(of_one.Holds(2, kNan));
  EXPECT_TRUE(of_one.Holds(-3.1415925f, 0));
  EXPECT_TRUE(of_one.Holds(-0.0, 0));
  EXPECT_FALSE(of_one.Holds(std::nextafter(2, 3), 0));
  EXPECT_FALSE(of_one.Holds(-3.1415928f, 0));
  EXPECT_FALSE(of_one.Holds(kNan, 0));
  EXPECT_FALSE(of_one.Holds(kInfinity, 0));
  const Budget of_two = ReadBudget(
      R"("where": {"lhs": [0, 1], "rhs": ["-2^2", "2^2"]}, "ulp": 2)", "power");
  EXPECT_EQ(of_two.WhereText(), "lhs in [0, 1] and rhs in [-2^2, 2^2]");
  EXPECT_TRUE(of_two.Holds(0.5, 4));
  EXPECT_FALSE(of_two.Holds(4, 0.5));
  EXPECT_FALSE(of_two.Holds(0.5, kNan));
}

TEST(Budget, CoversTypesByNameAndByClass) {
  Budget budget;
  budget.ops = {"log", "tan"};
  budget.types = {"narrow", "f64"};
  EXPECT_TRUE(budget.Covers("log", ElementType::kF64));
  EXPECT_TRUE(budget.Covers("tan", ElementType::kF16));
  EXPECT_TRUE(budget.Covers("tan", ElementType::kBF16));
  EXPECT_TRUE(budget.Covers("tan", ElementType::kF4E2M1FN));
  EXPECT_FALSE(budget.Covers("tan", ElementType::kF32));
  EXPECT_FALSE(budget.Covers("tan", ElementType::kI8));
  EXPECT_FALSE(budget.Covers("tan", ElementType::kComplexF64));
  EXPECT_FALSE(budget.Covers("sine", ElementType::kF64));
  budget.types = {"complex"};
  EXPECT_TRUE(budget.Covers("log", ElementType::kComplexF32));
  EXPECT_TRUE(budget.Covers("log", ElementType::kComplexF64));
  EXPECT_FALSE(budget.Covers("log", ElementType::kF64));
}

// Checks the error of the second row of a file.
void ExpectBudgetError(const UnorderedJson& row, const std::string& place,
                       const std::string& reason) {
  EXPECT_THAT(
      [&] {
        ParseBudgets("spec/policies/x.json",
                     UnorderedJson::array({BudgetRow(R"("ulp": 2)"), row}));
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("spec/policies/x.json#/budgets/1" + place),
                HasSubstr(reason))))
      << row.dump();
}

TEST(Budget, AMistakeIsNamedWithItsPlace) {
  const char* const kind = "either errors";
  ExpectBudgetError(BudgetRow(""), "", kind);
  ExpectBudgetError(BudgetRow(R"("ulp": 2, "any": true)"), "", kind);
  ExpectBudgetError(BudgetRow(R"("absolute": 1, "any": true)"), "", kind);
  ExpectBudgetError(BudgetRow(R"("where": {"operand": [0, 1]})"), "", kind);
  ExpectBudgetError(
      BudgetRow(
          R"("ulp": 2, "result_accuracy": {"atol": 0, "rtol": 0, "ulps": 1})"),
      "", kind);
  ExpectBudgetError(BudgetRow(R"("absolute": "2^-21,41")"), "/absolute",
                    "'2^-21,41' is no number");
  ExpectBudgetError(BudgetRow(R"("absolute": 0)"), "/absolute", "above 0");
  ExpectBudgetError(BudgetRow(R"("relative": "-2^-3")"), "/relative",
                    "above 0");
  ExpectBudgetError(BudgetRow(R"("ulp_per_operand": 1, "relative": 1)"),
                    "/ulp_per_operand", "added to 'ulp'");
  ExpectBudgetError(BudgetRow(R"("ulp": 2, "where": {"x": [0, 1]})"),
                    "/where/x", "operands are 'operand', 'lhs' and 'rhs'");
  ExpectBudgetError(BudgetRow(R"("ulp": 2, "where": {"lhs": [0]})"),
                    "/where/lhs", "two ends");
  ExpectBudgetError(BudgetRow(R"("ulp": 2, "where": {"rhs": [0, "tau"]})"),
                    "/where/rhs/1", "'tau' is no number");
  ExpectBudgetError(BudgetRow(R"("ulp": 2, "where": {"operand": ["pi", 3]})"),
                    "/where/operand", "pi is above 3");
  ExpectBudgetError(BudgetRow(R"("operand_error": {"absolute": 1})"),
                    "/operand_error",
                    "results of 'sine' do not follow an error of the operand");
  ExpectBudgetError(BudgetRow(R"("operand_error": {"absolute": 0})", "tan"),
                    "/operand_error/absolute", "above 0");
  ExpectBudgetError(BudgetRow(R"("ulp": 2)", "sine", "f128"), "/types",
                    "'f128' is no element type");
  ExpectBudgetError(BudgetRow(R"("absolute": 1)", "sine", "complex"), "/types",
                    "a number of units only");
  ExpectBudgetError(BudgetRow(R"("any": true)", "sine", "complex<f32>"),
                    "/types", "a number of units only");
  ExpectBudgetError(
      BudgetRow(R"("result_accuracy": {"atol": 0, "rtol": 0, "ulps": 1})",
                "sine", "complex<f64>"),
      "/types", "for floats only");
}

}  // namespace
}  // namespace assay
