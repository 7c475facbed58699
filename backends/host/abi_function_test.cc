// Tests the form of functions that needs no parser.
#include "backends/host/abi_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/host/abi_call.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using testing::ElementsAre;

Function Region(std::string_view text) {
  return ReadRegion("test", "body", text);
}

Function BodyOf(const std::string& op, const std::string& operands) {
  return Region("^bb0(%a: tensor<f32>, %b: tensor<f32>): %0 = stablehlo." + op +
                " " + operands +
                " : tensor<f32> stablehlo.return %0 : tensor<f32>");
}

TEST(MonoidOf, IsTheOpThatIsAllOfAFunction) {
  EXPECT_EQ(MonoidOf(BodyOf("add", "%a, %b")), "add");
  EXPECT_EQ(MonoidOf(BodyOf("minimum", "%a, %b")), "minimum");
  EXPECT_EQ(MonoidOf(BodyOf("add", "%b, %a")), "");
  EXPECT_EQ(MonoidOf(BodyOf("add", "%a, %a")), "");
  EXPECT_EQ(MonoidOf(BodyOf("add", "%a, %outside")), "");
  EXPECT_EQ(MonoidOf(BodyOf("subtract", "%a, %b")), "");
  EXPECT_EQ(MonoidOf(BodyOf("negate", "%a")), "");
  EXPECT_EQ(MonoidOf(Region("^bb0(%a: tensor<f32>, %b: tensor<f32>): "
                            "stablehlo.return %a : tensor<f32>")),
            "");
}

std::vector<int32_t> Numbers(const int32_t* begin, int32_t count) {
  return {begin, begin + count};
}

std::vector<std::string> Texts(const char* const* begin, int32_t count) {
  return {begin, begin + count};
}

TEST(AbiFunctions, NumberTheirValues) {
  const Function function =
      WithCaptures(Region("^bb0(%a: tensor<i8>, %b: tensor<f32>): "
                          "%0 = stablehlo.constant dense<2.5> : tensor<f32> "
                          "%1 = stablehlo.add %b, %0 : tensor<f32> "
                          "%2 = stablehlo.multiply %1, %out : tensor<f32> "
                          "stablehlo.return %a, %2 : tensor<i8>, tensor<f32>"),
                   {{"out", {Shape{}, ElementType::kF32}}});
  AbiValues values;
  AbiFunctions functions(&values);
  AssayFunction abi = {};
  ASSERT_TRUE(functions.Convert(function, &abi));
  EXPECT_THAT(Texts(abi.argument_types, abi.num_arguments),
              ElementsAre("tensor<i8>", "tensor<f32>", "tensor<f32>"));
  ASSERT_EQ(abi.num_ops, 3);
  const AssayFunctionOp& constant = abi.ops[0];
  EXPECT_STREQ(constant.op, "constant");
  ASSERT_EQ(constant.num_attributes, 1);
  const DLTensor& value = constant.attributes[0].value->tensor;
  EXPECT_EQ(*reinterpret_cast<const float*>(
                static_cast<const char*>(value.data) + value.byte_offset),
            2.5f);
  EXPECT_THAT(Numbers(abi.ops[1].inputs, abi.ops[1].num_inputs),
              ElementsAre(1, 3));
  EXPECT_THAT(Numbers(abi.ops[2].inputs, abi.ops[2].num_inputs),
              ElementsAre(4, 2));
  EXPECT_THAT(Texts(abi.ops[2].output_types, abi.ops[2].num_outputs),
              ElementsAre("tensor<f32>"));
  EXPECT_THAT(Numbers(abi.results, abi.num_results), ElementsAre(0, 5));
  EXPECT_EQ(abi.monoid, nullptr);
}

TEST(AbiFunctions, GiveWhatIsCapturedToFunctionsInThem) {
  AbiValues values;
  AbiFunctions functions(&values);
  AssayFunction abi = {};
  ASSERT_TRUE(functions.Convert(Region("^bb0(%p: tensor<i1>, %a: tensor<i8>): "
                                       "%0 = \"stablehlo.if\"(%p) ({ "
                                       "stablehlo.return %a : tensor<i8> }, { "
                                       "%1 = stablehlo.negate %a : tensor<i8> "
                                       "stablehlo.return %1 : tensor<i8> }) "
                                       ": (tensor<i1>) -> tensor<i8> "
                                       "stablehlo.return %0 : tensor<i8>"),
                                &abi));
  ASSERT_EQ(abi.num_ops, 1);
  const AssayFunctionOp& op = abi.ops[0];
  EXPECT_THAT(Numbers(op.inputs, op.num_inputs), ElementsAre(0, 1));
  EXPECT_EQ(op.num_captures, 1);
  ASSERT_EQ(op.num_functions, 2);
  for (int k = 0; k < 2; ++k) EXPECT_EQ(op.functions[k].num_arguments, 1) << k;
  EXPECT_THAT(Numbers(op.functions[0].results, 1), ElementsAre(0));
  EXPECT_THAT(Numbers(op.functions[1].results, 1), ElementsAre(1));
}

TEST(AbiCall, HasFunctionsOnlyIfAllOfThemHaveThatForm) {
  const Function function = BodyOf("add", "%a, %b");
  AbiCall call("reduce");
  call.AddRegion("text", &function);
  ASSERT_NE(call.abi().functions, nullptr);
  EXPECT_STREQ(call.abi().functions[0].monoid, "add");
  call.AddRegion("text", nullptr);
  EXPECT_EQ(call.abi().functions, nullptr);
  EXPECT_EQ(call.abi().num_regions, 2);
}

}  // namespace
}  // namespace assay
