// Tests that a program's sum may be fused with a product where the policy lets
// it, and only there.
#include "oracle/unrounded.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "oracle/control/entry.h"
#include "oracle/control/of_tensors.h"
#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "oracle/program.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

constexpr const char* kSum = R"(func.func @main(%x: tensor<f32>,
    %y: tensor<f32>, %c: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.multiply %x, %y : tensor<f32>
  %n = stablehlo.negate %p : tensor<f32>
  %m = stablehlo.reshape %n : (tensor<f32>) -> tensor<1xf32>
  %o = stablehlo.reshape %m : (tensor<1xf32>) -> tensor<f32>
  %r = stablehlo.subtract %c, %o : tensor<f32>
  func.return %r : tensor<f32>
})";

constexpr const char* kMap = R"(func.func @main(%x: tensor<1xf32>,
    %y: tensor<1xf32>, %c: tensor<1xf32>) -> tensor<1xf32> {
  %r = "stablehlo.map"(%x, %y, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %d: tensor<f32>):
      %p = stablehlo.multiply %a, %b : tensor<f32>
      %s = stablehlo.add %p, %d : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %r : tensor<1xf32>
})";

// Returns the least and the greatest value that the program may give.
std::pair<float, float> Allowed(const char* text, const std::string& policy,
                                float x, float y, float c) {
  const auto main =
      std::make_shared<const Function>(ReadProgram("x", {text, 1}).main());
  Op call;
  call.op = "func.call";
  call.callee = main;
  std::vector<Tensor> inputs;
  for (size_t k = 0; k < 3; ++k) {
    const TypedName& input = main->inputs[k];
    call.inputs.push_back({"operands", input.name, input.type});
    inputs.emplace_back(input.type.tensor());
    inputs.back().SetBits(0, std::bit_cast<uint32_t>(k == 0   ? x
                                                     : k == 1 ? y
                                                              : c));
  }
  call.outputs.push_back(
      {"results", main->results[0].name, main->results[0].type});
  const Evaluation evaluation =
      Evaluate(call, inputs, Policy::Find(policy), Marks::kNone);
  const Expectation& result = evaluation.outputs[0];
  EXPECT_FALSE(result.IsOpen(0));
  float least = INFINITY, greatest = -INFINITY;
  for (const Possible::Range& range : PossibleAt(result, 0).ranges) {
    least =
        std::min(least, std::bit_cast<float>(static_cast<uint32_t>(range.lo)));
    greatest = std::max(greatest,
                        std::bit_cast<float>(static_cast<uint32_t>(range.hi)));
  }
  return {least, greatest};
}

class UnroundedTest : public testing::TestWithParam<const char*> {};

TEST_P(UnroundedTest, ASumMayBeFusedWithAProduct) {
  const float x = 1.1F, y = 1.3F, c = -1.4F;
  const float rounded = x * y, apart = rounded + c;
  const float fused = std::fma(x, y, c);
  ASSERT_NE(apart, fused);
  EXPECT_EQ(Allowed(GetParam(), "assay", x, y, c), std::pair(apart, apart));
  const auto [least, greatest] = Allowed(GetParam(), "stablehlo", x, y, c);
  EXPECT_LE(least, std::min(apart, fused));
  EXPECT_GE(greatest, std::max(apart, fused));
  const float unit = std::nextafter(rounded, 2.0F) - rounded;
  // The product is widened twice, by the negation as well.
  EXPECT_LE(greatest - least, 4 * unit);
}

TEST_P(UnroundedTest, AnExactProductIsWhatItIs) {
  EXPECT_EQ(Allowed(GetParam(), "stablehlo", 3, 5, 0.1F),
            std::pair(15.1F, 15.1F));
}

TEST(Unrounded, ExcessIsOfCertainTypes) {
  const auto may = [](const char* policy, ElementType type) {
    return ExcessPrecision(Policy::Find(policy)).Allows(type);
  };
  EXPECT_FALSE(may("assay", ElementType::kF16));
  EXPECT_TRUE(may("xla", ElementType::kF8E3M4));
  EXPECT_FALSE(may("xla", ElementType::kF32));
  EXPECT_FALSE(may("xla", ElementType::kI8));
  EXPECT_TRUE(may("stablehlo", ElementType::kF32));
  EXPECT_FALSE(may("stablehlo", ElementType::kF64));
}

