#include <gtest/gtest.h>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

TEST(Type, TensorsHaveAShapeAndElements) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    ExpectSpelledAlike(std::string("tensor<") + info.name + ">");
    ExpectSpelledAlike(std::string("tensor<0x?x12x") + info.name + ">");
    ExpectSpelledAlike(info.name);
  }
  EXPECT_EQ(Spelled("tensor< 2 x 3 x f32 >"), "tensor<2x3xf32>");
  EXPECT_EQ(Spelled("tensor<0x2x\n f32>"), "tensor<0x2xf32>");
  ExpectSpelledAlike("tensor<?x4xf32, #stablehlo.bounds<3, ?>>");
}

TEST(Type, OtherTypesAreTuplesTokensAndFunctions) {
  ExpectSpelledAlike("tuple<>");
  ExpectSpelledAlike("tuple<tensor<i8>, tuple<!stablehlo.token>>");
  ExpectSpelledAlike("(tensor<i8>, i8) -> tensor<i8>");
  ExpectSpelledAlike("() -> ()");
  ExpectSpelledAlike("() -> (() -> i8)");
  EXPECT_EQ(Spelled("() -> (i8)"), "() -> i8");
  for (const char* text : {"index", "none", "i3", "ui128", "si32", "f80"})
    ExpectSpelledAlike(text);
}

TEST(Type, QuantizedElementsHaveParameters) {
  ExpectSpelledAlike("tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>");
  ExpectSpelledAlike(
      "tensor<!quant.uniform<i8:f32, 0.0039215482917486456:-128>>");
  ExpectSpelledAlike(
      "tensor<2x!quant.uniform<u8<1:200>:f32:0, {5.000000e-01:10, "
      "2.000000e+00}>>");
  ExpectSpelledAlike("tensor<!quant.uniform<i8:f32, 5.0331648000000000e+07>>");
  EXPECT_EQ(Spelled("tensor<!quant.uniform<ui8<0:255>:f32, 1:0>>"),
            "tensor<!quant.uniform<u8:f32, 1.000000e+00>>");
  const Chunk chunk = ParseChunk(
      {"\"x\"() : () -> tensor<2x!quant.uniform<i4<-7:7>:bf16:0, {1.0:1, "
       "2.0:-1}>>"});
  const Type& type = *chunk.module.regions[0].statements[0].result_types[0];
  ASSERT_TRUE(type.tensor.quantization);
  EXPECT_EQ(
      *type.tensor.quantization,
      (Quantization{
          ElementType::kI4, ElementType::kBF16, -7, 7, 0, {1, 2}, {1, -1}}));
  EXPECT_EQ(type.tensor.element_type, ElementType::kI4);
  EXPECT_EQ(type.tensor.ToString(),
            "tensor<2x!quant.uniform<i4<-7:7>:bf16:0, {1:1, 2:-1}>>");
}

TEST(Type, TypesOfMlirThatStablehloHasNotAreRefusedByName) {
  EXPECT_EQ(Spelled("memref<2xf32>"), "1:12: StableHLO has no type memref<..>");
  EXPECT_EQ(Spelled("vector<2xf32>"), "1:12: StableHLO has no type vector<..>");
  EXPECT_EQ(Spelled("!stablehlo.future<tensor<i8>>"),
            "1:12: StableHLO has no type '!stablehlo.future'");
  EXPECT_EQ(Spelled("tensor<*xf32>"),
            "1:19: StableHLO has no tensors without a rank");
  EXPECT_EQ(Spelled("tensor<2xindex>"),
            "1:21: StableHLO has no tensors of index");
  EXPECT_EQ(Spelled("tensor<2xsi8>"),
            "1:21: StableHLO has no tensors of si8: types with a sign are "
            "spelled iN");
  EXPECT_EQ(Spelled("!t"), "1:12: '!t' is not defined");
  EXPECT_EQ(Spelled("foo"), "1:12: 'foo' is no type");
}

