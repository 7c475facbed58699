// Tests what a failure of a program's result says of the ops behind it.
#include "oracle/program_trace.h"

#include <gmock/gmock.h>

#include <bit>
#include <memory>
#include <string>

#include "oracle/control/entry.h"
#include "oracle/judge.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Tensor OfFloats(const std::vector<float>& values) {
  Tensor tensor(
      TensorType{{static_cast<int64_t>(values.size())}, ElementType::kF32});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), std::bit_cast<uint32_t>(values[i]));
  return tensor;
}

// A program of one argument, and what it may return for that.
struct ProgramOn {
  ProgramOn(const std::string& body, const Tensor& x) : inputs{x} {
    const std::string text =
        "func.func @main(%x: tensor<2xf32>) -> "
        "tensor<2xf32> {\n" +
        body + "\n}";
    call = CallOf(std::make_shared<const Function>(
        ReadProgram("x.mlir", {text, 1}).main()));
    evaluation = Evaluate(call, inputs, policy, Marks::kNone);
  }
  std::string ExplanationOf(const Tensor& wrong) const {
    const Expectation& expectation = evaluation.outputs[0];
    return Explain(call, inputs, policy, expectation, wrong,
                   Judge(expectation, wrong));
  }

  const Policy& policy = Policy::Find("assay");
  std::vector<Tensor> inputs;
  Op call;
  Evaluation evaluation;
};

TEST(ProgramTrace, NamesOpsAndArgumentsFromTheResultOn) {
  const ProgramOn program(R"(
  %n = stablehlo.negate %x : tensor<2xf32>
  %r = stablehlo.abs %n : tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                          OfFloats({1, -2}));
  EXPECT_THAT(
      program.ExplanationOf(OfFloats({1, -2})),
      HasSubstr("the first comes about by\n"
                "    %r[1] = abs(operand = %n[1]): 2 = 0x1p+1 (0x40000000)\n"
                "    %n[1] = negate(operand = %x[1]): 2 = 0x1p+1 (0x40000000)\n"
                "    %x[1] = -2 = -0x1p+1 (0xc0000000)"));
  const ProgramTrace trace(program.call, program.inputs, program.policy);
  const Basis basis = trace.BasisOf(0, 1);
  ASSERT_EQ(basis.clauses.size(), 1);
  EXPECT_THAT(basis.clauses[0].Id(), StartsWith("abs/"));
  EXPECT_EQ(basis.text, "text");
}

TEST(ProgramTrace, ABudgetIsThatOfTheOpThatHasOne) {
  const ProgramOn of_op(R"(
  %n = stablehlo.negate %x : tensor<2xf32>
  %r = stablehlo.exponential %n : tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                        OfFloats({1, 2}));
  EXPECT_THAT(of_op.ExplanationOf(OfFloats({9, 9})),
              HasSubstr("basis budget 2 ulp (policy assay)"));
  const ProgramOn before_op(R"(
  %e = stablehlo.exponential %x : tensor<2xf32>
  %r = stablehlo.negate %e : tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                            OfFloats({1, 2}));
  EXPECT_THAT(before_op.ExplanationOf(OfFloats({9, 9})),
              HasSubstr("%e[0] = exponential(operand = %x[0]): 2.71"));
}

// The op that gives the element is defined, and what it rests on is not.
TEST(ProgramTrace, APolicyIsThatOfTheOpWhoseElementItDecides) {
  const ProgramOn program(R"(
  %z = stablehlo.constant dense<0.0> : tensor<2xf32>
  %i = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  %f = stablehlo.convert %i : (tensor<2xi8>) -> tensor<2xf32>
  %r = stablehlo.add %f, %z : tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                          OfFloats({300, 3}));
  const ProgramTrace trace(program.call, program.inputs, program.policy);
  const Basis of_policy = trace.BasisOf(0, 0);
  EXPECT_EQ(of_policy.text, "policy:float_to_integer");
  ASSERT_EQ(of_policy.clauses.size(), 2);
  EXPECT_THAT(of_policy.clauses[0].Id(), StartsWith("add/"));
  EXPECT_THAT(of_policy.clauses[1].Id(), StartsWith("convert/"));
  EXPECT_EQ(trace.BasisOf(0, 1).text, "text")
      << "its neighbour alone is out of the range of i8";
  EXPECT_THAT(program.ExplanationOf(OfFloats({7, 3})),
              HasSubstr("\n  basis policy:float_to_integer = "));
}

TEST(ProgramTrace, APolicyIsThatOfAValueThatABranchCaptures) {
  const ProgramOn program(R"(
  %i = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = "stablehlo.if"(%t) ({
    %f = stablehlo.convert %i : (tensor<2xi8>) -> tensor<2xf32>
    stablehlo.return %f : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                          OfFloats({300, 3}));
  const ProgramTrace trace(program.call, program.inputs, program.policy);
  EXPECT_EQ(trace.BasisOf(0, 0).text, "policy:float_to_integer");
  EXPECT_EQ(trace.BasisOf(0, 1).text, "policy:float_to_integer")
      << "a branch may read all of what it captures";
}

// Each element of the branch may read all that it captures: the walk is cut
// where it would visit 10^10 elements.
TEST(ProgramTrace, WhatRestsOnVeryManyIsByAnyPolicyOfTheProgram) {
  const auto basis = [](const std::string& converted) {
    const ProgramOn program(R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2x)" +
                                converted + R"(>
  %b = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xf32>) -> tensor<2x100000xf32>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %c = "stablehlo.if"(%t) ({
    %a = stablehlo.abs %b : tensor<2x100000xf32>
    stablehlo.return %a : tensor<2x100000xf32>
  }, {
    stablehlo.return %b : tensor<2x100000xf32>
  }) : (tensor<i1>) -> tensor<2x100000xf32>
  %r = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x100000xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                            OfFloats({300, 3}));
    return ProgramTrace(program.call, program.inputs, program.policy)
        .BasisOf(0, 1)
        .text;
  };
  EXPECT_EQ(basis("i8"), "policy:float_to_integer");
  EXPECT_EQ(basis("i32"), "text") << "no policy decides an element";
}

TEST(ProgramTrace, IsCut) {
  const ProgramOn program(R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xf32>) -> tensor<2x20xf32>
  %r = stablehlo.reduce(%b init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x20xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %r : tensor<2xf32>)",
                          OfFloats({1, 2}));
  const std::string text = program.ExplanationOf(OfFloats({2, 2}));
  EXPECT_THAT(text, HasSubstr("%b[0, 3], ..): 1 = "));
  EXPECT_THAT(text, HasSubstr("\n    %x[0] = 1 = "));
}

}  // namespace
}  // namespace assay