// log1p(1) is 0.6931, and 0.6875 in f8E3M4: a wider one gives 0.6934 in f16.
TEST(Unrounded, AConversionMayTakeAResultOfAWiderType) {
  ProgramEvaluator evaluator(Policy::Find("xla"));
  const Function main = ReadProgram("x", {R"(
      func.func @main(%x: tensor<f8E3M4>) -> tensor<f16> {
        %l = stablehlo.log_plus_one %x : tensor<f8E3M4>
        %r = stablehlo.convert %l : (tensor<f8E3M4>) -> tensor<f16>
        func.return %r : tensor<f16>
      })",
                                          1})
                            .main();
  Tensor one(main.inputs[0].type.tensor());
  one.SetBits(0, 0x30);
  evaluator.Define(main.inputs[0].name, one);
  for (const Op& op : main.body) evaluator.Keep(op, evaluator.Evaluate(op));
  EXPECT_EQ(evaluator.At(main.body[0].outputs[0].value).ranges.size(), 1u);
  const Possible result = evaluator.At(main.body[1].outputs[0].value);
  EXPECT_THAT(result.ranges,
              testing::Contains(testing::AllOf(
                  testing::Field(&Possible::Range::lo, testing::Le(0x398Cu)),
                  testing::Field(&Possible::Range::hi, testing::Ge(0x398Cu)))));
}

// Returns what x becomes by an op and a conversion to `to`, which may take the
// result of the op as it is in a wider type, under policy xla.
Possible Converted(const std::string& op, const std::string& from,
                   ElementBits x, const std::string& type,
                   const std::string& to) {
  ProgramEvaluator evaluator(Policy::Find("xla"));
  const std::string text =
      "func.func @main(%x: tensor<" + from + ">) -> tensor<" + to +
      "> {\n%l = stablehlo." + op + " %x : (tensor<" + from + ">) -> tensor<" +
      type + ">\n%r = stablehlo.convert %l : (tensor<" + type +
      ">) -> tensor<" + to + ">\nfunc.return %r : tensor<" + to + ">\n}";
  const Function main = ReadProgram("x", {text, 1}).main();
  Tensor operand(main.inputs[0].type.tensor());
  operand.SetBits(0, x);
  evaluator.Define(main.inputs[0].name, operand);
  for (const Op& each : main.body)
    evaluator.Keep(each, evaluator.Evaluate(each));
  return evaluator.At(main.body[1].outputs[0].value);
}

// The tangent of 2 is -2.185, and -2 in f8E5M2.
TEST(Unrounded, AFunctionThatRoundsToItsOperandIsNotExact) {
  const Possible tan = Converted("tan", "f8E5M2", 0x40, "f8E5M2", "f32");
  const auto is_one_value = [](const Possible& possible) {
    return possible.ranges.size() == 1 &&
           possible.ranges[0].lo == possible.ranges[0].hi;
  };
  EXPECT_FALSE(is_one_value(tan));
  EXPECT_TRUE(is_one_value(Converted("tan", "f8E5M2", 0, "f8E5M2", "f32")));
  EXPECT_TRUE(is_one_value(Converted("abs", "f8E5M2", 0x40, "f8E5M2", "f32")));
  EXPECT_TRUE(is_one_value(Converted("convert", "i32", 6, "f8E5M2", "f32")));
  EXPECT_FALSE(is_one_value(Converted("convert", "i32", 9, "f8E5M2", "f32")));
}

// A sum with NaN is NaN, whichever operand it is.
TEST(Unrounded, NanOfAnOperandIsNoNumber) {
  const Function main = ReadProgram("x", {R"(
      func.func @main(%x: tensor<f8E4M3FNUZ>, %y: tensor<f8E4M3FNUZ>)
          -> tensor<f8E4M3FNUZ> {
        %s = stablehlo.add %x, %y : tensor<f8E4M3FNUZ>
        func.return %s : tensor<f8E4M3FNUZ>
      })",
                                          1})
                            .main();
  constexpr ElementBits kNan = 0x80, kGreatest = 0x7F, kOne = 0x40;
  const Op& add = main.body[0];
  EXPECT_FALSE(Unrounded::IsRounded(add, {kNan, kOne}, kNan));
  EXPECT_FALSE(Unrounded::IsRounded(add, {kOne, kNan}, kNan));
  EXPECT_TRUE(Unrounded::IsRounded(add, {kGreatest, kGreatest}, kNan));
}

