// Tests pointwise calls: the values of the program that a call stands for, and
// how ranges are carried through it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/flush/flush.h"
#include "oracle/judge.h"
#include "oracle/real/budget_text.h"

namespace assay {
namespace {

using enum ElementType;
using testing::Contains;
using testing::ElementsAre;

struct PointwiseArgument {
  Tensor value;
  bool is_scalar = false;
};

struct PointwiseTestCall {
  Op op;
  std::vector<Tensor> inputs;
};

PointwiseTestCall MakePointwise(const std::string& id,
                                const std::vector<PointwiseArgument>& arguments,
                                const std::string& methods) {
  PointwiseTestCall call;
  call.op.op = id;
  const OpSpec& spec = *FindOp(id);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = spec.inputs[i].name;
    call.op.inputs.push_back(
        {name, name, arguments[i].value.type(), arguments[i].is_scalar});
    call.inputs.push_back(arguments[i].value);
  }
  call.op.attributes = {{"promotion_methods", methods}};
  const auto inferred = InferResultTypes(spec, call.op);
  for (size_t k = 0; k < spec.outputs.size(); ++k)
    call.op.outputs.push_back(
        {spec.outputs[k].name,
         spec.outputs[k].name,
         {*inferred[k].shape, *inferred[k].element_type}});
  return call;
}

Evaluation EvaluateOf(const PointwiseTestCall& call,
                      const char* policy = "assay") {
  return Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kCounted);
}

constexpr const char* kOfBoth = R"([[0, 1, "DEFAULT"]])";

TEST(Pointwise, BroadcastsAndPromotes) {
  const PointwiseTestCall call =
      MakePointwise("pointwise.subtract",
                    {{TensorOfTexts(kF16, {2, 1}, {"1", "2"})},
                     {TensorOfTexts(kF32, {3}, {"0.5", "0x1p-20", "4"})}},
                    kOfBoth);
  const Evaluation evaluation = EvaluateOf(call);
  const Tensor other = TensorOfTexts(
      kF32, {2, 3}, {"0.5", "0x1.fffffep-1", "-3", "1.5", "0x1.fffffp0", "-2"});
  EXPECT_EQ(evaluation.outputs[0].lo.type(), other.type());
  // 1 - 2^-20 and 2 - 2^-20 are exact in f32.
  const Tensor exact = TensorOfTexts(
      kF32, {2, 3}, {"0.5", "0x1.ffffep-1", "-3", "1.5", "0x1.fffffp0", "-2"});
  EXPECT_TRUE(Judge(evaluation.outputs[0], exact).ok());
  EXPECT_FALSE(Judge(evaluation.outputs[0], other).ok());
}

TEST(Pointwise, ComputesInTheComputationTypeAndRoundsOnce) {
  // In f16 the product is infinite; in f32 it is not, and the sum is a number
  // of f16 again.
  const PointwiseTestCall call =
      MakePointwise("pointwise.add_func",
                    {{TensorOfTexts(kF16, {1}, {"-65504"})},
                     {TensorOfTexts(kF16, {1}, {"65504"})},
                     {TensorOfTexts(kF64, {}, {"1.5"}), true}},
                    R"([[0, 1, 2, "DEFAULT"]])");
  EXPECT_EQ(TextOfResult(EvaluateOf(call).outputs[0], 0),
            ExpectedText(kF16, "32752"));
}

struct FreeSum {
  ElementType type;
  const char* x;
  const char* y;
  const char* alpha;
  const char* rounded;  // each op to the type
  const char* freely;   // what policy stablehlo allows as well
  const char* neither;
};

// The calls are x + y * alpha without a promotion of the computation.
TEST(Pointwise, ThePolicyMayLeaveTheRoundingOfAProductFree) {
  const FreeSum sums[] = {
      // The product is 1 + 2^-22 + 2^-46.
      {kF32, "-0x1.000004p0", "0x1.000002p0", "0x1.000002p0", "0", "0x1p-46",
       "0x1p-47"},
      {kF64, "-0x1.0000000000002p0", "0x1.0000000000001p0",
       "0x1.0000000000001p0", "0", "0x1p-104", "0x1p-103"},
      // The product is 1 + 2^-9 + 2^-20.
      {kF16, "-0x1.008p0", "0x1.004p0", "0x1.004p0", "0", "0x1p-20", "0x1p-19"},
      // The product lies between two values; if it is fused, x decides.
      {kBF16, "0x1p-130", "0x1.1p0", "0x1.1p0", "0x1.2p0", "0x1.22p0",
       "0x1.24p0"},
      {kBF16, "-0x1p-130", "0x1.8p0", "0x1.02p0", "0x1.84p0", "0x1.82p0",
       "0x1.8p0"},
      {kF32, "0x1p-100", "0x1.001p0", "0x1.001p0", "0x1.002p0", "0x1.002002p0",
       "0x1.002004p0"},
      // The product overflows in f16.
      {kF16, "-0x1.ffcp15", "0x1p15", "0x1p1", "inf", "0x1p5", "0x1p4"},
  };
  for (const FreeSum& sum : sums) {
    const auto tensor = [&](const char* text) {
      return TensorOfTexts(sum.type, {1}, {text});
    };
    const PointwiseTestCall call =
        MakePointwise("pointwise.add_func",
                      {{tensor(sum.x)}, {tensor(sum.y)}, {tensor(sum.alpha)}},
                      R"([[0, 1, 2, "NO_OPMATH"]])");
    const auto accepts = [&](const char* policy, const char* text) {
      return Judge(EvaluateOf(call, policy).outputs[0], tensor(text)).ok();
    };
    SCOPED_TRACE(sum.x);
    EXPECT_TRUE(accepts("assay", sum.rounded));
    EXPECT_FALSE(accepts("assay", sum.freely));
    EXPECT_TRUE(accepts("stablehlo", sum.rounded));
    EXPECT_TRUE(accepts("stablehlo", sum.freely));
    EXPECT_FALSE(accepts("stablehlo", sum.neither));
  }
}

