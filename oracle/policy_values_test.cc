// Tests which results each value of a policy key accepts.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;

// The results of one element are those under policy assay, except for one key.
struct KeyCase {
  const char *key, *value, *op;
  ElementType type;
  const char *operands, *accepted, *refused;  // elements: "1, 2"
  ElementType result = kI1;                   // i1: the type of the operands
  std::vector<std::pair<const char*, int>> numbers = {};
};

std::vector<Attribute> AttributesOf(const KeyCase& c) {
  std::vector<Attribute> attributes;
  for (const auto& [name, number] : c.numbers) {
    Tensor tensor(TensorType{{}, kI32});
    tensor.SetBits(0, BitsOf(kI32, number));
    attributes.push_back({name, tensor});
  }
  if (std::string(c.op) == "compare") {
    attributes.push_back({"comparison_direction", Symbol{"GT"}});
    attributes.push_back({"compare_type", Symbol{"TOTALORDER"}});
  }
  return attributes;
}

std::vector<std::string> ElementsOf(const std::string& text) {
  std::vector<std::string> elements;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(", ", begin), text.size());
    elements.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return elements;
}

void CheckKeys(const std::vector<KeyCase>& cases) {
  for (const KeyCase& c : cases) {
    SCOPED_TRACE(
        fmt::format("{} = {}: {} of {}", c.key, c.value, c.op, c.operands));
    std::vector<Tensor> inputs;
    for (const std::string& operand : ElementsOf(c.operands))
      inputs.push_back(RowOfTexts(c.type, {operand}));
    const ElementType type =
        c.result == kI1 && std::string(c.op) != "compare" ? c.type : c.result;
    const FloatCall call =
        MakeFloatCall(c.op, inputs, {{1}, type}, AttributesOf(c));
    const Policy policy = Policy::Find("assay").With(c.key, c.value);
    const Evaluation counted =
        Evaluate(call.op, call.inputs, policy, Marks::kCounted);
    const Evaluation silent =
        Evaluate(call.op, call.inputs, policy, Marks::kNone);
    for (const Evaluation* e : {&counted, &silent}) {
      for (const std::string& text : ElementsOf(c.accepted))
        EXPECT_TRUE(Accepts(e->outputs[0], RowOfTexts(type, {text}), 0))
            << text;
      for (const std::string& text : ElementsOf(c.refused))
        EXPECT_FALSE(Accepts(e->outputs[0], RowOfTexts(type, {text}), 0))
            << text;
    }
    const auto clauses = ClausesOf(call.op, call.inputs, policy, 0);
    EXPECT_TRUE(std::ranges::any_of(clauses, [&](auto& d) {
      return d.clause->policy == c.key;
    })) << "no clause of the element names the key";
  }
}

TEST(PolicyValues, OfIntegers) {
  CheckKeys({
      {"unsigned_arithmetic_shift", "top_bit_or_zero", "shift_right_arithmetic",
       kUi8, "128, 3", "240, 16", "0, 112"},
      {"unsigned_arithmetic_shift", "any", "shift_right_arithmetic", kUi8,
       "128, 3", "240, 0", ""},
      {"integer_power_negative_exponent", "any_unless_unit", "power", kI8,
       "-1, -3", "-1", "1, 0"},
      {"integer_power_negative_exponent", "any_unless_unit", "power", kI8,
       "1, -3", "1", "-1, 0"},
      {"integer_power_negative_exponent", "any_unless_unit", "power", kI8,
       "2, -1", "0, 99", ""},
      {"integer_divide_by_zero", "all_ones", "divide", kUi8, "7, 0", "255",
       "0, 7"},
      {"integer_divide_by_zero", "all_ones", "remainder", kI8, "-7, 0", "-7",
       "0, -1"},
      {"integer_divide_by_zero", "zero", "remainder", kI8, "-7, 0", "0", "-7"},
  });
}

