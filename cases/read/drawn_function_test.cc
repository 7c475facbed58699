// Tests of functions of StableHLO text that check nothing: they are cases with
// drawn values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/read/mlir_cases.h"
#include "cases/run/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class DrawnFunctionTest : public testing::Test {
 protected:
  std::vector<Case> Read(const std::string& text) {
    left_out_.clear();
    return ReadMlirCases("some/mine.mlir", text, options_, &left_out_);
  }
  std::string LeftOutOf(const std::string& text) {
    const std::vector<Case> cases = Read(text);
    // What is left out may be verified instead.
    for (const Case& c : cases) {
      if (c.verified_text && !c.MustBeRefused()) return c.unjudged;
    }
    EXPECT_THAT(cases, IsEmpty());
    EXPECT_EQ(left_out_.size(), 1u);
    return left_out_.at(0).subject;
  }

  ReadOptions options_;
  std::vector<LeftOut> left_out_;
};

constexpr char kMain[] = R"(
  func.func private @twice(%x: tensor<64xf32>) -> tensor<64xf32> {
    %y = stablehlo.add %x, %x : tensor<64xf32>
    func.return %y : tensor<64xf32>
  }
  func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<i8>) -> (tensor<64xf32>, tensor<i8>, tensor<64xf32>) {
    %one = stablehlo.constant dense<1.0> : tensor<64xf32>
    %0 = func.call @twice(%a) : (tensor<64xf32>) -> tensor<64xf32>
    %1 = stablehlo.multiply %0, %b : tensor<64xf32>
    %2 = stablehlo.subtract %1, %one : tensor<64xf32>
    func.return %2, %c, %2 : tensor<64xf32>, tensor<i8>, tensor<64xf32>
  })";

TEST_F(DrawnFunctionTest, MainIsACaseWithDrawnArguments) {
  const std::vector<Case> cases = Read(kMain);
  ASSERT_EQ(cases.size(), 1u) << CountsOf(left_out_);
  const Case& c = cases[0];
  EXPECT_EQ(c.name, "mine/main");
  EXPECT_EQ(c.op, "subtract") << "it computes the first result";
  EXPECT_THAT(c.expect, IsEmpty());
  EXPECT_EQ(c.source, "");
  EXPECT_THAT(c.program.main().body,
              ElementsAre(Field(&Op::op, "add"), Field(&Op::op, "multiply"),
                          Field(&Op::op, "subtract")));
  EXPECT_EQ(c.program.main().results.size(), 2u) << "each value once";
  ASSERT_EQ(c.inputs.size(), 4u) << "three arguments and a constant";
  RequireConstraints(c);
  const auto* first = std::get_if<DrawRandom>(&c.inputs[0].data.source);
  const auto* second = std::get_if<DrawRandom>(&c.inputs[1].data.source);
  ASSERT_TRUE(first != nullptr && second != nullptr);
  EXPECT_EQ(first->profile, DrawRandom::Profile::kOrdinary);
  // The difference of two arguments must not be zero throughout.
  EXPECT_EQ(first->seed, 0u);
  EXPECT_EQ(second->seed, 1u);
  EXPECT_EQ(c.inputs[3].data.Materialise().Bits(7), 0x3f800000u);
  EXPECT_NE(c.inputs[0].data.Materialise().Bits(0),
            c.inputs[1].data.Materialise().Bits(0));
}

TEST_F(DrawnFunctionTest, TheOnlyFunctionIsACase) {
  const std::vector<Case> cases = Read(R"(func.func @f(%a: tensor<i8>) {
    %0 = stablehlo.abs %a : tensor<i8>
    func.return
  })");
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].name, "mine/f");
  EXPECT_EQ(cases[0].op, "abs") << "the last op, as nothing is returned";
}