// The real part is cos(1) 2^-126, the imaginary one sin(1) 2^-126.
TEST(Pointwise, FlushingIsJudgedInEachResult) {
  const PointwiseTestCall call =
      MakePointwise("pointwise.polar",
                    {{TensorOfTexts(kF32, {1}, {"0x1p-126"})},
                     {TensorOfTexts(kF32, {1}, {"1"})}},
                    R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])");
  const auto survivors = [&](const std::string& result, size_t n) {
    return JudgeFlush(call.op, call.inputs, Policy::Find("flush"),
                      TensorOfTexts(kF32, {1}, {result}), n)
        .survivors;
  };
  const FlushSet kept = survivors("0x1.14a28p-127", 0);
  const FlushSet flushed = survivors("0", 0);
  EXPECT_NE(kept, 0u);
  EXPECT_NE(flushed, 0u);
  EXPECT_EQ(kept & flushed, 0u);
  EXPECT_NE(survivors("0x1.aed548p-127", 1), 0u);
  EXPECT_EQ(survivors("0x1.14a28p-127", 1), 0u);
}

// A sine within an absolute error of 0 may be 0, and infinity times 0 is NaN,
// although the ends give infinities.
TEST(Pointwise, ARangeWithZeroWithinMakesNanOfInfinity) {
  const PointwiseTestCall call =
      MakePointwise("pointwise.polar",
                    {{TensorOfTexts(kF32, {2}, {"inf", "2"})},
                     {TensorOfTexts(kF32, {2}, {"1e-24", "1e-24"})}},
                    R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])");
  const auto accepts = [&](const char* policy, const char* imag, int64_t i) {
    const Evaluation evaluation =
        Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kNone);
    return Accepts(evaluation.outputs[1],
                   TensorOfTexts(kF32, {2}, {imag, imag}), i);
  };
  for (const char* right : {"nan", "inf", "-inf"})
    EXPECT_TRUE(accepts("cuda_fast", right, 0)) << right;
  EXPECT_FALSE(accepts("cuda_fast", "nan", 1));
  EXPECT_TRUE(accepts("cuda_fast", "0", 1));
  EXPECT_TRUE(accepts("assay", "inf", 0));
  EXPECT_FALSE(accepts("assay", "nan", 0));
}

TEST(Pointwise, ARangeGoesThroughWhatFollows) {
  const PointwiseTestCall call =
      MakePointwise("pointwise.polar",
                    {{TensorOfTexts(kF64, {2}, {"-3", "0"})},
                     {TensorOfTexts(kF64, {2}, {"1", "1"})}},
                    R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])");
  const Evaluation evaluation = EvaluateOf(call);
  ASSERT_EQ(evaluation.outputs.size(), 2u);
  const PointwiseTestCall cosine =
      MakePointwise("pointwise.cosine", {{TensorOfTexts(kF64, {1}, {"1"})}},
                    R"([[0, "INT_TO_FLOAT"]])");
  const Evaluation of_cosine = EvaluateOf(cosine);
  const auto real = [](const Tensor& tensor, int64_t i) {
    return F64::FromBits(tensor.As<F64>()[i]).ToDouble();
  };
  const Expectation& result = evaluation.outputs[0];
  const Expectation& turn = of_cosine.outputs[0];
  ASSERT_LT(real(turn.lo, 0), real(turn.hi, 0));
  // A negative factor swaps the ends.
  EXPECT_EQ(real(result.lo, 0), -3 * real(turn.hi, 0));
  EXPECT_EQ(real(result.hi, 0), -3 * real(turn.lo, 0));
  EXPECT_EQ(real(result.lo, 1), 0);
  EXPECT_EQ(real(result.hi, 1), 0);
}