TEST(PolicyValues, OfConversionsAndFormats) {
  CheckKeys({
      {"inexact_conversion", "either_neighbour", "convert", kF64,
       "0x1.0000001p0", "1, 0x1.000002p0", "0, 0x1.000004p0, nan", kF32},
      {"inexact_conversion", "any", "convert", kF64, "0x1.0000001p0",
       "1, 0, nan", "", kF32},
      {"inexact_conversion", "any", "convert", kComplexF64, "2 0x1.0000001p0",
       "2 7", "3 1, nan 1", kComplexF32},
      {"float_to_integer", "any", "convert", kF32, "300", "0, 127, -128", "",
       kI8},
      {"overflow_without_infinity", "largest_or_nan", "add", kF8E4M3FN,
       "-448, -448", "-448, nan", "448, 0"},
      {"overflow_without_infinity", "saturate", "add", kF8E4M3FN, "-448, -448",
       "-448", "nan"},
      {"overflow_without_infinity", "any", "add", kF8E4M3FN, "-448, -448",
       "0, nan", ""},
      {"nan_without_nan", "negative_zero", "divide", kF4E2M1FN, "0, 0", "-0",
       "0, 6"},
      {"nan_without_nan", "any", "divide", kF4E2M1FN, "0, 0", "-0, 6", ""},
      {"e8m0_tie", "either_neighbour", "add", kF8E8M0FNU, "2, 1", "2, 4",
       "1, 8, nan"},
      {"e8m0_tie", "either_neighbour", "add", kF8E8M0FNU, "4, 2", "4, 8",
       "2, nan"},
      {"e8m0_tie", "even_code", "add", kF8E8M0FNU, "2, 1", "2", "4"},
      {"e8m0_tie", "any", "add", kF8E8M0FNU, "2, 1", "nan", ""},
      {"e8m0_zero", "smallest_or_nan", "subtract", kF8E8M0FNU, "1, 1",
       "0x00, nan", "0x01, 1"},
      {"e8m0_zero", "nan_for_zero", "subtract", kF8E8M0FNU, "1, 1", "nan",
       "0x00"},
      {"e8m0_zero", "any", "subtract", kF8E8M0FNU, "1, 1", "1", ""},
      {"e8m0_negative", "any", "negate", kF8E8M0FNU, "1", "1, nan", ""},
      {"e8m0_overflow", "largest_or_nan", "multiply", kF8E8M0FNU, "0x1p127, 2",
       "0x1p127, nan", "0x1p126, 0x00"},
      {"e8m0_overflow", "saturate", "multiply", kF8E8M0FNU, "0x1p127, 2",
       "0x1p127", "nan"},
      {"e8m0_overflow", "any", "multiply", kF8E8M0FNU, "0x1p127, 2", "1", ""},
      {"sign_of_zero_operand", "either_zero", "sign", kF32, "0", "0, -0",
       "1, nan, 0x1p-149"},
      {"sign_of_zero_operand", "literal", "sign", kF32, "0", "-0", "0"},
      {"total_order_single_nan", "any", "compare", kF8E4M3FNUZ, "0x80, 1",
       "true, false", ""},
  });
}

TEST(PolicyValues, OfRealFunctionsAreTheRangesThatTheyWere) {
  CheckKeys({
      // An end that overflows, or is below every power, adds both values.
      {"overflow_without_infinity", "largest_or_nan", "exponential", kF8E4M3FN,
       "8", "448, nan", "-448, 416"},
      {"e8m0_overflow", "largest_or_nan", "exponential", kF8E8M0FNU, "128",
       "0x1p127, nan", "0x1p126"},
      {"e8m0_zero", "smallest_or_nan", "log", kF8E8M0FNU, "1", "0x00, nan",
       "1"},
  });
}

TEST(PolicyValues, OfTheRemainderOfFloats) {
  // 5 / 3 rounded toward zero, times 3, is 5 less a rounding error.
  CheckKeys({
      {"float_remainder", "fmod", "remainder", kF32, "5, 3", "2", "0"},
      {"float_remainder", "fmod_or_literal", "remainder", kF32, "-5, 3",
       "-2, -0", "2, 0, 1, -3"},
      {"float_remainder", "fmod_or_literal", "remainder", kF64, "7, 0x1p-1074",
       "0", "nan, 1"},
      // The formula gives NaN, and the text a number less than the divisor.
      {"float_remainder", "fmod_or_literal", "remainder", kF32, "5, inf", "5",
       "nan, 0"},
      {"float_remainder", "fmod_or_literal", "remainder", kF32, "1, 0", "nan",
       "0, 1"},
      {"float_remainder", "any", "remainder", kF32, "5, 3", "99, nan", ""},
  });
}

TEST(PolicyValues, OfReducePrecision) {
  const auto bits = [](int exponent, int mantissa) {
    return std::vector<std::pair<const char*, int>>{
        {"exponent_bits", exponent}, {"mantissa_bits", mantissa}};
  };
  CheckKeys({
      {"reduce_precision_nan", "nan", "reduce_precision", kF32, "0xffc00000",
       "nan", "-inf, inf", kI1, bits(8, 0)},
      {"reduce_precision_nan", "infinity", "reduce_precision", kF32,
       "0xffc00000", "-inf", "nan, inf", kI1, bits(8, 0)},
      {"reduce_precision_nan", "nan_or_infinity", "reduce_precision", kF16,
       "0x7e00", "inf, nan", "-inf, 0, 65504", kI1, bits(11, 0)},
      {"reduce_precision_nan", "nan_or_infinity", "reduce_precision", kF8E4M3FN,
       "0xff", "nan", "-448, -256", kI1, bits(4, 0)},
      {"reduce_precision_tie", "larger", "reduce_precision", kF32, "3", "4",
       "2", kI1, bits(8, 0)},
      {"reduce_precision_tie", "even_code", "reduce_precision", kF32, "-3",
       "-2", "-4", kI1, bits(8, 0)},
      {"reduce_precision_tie", "either_neighbour", "reduce_precision", kF64,
       "3", "2, 4", "3, 1, 8", kI1, bits(11, 0)},
      // exponent_bits = 3 are -2 to 3, and -3 to 2 by the fields.
      {"reduce_precision_exponents", "by_value", "reduce_precision",
       kF8E4M3FNUZ, "8", "8", "nan", kI1, bits(3, 3)},
      {"reduce_precision_exponents", "by_code", "reduce_precision", kF8E4M3FNUZ,
       "8", "nan", "8", kI1, bits(3, 3)},
      {"reduce_precision_exponents", "by_code", "reduce_precision", kF8E4M3FNUZ,
       "0.125", "0.125", "0", kI1, bits(3, 3)},
      {"reduce_precision_exponents", "either", "reduce_precision", kF8E4M3FNUZ,
       "-0.125", "0, -0.125", "nan, -0.25", kI1, bits(3, 3)},
  });
}

