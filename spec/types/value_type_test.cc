// Types of values are printed as the text has them, and compared by value.
#include "spec/types/value_type.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(ValueType, IsPrintedAsTheTextHasIt) {
  const TensorType tensor({2, kDynamic}, ElementType::kI8);
  EXPECT_EQ(ValueType(tensor).ToString(), "tensor<2x?xi8>");
  EXPECT_EQ(ValueType(TokenType()).ToString(), "!stablehlo.token");
  EXPECT_EQ(ValueType(TupleType{}).ToString(), "tuple<>");
  EXPECT_EQ(
      ValueType(TupleType{{TupleType{{tensor, TupleType{}}}, TokenType()}})
          .ToString(),
      "tuple<tuple<tensor<2x?xi8>, tuple<>>, !stablehlo.token>");
}

TEST(ValueType, KnowsDynamicDimensionsInside) {
  const TensorType fixed({2}, ElementType::kI8),
      dynamic({kDynamic}, ElementType::kI8);
  EXPECT_TRUE(ValueType(TupleType{{fixed, TokenType()}}).IsStatic());
  EXPECT_FALSE(ValueType(TupleType{{fixed, TupleType{{dynamic}}}}).IsStatic());
  EXPECT_TRUE(ValueType(TokenType()).IsStatic());
}

TEST(ValueType, ComparesQuantizationByValue) {
  const Quantization q{
      ElementType::kI8, ElementType::kF32, -128, 127, {}, {0.5}, {3}};
  TensorType plain({2}, ElementType::kI8), a = plain, b = plain;
  a.quantization = std::make_shared<const Quantization>(q);
  b.quantization = std::make_shared<const Quantization>(q);
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a == plain);
  EXPECT_EQ(a.ToString(), "tensor<2x!quant.uniform<i8:f32, 0.5:3>>");
}

TEST(FunctionType, IsPrintedAsTheTextHasIt) {
  const TensorType i8({}, ElementType::kI8);
  EXPECT_EQ((FunctionType{{i8, i8}, {i8}}).ToString(),
            "(tensor<i8>, tensor<i8>) -> tensor<i8>");
  EXPECT_EQ((FunctionType{{}, {i8, TokenType()}}).ToString(),
            "() -> (tensor<i8>, !stablehlo.token)");
}

}  // namespace
}  // namespace assay
