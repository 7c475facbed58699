#include "spec/elements.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spec/error.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

TensorType Quantized(Quantization quantization, Shape shape = {2}) {
  TensorType type(std::move(shape), quantization.storage_type);
  type.quantization =
      std::make_shared<const Quantization>(std::move(quantization));
  return type;
}

std::string Violated(const TensorType& type) {
  const ViolatedType violated = CheckQuantizedType(type);
  std::string text;
  for (const ConstraintResult& result : violated.results)
    text += violated.element->id + "/" + result.constraint->label + " ";
  return text;
}

Quantization Right() {
  Quantization quantization;
  quantization.storage_min = -128;
  quantization.storage_max = 127;
  quantization.scales = {0.5};
  quantization.zero_points = {3};
  return quantization;
}

TEST(Elements, HaveTwentyTwoConstraints) {
  size_t count = 0;
  for (const OpSpec& element : ProgramElements()) {
    EXPECT_EQ(FindOp(element.id), &element);
    EXPECT_FALSE(element.IsOfPrograms());
    count += element.constraints.size();
  }
  EXPECT_EQ(count, 22u);
}

TEST(Elements, ATypeThatNoTextHasIsCheckedAsWell) {
  EXPECT_EQ(Violated(Quantized(Right())), "");
  Quantization no_scales = Right();
  no_scales.scales.clear();
  no_scales.zero_points.clear();
  EXPECT_EQ(Violated(Quantized(no_scales)), "quantized_element_type/C10 ");
  Quantization no_zero_points = Right();
  no_zero_points.zero_points.clear();
  EXPECT_EQ(Violated(Quantized(no_zero_points)), "quantized_element_type/C9 ");
  Quantization swapped = Right();
  std::swap(swapped.storage_min, swapped.storage_max);
  EXPECT_EQ(Violated(Quantized(swapped)),
            "quantized_element_type/C3 quantized_element_type/C7 ");
}

// A list of processes is as long as the text says, up to a limit.
TEST(Elements, AMillionProcessesAreChecked) {
  const auto violated = [](int64_t rows, int64_t processes) {
    const std::string text =
        fmt::format(
            "%0 = \"stablehlo.all_reduce\"(%a) <{{replica_groups = "
            "dense<{}> : tensor<{}x{}xi64>",
            processes == 0 ? "" : "0", rows, processes) +
        R"(}> ({
          ^bb0(%x: tensor<f32>, %y: tensor<f32>):
            stablehlo.return %x : tensor<f32>
        }) : (tensor<2xf32>) -> tensor<2xf32>)";
    std::string labels;
    for (const Violation& violation :
         VerifyStatements(text::ParseStatements({text}, {})))
      labels += violation.constraint->label + " ";
    return labels;
  };
  EXPECT_EQ(violated(1, 1'000'000), "C1 ");
  EXPECT_THROW(violated(1, 2'000'000), text::NotJudged);
  EXPECT_THROW(violated(2'000'000, 0), text::NotJudged);
}

TEST(Elements, AMillionScalesAreCheckedInASecond) {
  constexpr int64_t kScales = 1'000'000;
  Quantization many = Right();
  many.dimension = 0;
  many.scales.assign(kScales, 0.5);
  many.zero_points.assign(kScales, 0);
  EXPECT_EQ(Violated(Quantized(many, {kScales})), "");
  many.scales.back() = -1;
  EXPECT_EQ(Violated(Quantized(many, {kScales})), "quantized_element_type/C5 ");
}

std::string ErrorOf(const std::string& type) {
  try {
    ReadValueType("t.mlir", type);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(Elements, AWrongTypeIsRefusedWithItsConstraint) {
  EXPECT_EQ(ErrorOf("tensor<2x!quant.uniform<i8<5:-5>:f32, 0.5>>"),
            "t.mlir:1:1: tensor<2x!quant.uniform<i8<5:-5>:f32, 0.5>> violates "
            "C3 of quantized_element_type: min_value(storage_type) <= "
            "storage_min < storage_max <= max_value(storage_type)");
  EXPECT_NE(ErrorOf("tensor<2x!quant.uniform<i8:f32, {}>>"), "");
  EXPECT_NE(ErrorOf("tensor<2x!quant.uniform<i8:f32:0, {0.5}>>"), "");
  EXPECT_NE(ErrorOf("tensor<!quant.uniform<i8:f32:0, {0.5}>>"), "");
  EXPECT_EQ(ErrorOf("tensor<1x!quant.uniform<u64:f32:0, {0.5}>>"), "");
}

TEST(Elements, TuplesNestAsDeepAsTextMay) {
  const auto tuple = [](int depth) {
    std::string text, end;
    for (int i = 0; i < depth; ++i) {
      text += "tuple<";
      end += ">";
    }
    return text + end;
  };
  EXPECT_EQ(ErrorOf(tuple(900)), "");
  EXPECT_NE(ErrorOf(tuple(1100)), "");
}

}  // namespace
}  // namespace assay