// 31 is beyond f8E4M3B11FNUZ, which has NaN for it, and beyond f4E2M1FN, which
// has 6; a wider type has 31.
TEST(Unrounded, ANumberBeyondAFormatWithoutInfinityIsNotDecided) {
  for (const char* type : {"f8E4M3B11FNUZ", "f4E2M1FN"})
    EXPECT_EQ(Converted("convert", "i32", 31, type, "f32").kind,
              Possible::Kind::kUndecided)
        << type;
}

// In a function that is applied to columns, what rests on constants is
// unrounded as well, and so is what an op makes of an unrounded operand,
// although it may be exact for the rounded one.
TEST(Unrounded, WhatIsUnroundedStaysSoInAFunction) {
  struct Row {
    const char* type;
    std::vector<float> arguments;
    const char* body;
    float wider;  // what a wider type gives
  };
  const Row rows[] = {{"bf16",
                       {256},
                       R"(%k1 = stablehlo.constant dense<1.0> : tensor<bf16>
          %k2 = stablehlo.constant dense<0.0029296875> : tensor<bf16>
          %k = stablehlo.add %k1, %k2 : tensor<bf16>
          %m = stablehlo.multiply %a, %k : tensor<bf16>
          %q = stablehlo.convert %m : (tensor<bf16>) -> tensor<f32>)",
                       256.75F},
                      {"f32",
                       {1.0000002F},
                       R"(%c = stablehlo.constant dense<1.0000001> : tensor<f32>
          %k = stablehlo.multiply %c, %c : tensor<f32>
          %q = stablehlo.subtract %k, %a : tensor<f32>)",
                       0x1p-46F},
                      {"bf16",
                       {1, 0.0029296875F, 0.5F},
                       R"(%s = stablehlo.add %a, %b : tensor<bf16>
          %m = stablehlo.maximum %s, %c : tensor<bf16>
          %q = stablehlo.convert %m : (tensor<bf16>) -> tensor<f32>)",
                       1.0029296875F},
                      {"bf16",
                       {2, 0.0029296875F, 510},
                       R"(%s = stablehlo.add %a, %b : tensor<bf16>
          %m = stablehlo.add %s, %c : tensor<bf16>
          %q = stablehlo.convert %m : (tensor<bf16>) -> tensor<f32>)",
                       512.0029296875F}};
  for (const Row& row : rows) {
    const bool is_narrow = std::string(row.type) == "bf16";
    std::string names, types, arguments, more;
    std::vector<Tensor> inputs;
    for (size_t k = 0; k < row.arguments.size(); ++k) {
      const std::string name(1, static_cast<char>('a' + k));
      const std::string comma = k == 0 ? "" : ", ";
      names += comma + "%x" + name;
      types += comma + "tensor<" + row.type + ">";
      arguments += comma + "%x" + name + ": tensor<" + row.type + ">";
      more += comma + "%" + name + ": tensor<" + row.type + ">";
    }
    const std::string text =
        "func.func @main(" + arguments +
        ") -> tensor<f32> {\n%r = \"stablehlo.map\"(" + names +
        ") <{dimensions = array<i64>}> ({\n^bb0(" + more + "):\n" + row.body +
        "\nstablehlo.return %q : tensor<f32>\n}) : (" + types +
        ") -> tensor<f32>\nfunc.return %r : tensor<f32>\n}";
    const Program program = ReadProgram("x", {text, 1});
    const std::shared_ptr<const Function> main = OfTensors(program.main());
    for (size_t k = 0; k < row.arguments.size(); ++k) {
      inputs.emplace_back(main->inputs[k].type.tensor());
      const auto bits = std::bit_cast<uint32_t>(row.arguments[k]);
      inputs.back().SetBits(0, is_narrow ? bits >> 16 : bits);
    }
    Tensor wider(main->results[0].type.tensor());
    wider.SetBits(0, std::bit_cast<uint32_t>(row.wider));
    const auto allows = [&](const char* policy) {
      return Judge(Evaluate(CallOf(main), inputs, Policy::Find(policy),
                            Marks::kNone)
                       .outputs[0],
                   wider)
          .ok();
    };
    EXPECT_TRUE(allows("xla")) << row.body;
    EXPECT_TRUE(allows("stablehlo")) << row.body;
    EXPECT_FALSE(allows("assay")) << row.body;
  }
}

