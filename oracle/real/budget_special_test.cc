// Tests what budgets leave open, what policy cuda_fast accepts for special
// values, and how budgets are printed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/error_measure.h"
#include "oracle/judge.h"
#include "oracle/real/budget_test_support.h"
#include "oracle/real/budget_text.h"

namespace assay {
namespace {

using enum ElementType;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Budget, WhatIsOpenIsCountedAndTheRestIsNot) {
  const Policy& policy = Policy::Find("cuda_fast");
  // These are beyond 100 pi; special values are as everywhere.
  const FloatCall call = MakeFloatCall(
      "sine", {RowOfTexts(kF32, {"314", "315", "-1e10", "inf", "nan", "0"})},
      TensorType{{6}, kF32});
  const Expectation e =
      Evaluate(call.op, call.inputs, policy, Marks::kNone).outputs[0];
  const Judgement anything = Judge(
      e, RowOfTexts(kF32, {"-0.1585929", "inf", "nan", "nan", "nan", "0"}));
  EXPECT_TRUE(anything.ok());
  EXPECT_EQ(anything.open, 2);
  const Judgement wrong =
      Judge(e, RowOfTexts(kF32, {"0", "7", "7", "7", "7", "-0"}));
  EXPECT_EQ(wrong.failed, 4);
  EXPECT_EQ(wrong.first_failed, 0);
  EXPECT_EQ(AllowedText(e, 1), "any value");
  const Basis basis = BasisOf(call.op, call.inputs, policy, e, 1);
  EXPECT_EQ(basis.text, "budget");
  EXPECT_EQ(BasisOf(call.op, call.inputs, policy, e, 3).text, "text");
  // There is no number of units, and no real value to measure.
  EXPECT_EQ(e.reals->budget, 0);
}

// Under policy division_by_reciprocal, the reciprocal of a divisor above 2^126
// may be flushed.
TEST(Budget, AReciprocalThatIsFlushedGivesAZeroOrNan) {
  const auto accepted = [](ElementType type, double x, double y,
                           const std::string& result) {
    const Expectation e = ExpectedByFast("divide", type, {x, y});
    EXPECT_FALSE(e.IsOpen(0));
    return Judge(e, RowOfTexts(type, {result})).ok();
  };
  for (const ElementType type : {kF32, kBF16}) {
    EXPECT_TRUE(accepted(type, 3, 0x1.8p126, "0x1p-125"));
    EXPECT_TRUE(accepted(type, 3, 0x1.8p126, "0"));
    EXPECT_FALSE(accepted(type, 3, 0x1.8p126, "-0"));
    EXPECT_FALSE(accepted(type, 3, 0x1.8p126, "nan"));
    EXPECT_FALSE(accepted(type, 3, 0x1.8p126, "0x1p-126"));
    EXPECT_TRUE(accepted(type, -3, 0x1.8p126, "-0"));
    EXPECT_TRUE(accepted(type, 3, -0x1p127, "-0"));
    EXPECT_FALSE(accepted(type, 3, -0x1p127, "0"));
    EXPECT_FALSE(accepted(type, 0x1p100, 0x1p126, "0"));
    EXPECT_TRUE(accepted(type, HUGE_VAL, 0x1p127, "inf"));
    EXPECT_TRUE(accepted(type, HUGE_VAL, 0x1p127, "nan"));
    EXPECT_FALSE(accepted(type, HUGE_VAL, 0x1p127, "0"));
    EXPECT_FALSE(accepted(type, HUGE_VAL, 0x1p126, "nan"));
    EXPECT_FALSE(accepted(type, -0.0, 0x1p127, "0"));
    EXPECT_FALSE(accepted(type, 5, HUGE_VAL, "nan"));
  }
  const Expectation e = ExpectedByFast("divide", kF32, {3, 0x1.8p126});
  EXPECT_THAT(AllowedText(e, 0), HasSubstr(" or +0"));
  // No error of the quotient is measured where it may be something else.
  EXPECT_EQ(MeasureErrors(e, RowOfTexts(kF32, {"0"})).errors.elements, 0);
  const Expectation below = ExpectedByFast("divide", kF32, {3, 0x1.8p125});
  EXPECT_EQ(
      MeasureErrors(below, RowOfTexts(kF32, {"0x1p-124"})).errors.elements, 1);
  // f8E8M0FNU has no zero, and its least value is next to it.
  EXPECT_TRUE(accepted(kF8E8M0FNU, 0x1p120, 0x1p127, "0x1p-127"));
  EXPECT_TRUE(accepted(kF8E8M0FNU, 0x1p120, 0x1p127, "0x1p-7"));
  EXPECT_FALSE(accepted(kF8E8M0FNU, 0x1p120, 0x1p127, "0x1p-8"));
}

// Policy power_by_logarithm accepts what 2^(y log2(x)) gives in f32's
// arithmetic.
TEST(Budget, PowersHaveTheSpecialValuesOfTheirFormula) {
  const double special[] = {0.0, -0.0, 1,        -1,        2,  -2,
                            0.5, -3,   HUGE_VAL, -HUGE_VAL, NAN};
  const double exponents[] = {0.0, -0.0, 1,    -1,       2,         -2, 3,
                              -3,  0.5,  -0.5, HUGE_VAL, -HUGE_VAL, NAN};
  for (const ElementType type : {kF32, kF16, kF8E5M2, kF64}) {
    for (const double x : special) {
      for (const double y : exponents) {
        const double ieee = std::pow(x, y);
        const double formula = std::exp2(y * std::log2(x));
        const Expectation e = ExpectedByFast("power", type, {x, y});
        const auto accepts = [&](double value) {
          Tensor actual(e.lo.type());
          VisitKinds<kFloats>(type, [&]<class T>() {
            actual.SetBits(0, T::Round(value).value.ToBits());
          });
          return Judge(e, actual).ok();
        };
        const auto same = [](double a, double b) {
          return std::isnan(a) ? std::isnan(b)
                               : a == b && std::signbit(a) == std::signbit(b);
        };
        SCOPED_TRACE(fmt::format("{} {} {}", Name(type), x, y));
        EXPECT_TRUE(accepts(ieee));
        EXPECT_FALSE(e.IsOpen(0));
        for (const double other : {double{NAN}, 0.0, -0.0, HUGE_VAL, -HUGE_VAL})
          EXPECT_EQ(accepts(other),
                    same(other, ieee) || (type != kF64 && same(other, formula)))
              << other;
      }
    }
  }
  // A format without NaN accepts what the policy says about NaN.
  const Expectation e = ExpectedByFast("power", kF4E2M1FN, {-2, 2});
  EXPECT_TRUE(Judge(e, RowOfTexts(kF4E2M1FN, {"4"})).ok());
  EXPECT_TRUE(Judge(e, RowOfTexts(kF4E2M1FN, {"0"})).ok());
  EXPECT_FALSE(Judge(e, RowOfTexts(kF4E2M1FN, {"-0"})).ok());
  EXPECT_FALSE(Judge(e, RowOfTexts(kF4E2M1FN, {"3"})).ok());
  // A format without infinities accepts its largest value.
  const Expectation pole = ExpectedByFast("power", kF4E2M1FN, {-0.0, -1});
  EXPECT_TRUE(Judge(pole, RowOfTexts(kF4E2M1FN, {"-6"})).ok());
  EXPECT_TRUE(Judge(pole, RowOfTexts(kF4E2M1FN, {"6"})).ok());
  EXPECT_FALSE(Judge(pole, RowOfTexts(kF4E2M1FN, {"0"})).ok());
}

// A call that is made of another op has the budget of that, in another type.
TEST(Budget, OfAPointwiseCallIsCarriedThroughConversions) {
  const Policy& policy = Policy::Find("cuda_fast");
  const auto call = [&](const char* op, ElementType type, const char* x,
                        const char* y) {
    return MakeFloatCall(op, {RowOfTexts(type, {x}), RowOfTexts(type, {y})},
                         {{1}, type},
                         {{"promotion_methods", R"([[0, 1, "DEFAULT"]])"}});
  };
  const auto accepts = [&](const FloatCall& c, const char* result) {
    const Expectation e =
        Evaluate(c.op, c.inputs, policy, Marks::kCounted).outputs[0];
    EXPECT_FALSE(e.IsOpen(0));
    return Judge(e, RowOfTexts(e.lo.element_type(), {result})).ok();
  };
  const FloatCall quotient = call("pointwise.divide", kBF16, "-3", "0x1.8p126");
  EXPECT_TRUE(accepts(quotient, "-0x1p-125"));
  EXPECT_TRUE(accepts(quotient, "-0"));
  EXPECT_FALSE(accepts(quotient, "0"));
  for (const ElementType type : {kBF16, kF16}) {
    const FloatCall power = call("pointwise.power", type, "-2", "2");
    EXPECT_TRUE(accepts(power, "4"));
    EXPECT_TRUE(accepts(power, "nan"));
    EXPECT_FALSE(accepts(power, "2"));
  }
  const FloatCall narrow = call("pointwise.power", kF4E2M1FN, "-2", "2");
  EXPECT_TRUE(accepts(narrow, "4"));
  EXPECT_TRUE(accepts(narrow, "0"));
  EXPECT_FALSE(accepts(narrow, "3"));
}

TEST(BudgetText, IsTheOpsOwnBeforeThePolicys) {
  FloatCall call =
      MakeFloatCall("tanh", {RowOfTexts(kF32, {"1"})}, TensorType{{1}, kF32});
  const Policy& policy = Policy::Find("assay");
  EXPECT_THAT(BudgetLines(call.op, policy),
              testing::ElementsAre(HasSubstr("3.5 ulp (policy assay): ")));
  EXPECT_EQ(BudgetText(call.op, call.inputs, policy, 0),
            BudgetLines(call.op, policy)[0]);
  call.op.result_accuracy = ResultAccuracy{0.5, 0.25, 3};
  EXPECT_THAT(
      BudgetLines(call.op, policy),
      testing::ElementsAre("result_accuracy atol 0.5 rtol 0.25 ulps 3"));
}

// The operand's type decides whether a call made of others has a budget: its
// result for real numbers is exact.
TEST(BudgetText, OfAPointwiseCallIsThatOfItsStep) {
  Op op;
  op.op = "pointwise.abs";
  op.inputs.push_back({"operand", "operand", {{1}, kComplexF32}});
  op.outputs.push_back({"result", "result", {{1}, kF32}});
  op.attributes = {{"promotion_methods", R"([[0, "COMPLEX_TO_FLOAT"]])"}};
  const Policy& policy = Policy::Find("assay");
  Op step;
  step.op = "abs";
  step.inputs = op.inputs;
  EXPECT_EQ(BudgetLines(op, policy), BudgetLines(step, policy));
}

TEST(BudgetText, OfAnOpOfControlIsThatOfOthers) {
  const Policy& policy = Policy::Find("assay");
  Op barrier;
  barrier.op = "optimization_barrier";
  barrier.inputs.push_back({"operand", "x", {{1}, kF32}});
  barrier.outputs.push_back({"result", "y", {{1}, kF32}});
  EXPECT_THAT(BudgetLines(barrier, policy),
              testing::ElementsAre("of an op before it"));
  Op branch = barrier;
  branch.op = "if";
  branch.regions.resize(2);
  EXPECT_THAT(BudgetLines(branch, policy),
              testing::ElementsAre("of an op in its functions"));
}

TEST(BudgetText, HasALineForEachPartAndTheElementsOwn) {
  const FloatCall call =
      MakeFloatCall("sine", {RowOfTexts(kF32, {"1", "-4", "300", "1e9"})},
                    TensorType{{4}, kF32});
  const Policy& policy = Policy::Find("cuda_fast");
  const std::vector<std::string> lines = BudgetLines(call.op, policy);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines[0],
              AllOf(HasSubstr("operand in [-pi, pi]: absolute 2^-21.41"),
                    HasSubstr("(policy cuda_fast): __sinf(x)")));
  EXPECT_THAT(lines[3], testing::StartsWith("any value (policy cuda_fast): "));
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(BudgetText(call.op, call.inputs, policy, i),
              lines[static_cast<size_t>(i)]);
}

}  // namespace
}  // namespace assay