TEST(Type, WhatIsNoTypeIsRefused) {
  EXPECT_EQ(Spelled("tensor<2>"),
            "1:19: the size of a dimension is not followed by 'x'");
  EXPECT_EQ(Spelled("tensor<99999999999999999999xi8>"),
            "1:19: the size of a dimension does not fit 63 bits");
  EXPECT_EQ(Spelled("tensor<-1xi8>"),
            "1:19: expected an element type, not '-'");
  EXPECT_EQ(Spelled("tensor<4294967296x4294967296xi8>"),
            "1:12: the size of a tensor overflows 63 bits");
  EXPECT_EQ(Spelled("tensor<4611686018427387904xi32>"),
            "1:12: the size of a tensor overflows 63 bits");
  std::string ones;
  for (int i = 0; i < 65; ++i) ones += "1x";
  EXPECT_EQ(Spelled("tensor<" + ones + "i8>"), "1:147: the rank is above 64");
  EXPECT_EQ(Spelled("tensor i8"), "1:19: expected '<', not 'i8'");
  EXPECT_EQ(Spelled("tensor<2xi8"), "1:23: expected '>', not '}'");
  EXPECT_EQ(Spelled("tensor<complex<i8>>"),
            "1:27: complex numbers have parts f32 or f64, not 'i8'");
  EXPECT_EQ(Spelled("tuple<i8 i8>"), "1:21: expected ',', not 'i8'");
  EXPECT_EQ(Spelled("(i8) i8"),
            "1:17: expected '->' of a function type, not 'i8'");
  EXPECT_EQ(Spelled("(i8"), "1:15: expected ',', not '}'");
  EXPECT_EQ(Spelled("() -> 1"), "1:18: expected a type, not '1'");
  EXPECT_EQ(ErrorOf("!t = tuple<>\n\"x\"() : () -> tensor<2x!t>"),
            "2:15: the elements of a tensor have an element type");
  EXPECT_EQ(Printed("!t = i8\n\"x\"() : () -> tensor<2x!t>"),
            Printed("\"x\"() : () -> tensor<2xi8>"));
}

TEST(Type, ParametersOfQuantizedElementsAreChecked) {
  const auto quantized = [](const std::string& text) {
    return Spelled("tensor<!quant.uniform<" + text + ">>");
  };
  EXPECT_EQ(quantized("f32:f32, 1.0"),
            "1:34: 'f32' is no storage type of quantized elements");
  EXPECT_EQ(quantized("i1:f32, 1.0"),
            "1:34: 'i1' is no storage type of quantized elements");
  EXPECT_EQ(quantized("si8:f32, 1.0"),
            "1:34: 'si8' is no storage type of quantized elements");
  EXPECT_EQ(quantized("i8:i8, 1.0"),
            "1:37: the expressed type of quantized elements is a float type");
  EXPECT_EQ(quantized("i8:f32"), "1:40: expected ',', not '>'");
  EXPECT_EQ(quantized("i8:f32, x"), "1:42: expected a decimal number, not 'x'");
  EXPECT_EQ(quantized("i8:f32:0, {1.0"), "1:48: expected '}', not '>'");
  EXPECT_EQ(quantized("i8:f32, {}"),
            "1:43: expected a decimal number, not '}'");
  EXPECT_EQ(quantized("i8:f32:0, 1.0"), "1:44: expected '{', not '1.0'");
  EXPECT_EQ(quantized("1"), "1:34: expected a storage type, not '1'");
  EXPECT_EQ(Spelled("!quant.uniform<i8:f32, 1.0>"),
            "1:12: a quantized type is the element type of a tensor");
}

TEST(Type, TypesAreEqualByTheirParts) {
  const auto type = [](const std::string& text) {
    const Chunk chunk = ParseChunk({"\"x\"() : () -> (" + text + ")"});
    return chunk.module.regions[0].statements[0].result_types[0];
  };
  const std::vector<std::string> types = {
      "tensor<2xi8>",
      "tensor<2xi4>",
      "tensor<3xi8>",
      "!stablehlo.token",
      "tuple<>",
      "tuple<i8>",
      "tuple<i4>",
      "i8",
      "i3",
      "i5",
      "tensor<?xi8, #stablehlo.bounds<3>>",
      "tensor<?xi8, #stablehlo.bounds<4>>",
      "tensor<?xi8>",
      "tensor<!quant.uniform<i8:f32, 1.0>>",
      "tensor<!quant.uniform<i8:f32, 1.0:1>>",
      "() -> ()",
      "() -> i8",
      "(i8) -> ()"};
  for (const std::string& a : types)
    for (const std::string& b : types)
      EXPECT_EQ(*type(a) == *type(b), a == b) << a << " " << b;
}

}  // namespace
}  // namespace assay::text