TEST_F(DrawnFunctionTest, BesideAFunctionThatChecksNothingIsDrawn) {
  const std::vector<Case> cases = Read(std::string(kMain) + R"(
  func.func @checks() {
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = stablehlo.abs %a : tensor<i8>
    check.expect_eq_const %b, dense<1> : tensor<i8>
    func.return
  })");
  EXPECT_THAT(cases, ElementsAre(Field(&Case::name, "mine/checks")));
}

TEST_F(DrawnFunctionTest, AnotherDialectsConstantIsOneToo) {
  const std::string text = R"(func.func @f(%a: tensor<i8>) {
    %c = arith.constant dense<1> : tensor<i8>
    %0 = stablehlo.add %a, %c : tensor<i8>
    %1 = "stablehlo.map"(%0) ({
    ^bb0(%x: tensor<i8>):
      %d = arith.constant dense<2> : tensor<i8>
      %y = stablehlo.multiply %x, %d : tensor<i8>
      stablehlo.return %y : tensor<i8>
    }) {dimensions = array<i64>} : (tensor<i8>) -> tensor<i8>
    func.return
  })";
  const std::vector<Case> cases = Read(text);
  ASSERT_EQ(cases.size(), 1u) << CountsOf(left_out_);
  EXPECT_EQ(cases[0].inputs.at(1).data.Materialise().Bits(0), 1u);
  // One that is no tensor has another type than any op here takes.
  EXPECT_EQ(LeftOutOf(R"(func.func @f() {
    %c = arith.constant 1 : i32
    func.return
  })"),
            "arith.constant");
}

TEST_F(DrawnFunctionTest, WhatCasesDoNotHaveIsLeftOut) {
  const auto takes = [](const std::string& type) {
    return "func.func @f(%a: " + type + ") {\n" +
           "%0 = stablehlo.optimization_barrier %a : " + type +
           "\nfunc.return\n}";
  };
  EXPECT_EQ(LeftOutOf(takes("tensor<?xi8>")), "dynamic shapes");
  EXPECT_EQ(LeftOutOf(takes("!stablehlo.token")),
            "arguments that are no tensors");
  EXPECT_EQ(LeftOutOf(takes("tensor<2x!quant.uniform<i8:f32, 0.5>>")),
            "quantized types");
  EXPECT_EQ(LeftOutOf(takes("tensor<2xindex>")), "tensors of index");
  EXPECT_EQ(LeftOutOf(takes("tensor<*xi8>")), "tensors without a rank");
  EXPECT_EQ(LeftOutOf("func.func @f() { func.return }"),
            "functions without ops");
  EXPECT_EQ(LeftOutOf("func.func private @f()"), "functions without a body");
  EXPECT_EQ(LeftOutOf("func.func @f() { func.return }\n"
                      "func.func @g() { func.return }"),
            "modules without checks and @main");
  const std::string wrong = R"(func.func @f(%a: tensor<i8>) {
    %0 = "stablehlo.abs"(%a) : (tensor<i8>) -> tensor<i16>
    func.return
  })";
  EXPECT_EQ(LeftOutOf(wrong), "violated constraints");
  EXPECT_EQ(Read(wrong).at(0).where, "some/mine.mlir:2:10");
  options_.memory_limit = 100;
  EXPECT_EQ(LeftOutOf(takes("tensor<101xi8>")), "more memory than is allowed");
}

TEST_F(DrawnFunctionTest, WhatIsNoStableHloIsAnError) {
  EXPECT_THAT(
      [&] {
        Read("func.func @f(%a: tensor<i8>) {\nfunc.return %b : tensor<i8>\n}");
      },
      ThrowsMessage<InputError>(HasSubstr("some/mine.mlir:2:")));
  std::string many = "func.func @f(%a0: tensor<i8>";
  for (int i = 1; i < 5000; ++i)
    many += ", %a" + std::to_string(i) + ": tensor<i8>";
  EXPECT_EQ(LeftOutOf(many + ") { func.return }"),
            "functions of too many statements");
}

}  // namespace
}  // namespace assay