// Each result has the row of its own function.
TEST(Pointwise, ARangeThatFollowsFromABudgetRestsOnIt) {
  const PointwiseTestCall polar =
      MakePointwise("pointwise.polar",
                    {{TensorOfTexts(kF32, {2}, {"3", "0"})},
                     {TensorOfTexts(kF32, {2}, {"1", "1"})}},
                    R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])");
  const PointwiseTestCall sum = MakePointwise(
      "pointwise.add",
      {{TensorOfTexts(kF32, {1}, {"1"})}, {TensorOfTexts(kF32, {1}, {"1"})}},
      R"([[0, 1, "DEFAULT"]])");
  const auto basis = [](const PointwiseTestCall& call, int64_t i, size_t n) {
    return BasisOf(call.op, call.inputs, Policy::Find("assay"),
                   EvaluateOf(call).outputs[n], i, nullptr, n)
        .text;
  };
  EXPECT_EQ(basis(polar, 0, 0), "budget");
  EXPECT_EQ(basis(polar, 0, 1), "budget");
  EXPECT_EQ(basis(polar, 1, 0), "text");  // 0 whatever the cosine
  EXPECT_EQ(basis(sum, 0, 0), "text");
  const auto text = [&](size_t output) {
    return BudgetText(polar.op, polar.inputs, Policy::Find("assay"), 0, output);
  };
  EXPECT_EQ(text(0),
            "2 ulp (policy assay): " +
                Policy::Find("assay").FindBudget("cosine", kF32)->reason);
  EXPECT_EQ(text(0), text(1));
}

TEST(Pointwise, AnOpenOperandMakesAnOpenResult) {
  // Division by zero is open, and its converted result stays open.
  const PointwiseTestCall call =
      MakePointwise("pointwise.divide",
                    {{TensorOfTexts(kI8, {2}, {"4", "4"})},
                     {TensorOfTexts(kI8, {2}, {"0", "2"})}},
                    R"([[0, 1, "ALWAYS_BOOL"]])");
  const Expectation result = EvaluateOf(call, "stablehlo").outputs[0];
  EXPECT_TRUE(result.IsOpen(0));
  EXPECT_FALSE(result.IsOpen(1));
  EXPECT_FALSE(EvaluateOf(call).outputs[0].IsOpen(0));
}

TEST(Pointwise, AnOpDoesNotGuessBetweenTheNeighboursOfItsOperands) {
  // 2^24 + 1 has no value in f32, and the product is that of either neighbour.
  // The converted result is one of two values.
  const auto call = [](const char* op, const char* methods) {
    return MakePointwise(op,
                         {{TensorOfTexts(kI32, {2}, {"16777217", "3"})},
                          {TensorOfTexts(kF32, {2}, {"3", "3"})}},
                         methods);
  };
  const Expectation product =
      EvaluateOf(call("pointwise.multiply", R"([[0, 1, "DEFAULT"]])"),
                 "stablehlo")
          .outputs[0];
  EXPECT_TRUE(product.IsOpen(0));
  EXPECT_FALSE(product.IsPartlyOpen(1));
  const PointwiseTestCall narrowed =
      MakePointwise("pointwise.add",
                    {{TensorOfTexts(kF16, {2}, {"1", "1"})},
                     {TensorOfTexts(kF16, {2}, {"0x1p-11", "1"})}},
                    R"([[0, 1, "DEFAULT"]])");
  const Expectation sum = EvaluateOf(narrowed, "stablehlo").outputs[0];
  EXPECT_FALSE(sum.IsPartlyOpen(0));
  EXPECT_TRUE(Accepts(sum, TensorOfTexts(kF16, {2}, {"1", "2"}), 0));
  EXPECT_TRUE(Accepts(sum, TensorOfTexts(kF16, {2}, {"0x3c01", "2"}), 0));
  EXPECT_FALSE(Accepts(sum, TensorOfTexts(kF16, {2}, {"0x3c02", "2"}), 0));
  EXPECT_FALSE(Accepts(sum, TensorOfTexts(kF16, {2}, {"0", "2"}), 0));
}

TEST(Pointwise, ClausesAreThoseOfTheOpsAndOfTheCall) {
  const PointwiseTestCall call =
      MakePointwise("pointwise.add",
                    {{TensorOfTexts(kI8, {2, 1}, {"127", "1"})},
                     {TensorOfTexts(kI8, {1}, {"1"})}},
                    kOfBoth);
  const auto ids = [&](int64_t index) {
    std::vector<std::string> texts;
    for (const DecidingClause& clause :
         ClausesOf(call.op, call.inputs, Policy::Find("assay"), index))
      texts.push_back(clause.Id());
    return texts;
  };
  EXPECT_THAT(ids(0),
              ElementsAre("add/S6", "pointwise/PD-07", "pointwise/PD-22"));
  EXPECT_THAT(ids(1), Contains("add/S2"));
  EXPECT_THAT(SourcesOf(call.op, call.inputs, 1),
              ElementsAre(Source{0, 1}, Source{1, 0}));
}

}  // namespace
}  // namespace assay