// An op that is exact in its own type is so in a wider one, and bits that are
// taken for another type were rounded.
TEST(Unrounded, ExactResultsAreOneValue) {
  const auto is_one_value = [](const Possible& possible) {
    return possible.ranges.size() == 1 &&
           possible.ranges[0].lo == possible.ranges[0].hi;
  };
  for (const char* op : {"floor", "sign", "round_nearest_even"})
    EXPECT_TRUE(is_one_value(Converted(op, "bf16", 0x4020, "bf16", "f32")))
        << op;
  EXPECT_FALSE(is_one_value(Converted("sqrt", "bf16", 0x4020, "bf16", "f32")));
}

// 1.0078125 squared is 1.01568603515625, and 1.015625 in bf16. Ops that pass a
// product on, or have it in a function, hand it on unrounded.
TEST(Unrounded, ProductsReachAConversionThroughOtherOps) {
  const char* bodies[] = {
      "%r = stablehlo.reshape %p : (tensor<bf16>) -> tensor<bf16>",
      "%r = stablehlo.select %t, %p, %x : tensor<i1>, tensor<bf16>",
      "%r = func.call @square(%x) : (tensor<bf16>) -> tensor<bf16>",
      R"(%r = "stablehlo.map"(%x) <{dimensions = array<i64>}> ({
           ^bb0(%a: tensor<bf16>):
             %s = stablehlo.multiply %a, %a : tensor<bf16>
             stablehlo.return %s : tensor<bf16>
         }) : (tensor<bf16>) -> tensor<bf16>)",
      R"(%c = stablehlo.tuple %x, %p : tuple<tensor<bf16>, tensor<bf16>>
         %r = stablehlo.get_tuple_element %c[1] :
              (tuple<tensor<bf16>, tensor<bf16>>) -> tensor<bf16>)",
      R"(%q, %r = stablehlo.optimization_barrier %x, %p :
                  tensor<bf16>, tensor<bf16>)"};
  for (const char* body : bodies) {
    const std::string text = std::string(R"(
      func.func @main(%x: tensor<bf16>, %t: tensor<i1>) -> tensor<f32> {
        %p = stablehlo.multiply %x, %x : tensor<bf16>
        )") + body + R"(
        %f = stablehlo.convert %r : (tensor<bf16>) -> tensor<f32>
        func.return %f : tensor<f32>
      }
      func.func private @square(%y: tensor<bf16>) -> tensor<bf16> {
        %s = stablehlo.multiply %y, %y : tensor<bf16>
        func.return %s : tensor<bf16>
      })";
    const Program program = ReadProgram("x", {text, 1});
    const std::shared_ptr<const Function> main = OfTensors(program.main());
    Op call = CallOf(main);
    Tensor x(main->inputs[0].type.tensor()), yes(main->inputs[1].type.tensor());
    x.SetBits(0, 0x3F81);
    yes.SetBits(0, 1);
    const auto allows = [&](const char* policy, float value) {
      Tensor actual(main->results[0].type.tensor());
      actual.SetBits(0, std::bit_cast<uint32_t>(value));
      return Judge(Evaluate(call, {x, yes}, Policy::Find(policy), Marks::kNone)
                       .outputs[0],
                   actual)
          .ok();
    };
    EXPECT_TRUE(allows("xla", 1.01568603515625F)) << body;
    EXPECT_FALSE(allows("assay", 1.01568603515625F)) << body;
    EXPECT_TRUE(allows("assay", 1.015625F)) << body;
    EXPECT_FALSE(allows("xla", 1.0F)) << body;
  }
}

INSTANTIATE_TEST_SUITE_P(, UnroundedTest, testing::Values(kSum, kMap));

}  // namespace
}  // namespace assay