TEST(PolicyValues, OfTheOrderOfComplexNumbers) {
  CheckKeys({
      {"complex_order", "either_operand", "maximum", kComplexF32, "1 nan, 2 -0",
       "1 nan, 2 -0", "1 -0, 2 nan, nan nan, 2 0, 1 2"},
      {"complex_order", "either_operand", "minimum", kComplexF64, "0 1, -0 1",
       "0 1, -0 1", "0 0, 1 1"},
      {"complex_order", "either_operand_or_nan", "minimum", kComplexF32,
       "1 nan, 2 3", "1 nan, 2 3, nan nan, 2 nan, nan 7", "1 3, 0 0"},
      {"complex_order", "either_operand_or_nan", "maximum", kComplexF32,
       "0 1, -0 1", "0 1, -0 1", "nan 1, 0 0"},
      {"complex_order", "any", "maximum", kComplexF32, "1 nan, 2 3", "9 9", ""},
      // Both comparisons of min, operand, max may go either way.
      {"complex_order", "either_operand", "clamp", kComplexF32,
       "1 nan, 2 3, 4 5", "1 nan, 2 3, 4 5", "1 3, 4 nan"},
      {"complex_order", "either_operand", "clamp", kComplexF32,
       "0 0, 3 3, nan 2", "3 3, nan 2", "0 0"},
  });
}

TEST(PolicyValues, OfTheOrderOfBytesAreOfAWholeResult) {
  const FloatCall call = MakeFloatCall(
      "bitcast_convert", {TensorOfTexts(kUi8, {2, 2}, {"1", "2", "3", "4"})},
      {{2}, kUi16});
  const auto judge = [&](const char* layout,
                         const std::vector<std::string>& texts) {
    const Policy policy = Policy::Find("assay").With("bitcast_layout", layout);
    return Judge(
               Evaluate(call.op, call.inputs, policy, Marks::kNone).outputs[0],
               RowOfTexts(kUi16, texts))
        .failed;
  };
  EXPECT_EQ(judge("little_endian", {"513", "1027"}), 0);
  EXPECT_EQ(judge("little_endian", {"258", "772"}), 2);
  EXPECT_EQ(judge("either_endian", {"513", "1027"}), 0);
  EXPECT_EQ(judge("either_endian", {"258", "772"}), 0);
  EXPECT_EQ(judge("either_endian", {"258", "1027"}), 1);
  EXPECT_EQ(judge("either_endian", {"1", "2"}), 2);
  const Policy any = Policy::Find("assay").With("bitcast_layout", "any");
  EXPECT_TRUE(
      Evaluate(call.op, call.inputs, any, Marks::kNone).outputs[0].IsOpen(0));
  // These are parts of bytes, and a complex number, whose real part is first in
  // both.
  const FloatCall nibbles = MakeFloatCall(
      "bitcast_convert", {RowOfTexts(kUi8, {"33"})}, {{1, 2}, kUi4});
  const Policy either =
      Policy::Find("assay").With("bitcast_layout", "either_endian");
  const Expectation of_byte =
      Evaluate(nibbles.op, nibbles.inputs, either, Marks::kNone).outputs[0];
  EXPECT_EQ(of_byte.lo.Bits(0), 1u);
  EXPECT_EQ(of_byte.readings.at(0).Bits(0), 2u);
  const FloatCall complex = MakeFloatCall(
      "bitcast_convert",
      {TensorOfTexts(kComplexF32, {1, 2},
                     {"0x00000001 0x00000002", "0x00000003 0x00000004"})},
      {{1}, kComplexF64});
  const Expectation of_pair =
      Evaluate(complex.op, complex.inputs, either, Marks::kNone).outputs[0];
  const auto part = [&](const Tensor& tensor, int p) {
    return static_cast<uint64_t>(PartOf(kComplexF64, tensor.Bits(0), p));
  };
  EXPECT_EQ(part(of_pair.lo, 0), 0x00000002'00000001u);
  EXPECT_EQ(part(of_pair.lo, 1), 0x00000004'00000003u);
  EXPECT_EQ(part(of_pair.readings.at(0), 0), 0x00000001'00000002u);
  EXPECT_EQ(part(of_pair.readings.at(0), 1), 0x00000003'00000004u);
}

}  // namespace
}  // namespace assay
