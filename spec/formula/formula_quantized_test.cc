#include <gtest/gtest.h>

#include "spec/formula/formula_test_support.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

Environment WithQuantized() {
  Environment environment = Members();
  const auto tensor = [&](const char* name, const char* type) {
    environment.members.emplace(
        name, Value::Placeholder{ReadValueType("type", type)});
  };
  tensor("q", "tensor<2x!quant.uniform<i8:f32, 0.5:3>>");
  tensor("axis",
         "tensor<2x3x!quant.uniform<i8<-100:100>:f32:1, {0.5, 0.25:4, 1.0}>>");
  tensor("other", "tensor<2x!quant.uniform<i8:f32, 0.25:3>>");
  tensor("wide", "tensor<2x!quant.uniform<i16:f32, 0.25>>");
  tensor("double", "tensor<2x!quant.uniform<i16:f64, 0.25>>");
  return environment;
}

std::string QuantizedText(const char* formula) {
  return Evaluate(Formula::Parse(formula), WithQuantized()).ToString();
}

struct QuantizedRow {
  const char *formula, *expected;
};

TEST(FormulaQuantized, MembersAreThoseOfTheElementType) {
  for (const auto& [formula, expected] : std::initializer_list<QuantizedRow>{
           {"is_quantized(q)", "true"},
           {"is_quantized(lhs)", "false"},
           {"is_per_tensor_quantized(q)", "true"},
           {"is_per_axis_quantized(q)", "false"},
           {"is_per_axis_quantized(axis)", "true"},
           {"is_per_tensor_quantized(lhs)", "false"},
           {"storage_type(q)", "i8"},
           {"expressed_type(q)", "f32"},
           {"storage_min(q)", "-128"},
           {"storage_max(axis)", "100"},
           {"scales(axis)", "[0.5, 0.25, 1]"},
           {"zero_points(axis)", "[0, 4, 0]"},
           {"quantization_dimension(axis)", "1"},
           {"quantization_dimension(q)", "None"},
           {"storage_type(lhs)", "None"},
           {"scales(lhs)", "None"},
           {"storage_type(element_type(q))", "i8"}})
    EXPECT_EQ(QuantizedText(formula), expected) << formula;
}

TEST(FormulaQuantized, AQuantizedElementTypeIsNoneOfTheOthers) {
  for (const char* type : {"is_integer(q)", "is_float(q)", "is_boolean(q)",
                           "is_signed_integer(q)", "is_complex(q)"})
    EXPECT_EQ(QuantizedText(type), "false") << type;
  EXPECT_EQ(QuantizedText("is_tensor(q)"), "true");
}

TEST(FormulaQuantized, TypesAreEqualWithTheirParameters) {
  for (const auto& [formula, expected] : std::initializer_list<QuantizedRow>{
           {"element_type(q) = element_type(q)", "true"},
           {"element_type(q) = element_type(other)", "false"},
           {"type(q) = type(other)", "false"},
           {"element_type(q) = i8", "false"},
           {"baseline_type(q) = baseline_type(other)", "true"},
           {"baseline_element_type(q) = baseline_element_type(other)", "true"},
           {"baseline_type(q) = baseline_type(wide)", "false"},
           {"baseline_element_type(lhs) = i8", "true"},
           {"scalar_type(element_type(q)) = type(q)", "false"},
           {"element_type(scalar_type(element_type(q))) = element_type(q)",
            "true"}})
    EXPECT_EQ(QuantizedText(formula), expected) << formula;
}

TEST(FormulaQuantized, PromotionWidensTheStorageType) {
  for (const auto& [formula, expected] : std::initializer_list<QuantizedRow>{
           {"is_promotable(element_type(q), element_type(wide))", "true"},
           {"is_promotable(element_type(wide), element_type(q))", "false"},
           {"is_promotable(element_type(q), element_type(double))", "false"},
           {"is_promotable(element_type(q), i8)", "false"},
           {"is_promotable(i8, element_type(q))", "false"}})
    EXPECT_EQ(QuantizedText(formula), expected) << formula;
}

TEST(FormulaQuantized, ALiteralHasATypeThatItIsAValueOf) {
  for (const auto& [formula, expected] : std::initializer_list<QuantizedRow>{
           {"is_value_of(127, i8)", "true"},
           {"is_value_of(128, i8)", "false"},
           {"is_value_of(-1, ui8)", "false"},
           {"is_value_of(scales(axis)..., f32)", "[true, true, true]"},
           {"is_value_of(scales(axis)..., i8)", "[None, None, None]"},
           {"min_value(i4)", "-8"},
           {"max_value(ui4)", "15"},
           {"max_value(f32)", "None"},
           {"is_finite(scales(q)...)", "[true]"},
           {"0 < scales(axis)", "true"},
           {"0.5 < scales(axis)", "error"}}) {
    if (std::string(expected) == "error") {
      EXPECT_THROW(Formula::Parse(formula), FormulaError) << formula;
    } else {
      EXPECT_EQ(QuantizedText(formula), expected) << formula;
    }
  }
}

TEST(FormulaQuantized, ElementsOfAnOperandAreKnownIfTheProgramSaysThem) {
  Environment environment = Members();
  const Tensor known = IntegerTensor({{2}, ElementType::kI32}, {3, -1});
  environment.members.emplace(
      "sizes",
      Value::Placeholder{known.type(), std::make_shared<const Tensor>(known)});
  const auto text = [&](const char* formula) {
    return Evaluate(Formula::Parse(formula), environment).ToString();
  };
  EXPECT_EQ(text("value(sizes)"), "[3, -1]");
  EXPECT_EQ(text("0 <= value(sizes)"), "false");
  EXPECT_EQ(text("value(lhs)"), "?");
  EXPECT_EQ(text("0 <= value(lhs)"), "?");
}

TEST(FormulaQuantized, OpNamesHaveANamespace) {
  const auto is_name = [](const char* name) {
    Environment environment;
    environment.members.emplace("name", std::string(name));
    return Evaluate(Formula::Parse("is_namespaced_op_name(name)"), environment)
               .ToString() == "true";
  };
  for (const char* name : {"a.b", "my_ns.op_1", "a.b.c$", "A1._", "a.0"})
    EXPECT_TRUE(is_name(name)) << name;
  for (const char* name :
       {"", "a", "a.", ".a", "a..b", "1a.b", "_a.b", "a$.b", "a.b ", "a-b.c"})
    EXPECT_FALSE(is_name(name)) << name;
}

}  // namespace
}  // namespace assay
