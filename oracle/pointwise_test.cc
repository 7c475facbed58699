// Pointwise calls: the values of the program that a call stands for, and what
// of a range is left after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/float_test_support.h"
#include "oracle/judge.h"

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

TEST(Pointwise, AnAlternativeIsAcceptedWhereThePolicyAllowsIt) {
  const Tensor y = TensorOfTexts(kF32, {1}, {"0x1.000002p0"});
  const PointwiseTestCall call =
      MakePointwise("pointwise.add_func",
                    {{TensorOfTexts(kF32, {1}, {"-0x1.000004p0"})}, {y}, {y}},
                    R"([[0, 1, 2, "DEFAULT"]])");
  const Tensor rounded_twice = TensorOfTexts(kF32, {1}, {"0"});
  const Tensor rounded_once = TensorOfTexts(kF32, {1}, {"0x1p-46"});
  const Tensor between = TensorOfTexts(kF32, {1}, {"0x1p-47"});
  const Evaluation required = EvaluateOf(call);
  EXPECT_TRUE(Judge(required.outputs[0], rounded_twice).ok());
  EXPECT_FALSE(Judge(required.outputs[0], rounded_once).ok());
  const Evaluation allowed = EvaluateOf(call, "stablehlo");
  EXPECT_TRUE(Judge(allowed.outputs[0], rounded_twice).ok());
  EXPECT_TRUE(Judge(allowed.outputs[0], rounded_once).ok());
  EXPECT_FALSE(Judge(allowed.outputs[0], between).ok());
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
  // A negative factor turns the ends around.
  EXPECT_EQ(real(result.lo, 0), -3 * real(turn.hi, 0));
  EXPECT_EQ(real(result.hi, 0), -3 * real(turn.lo, 0));
  EXPECT_EQ(real(result.lo, 1), 0);
  EXPECT_EQ(real(result.hi, 1), 0);
}

TEST(Pointwise, AnOpenOperandMakesAnOpenResult) {
  // Division by zero is open; what is converted of it stays so.
  const PointwiseTestCall call =
      MakePointwise("pointwise.divide",
                    {{TensorOfTexts(kI8, {2}, {"4", "4"})},
                     {TensorOfTexts(kI8, {2}, {"0", "2"})}},
                    R"([[0, 1, "ALWAYS_BOOL"]])");
  const Expectation result = EvaluateOf(call).outputs[0];
  EXPECT_TRUE(result.IsOpen(0));
  EXPECT_FALSE(result.IsOpen(1));
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
  EXPECT_EQ(OperandElement(call.op, 0, 1), 1);
  EXPECT_EQ(OperandElement(call.op, 1, 1), 0);
}

}  // namespace
}  // namespace assay
