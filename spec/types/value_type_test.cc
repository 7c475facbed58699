// Types of values are read as they are printed; what is no type is refused with
// a reason.
#include "spec/types/value_type.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::HasSubstr;

TEST(ValueType, IsReadAsItIsPrinted) {
  for (const std::string text :
       {"tensor<2x?xi8>", "tensor<f32>", "!stablehlo.token", "tuple<>",
        "tuple<tensor<i1>, !stablehlo.token>",
        "tuple<tuple<tensor<2xcomplex<f32>>, tuple<>>, tensor<0xi4>>"}) {
    std::string reason;
    const auto type = ParseValueType(text, &reason);
    ASSERT_TRUE(type) << text << ": " << reason;
    EXPECT_EQ(type->ToString(), text);
  }
}

TEST(ValueType, OfAnotherKindOrTextIsRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {"token", "expected tensor<..>"},
      {"tuple<tensor<2xi8>, >", "ends in a comma"},
      {"tuple<tensor<2xi8>, ", "expected tensor<..>"},
      {"tuple<tensor<2xi7>>", "unknown element type 'i7'"},
      {"", "expected tensor<..>"}};
  for (const auto& [text, expected] : rows) {
    std::string reason;
    EXPECT_FALSE(ParseValueType(text, &reason)) << text;
    EXPECT_THAT(reason, HasSubstr(expected)) << text;
  }
}

TEST(ValueType, NestedBeyondTheLimitIsRefused) {
  std::string text = "tensor<i8>";
  for (int i = 0; i < 64; ++i) text = "tuple<" + text + ">";
  std::string reason;
  EXPECT_TRUE(ParseValueType(text, &reason)) << reason;
  EXPECT_FALSE(ParseValueType("tuple<" + text + ">", &reason));
  EXPECT_THAT(reason, HasSubstr("64 tuples within one another"));
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
  EXPECT_EQ(a.ToString(), "tensor<2x!quant.uniform<i8<-128:127>:f32, 0.5:3>>");
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
