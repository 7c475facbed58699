#include <gtest/gtest.h>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

TEST(Attribute, NumbersHaveTypes) {
  ExpectSpelledAlike("-3 : i32");
  ExpectSpelledAlike("3 : index");
  ExpectSpelledAlike("3 : si8");
  ExpectSpelledAlike("18446744073709551615 : ui64");
  EXPECT_EQ(Spelled("3"), "3 : i64");
  EXPECT_EQ(Spelled("0x10"), "16 : i64");
  EXPECT_EQ(Spelled("255 : i8"), "-1 : i8");
  EXPECT_EQ(Spelled("1 : i1"), "true");
  EXPECT_EQ(Spelled("0.5"), "5.000000e-01 : f64");
  EXPECT_EQ(Spelled("-0.5 : bf16"), "-5.000000e-01 : bf16");
  EXPECT_EQ(Spelled("0 : f32"), "0.000000e+00 : f32");
  ExpectSpelledAlike("0x7FC00000 : f32");
  ExpectSpelledAlike("-9223372036854775808 : i64");
}

TEST(Attribute, NumbersThatTheTypeDoesNotHaveAreRefused) {
  for (const char* text :
       {"300 : i8", "-1 : ui8", "1.5 : i8", "0x1FFFF : f16", "-0x1 : f16",
        "1.5 : complex<f32>", "1 : complex<f32>", "1 : tensor<i8>",
        "1.5 : tensor<f32>", "99999999999999999999", "1 : none", "1 : tf32"}) {
    const std::string all(text), number = all.substr(0, all.find(' '));
    EXPECT_EQ(
        Spelled(text),
        "1:12: " + number + " is no value of the type that is given for it")
        << text;
  }
  EXPECT_EQ(Spelled("- x"), "1:14: expected a number, not 'x'");
}

TEST(Attribute, WordsStringsAndSymbols) {
  ExpectSpelledAlike("true");
  ExpectSpelledAlike("false");
  ExpectSpelledAlike("\"a\\22b\\0A\"");
  ExpectSpelledAlike("\"a\" : i8");
  ExpectSpelledAlike("@a::@b");
  ExpectSpelledAlike("@\"a b\"");
  ExpectSpelledAlike("f32");
  ExpectSpelledAlike("tf32");
  ExpectSpelledAlike("(i1) -> ()");
  ExpectSpelledAlike("!stablehlo.token");
  EXPECT_EQ(Spelled("unit"), "unit");
  EXPECT_EQ(Spelled("@a::b"), "1:16: expected a symbol '@name', not 'b'");
  EXPECT_EQ(Spelled("="), "1:12: expected an attribute, not '='");
  for (const char* text : {"affine_map<(d0) -> (d0)>",
                           "dense_resource<a> : tensor<i8>", "sparse<0, 1>"})
    EXPECT_EQ(Spelled(text),
              "1:12: attributes of the kind '" +
                  std::string(text).substr(0, std::string(text).find('<')) +
                  "' are not read");
}

TEST(Attribute, ListsAndDictionariesNest) {
  EXPECT_EQ(Spelled("[1, 2.0, [3 : i32], {b, a = 1}]"),
            "[1, 2.000000e+00, [3 : i32], {a = 1 : i64, b}]");
  ExpectSpelledAlike("[]");
  ExpectSpelledAlike("{}");
  ExpectSpelledAlike("{\"a b\" = 1 : i64, c.d}");
  EXPECT_EQ(Spelled("[1 2]"), "1:15: expected ',', not '2'");
  EXPECT_EQ(Spelled("{1 = 2}"),
            "1:13: expected the name of an attribute, not '1'");
  EXPECT_EQ(Spelled("{a, a}"), "1:17: attribute 'a' is given twice");
}

TEST(Attribute, AliasesAreReplaced) {
  EXPECT_EQ(Printed("#a = [1]\n!t = tensor<2xi8>\n"
                    "\"x\"() {a = [#a, #a, !t]} : () -> ()"),
            Printed("\"x\"() {a = [[1], [1], tensor<2xi8>]} : () -> ()"));
  EXPECT_EQ(ErrorOf("\"x\"() {a = #b} : () -> ()"),
            "1:12: '#b' is not defined");
  EXPECT_EQ(ErrorOf("#a = 1\n#a = 2"), "2:1: '#a' is defined twice");
  EXPECT_EQ(ErrorOf("!a = i8\n!a = i8"), "2:1: '!a' is defined twice");
  EXPECT_EQ(ErrorOf("#a.b = 1"),
            "1:1: '#a.b' is a name of a dialect and no alias");
  EXPECT_EQ(ErrorOf("#a 1"), "1:4: expected '=', not '1'");
}

TEST(Attribute, LocationsAreSkipped) {
  EXPECT_EQ(Printed("#loc = loc(unknown)\n"
                    "\"x\"() : () -> () loc(fused[\"a\", #loc])\n"
                    "#loc1 = loc(\"a\"(#loc))"),
            Printed("\"x\"() : () -> ()"));
}

TEST(Attribute, OtherDialectsAreKeptAsText) {
  ExpectSpelledAlike("#sdy.sharding<@mesh, [{\"a\"}, {?}], (->)>");
  ExpectSpelledAlike("#foo<bar[1]>");
  ExpectSpelledAlike("#foo.bar");
  EXPECT_EQ(Spelled("#foo.bar<(>)"), "1:22: expected ')', not '>'");
  EXPECT_EQ(Spelled("#foo.bar<("), "1:22: expected ')', not '}'");
}

TEST(Attribute, EnumsHaveAKindAndAConstant) {
  ExpectSpelledAlike("#stablehlo<comparison_direction LT>");
  ExpectSpelledAlike("#chlo<comparison_type FLOAT>");
  ExpectSpelledAlike("#stablehlo.result_accuracy_mode<HIGHEST>");
  EXPECT_EQ(Spelled("#stablehlo<1>"),
            "1:23: expected the name of an enum, not '1'");
  EXPECT_EQ(Spelled("#stablehlo<precision>"),
            "1:32: expected the name of a constant, not '>'");
  EXPECT_EQ(Spelled("#stablehlo.result_accuracy_mode<1>"),
            "1:44: expected the name of a constant, not '1'");
}

TEST(Attribute, StructsHaveFields) {
  EXPECT_EQ(Spelled("#stablehlo.gather<index_vector_dim = 1, offset_dims = "
                    "[0], collapsed_slice_dims = [],>"),
            "#stablehlo.gather<offset_dims = [0], index_vector_dim = 1>");
  EXPECT_EQ(Spelled("#stablehlo.scatter<index_vector_dim = 0>"),
            "#stablehlo.scatter<>");
  ExpectSpelledAlike("#stablehlo.dot<lhs_contracting_dimensions = [1]>");
  ExpectSpelledAlike("#stablehlo.channel_handle<handle = 0, type = 2>");
  ExpectSpelledAlike(
      "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type "
      "= tf32, accumulation_type = f32, lhs_component_count = 1, "
      "rhs_component_count = 1, num_primitive_operations = 1, "
      "allow_imprecise_accumulation = false>");
  ExpectSpelledAlike(
      "#stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 2.000000e+00, "
      "ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>");
  ExpectSpelledAlike(
      "#stablehlo.output_operand_alias<output_tuple_indices = [0], "
      "operand_index = 0, operand_tuple_indices = [1]>");
  ExpectSpelledAlike("#stablehlo.bounds<?, 4>");
  EXPECT_EQ(Spelled("#stablehlo.type_extensions<bounds = [?, 4]>"),
            "#stablehlo.bounds<?, 4>");
}

// MLIR refuses these, too.
TEST(Attribute, FieldsWithoutADefaultAreGiven) {
  EXPECT_EQ(Spelled("#stablehlo.channel_handle<handle = 1>"),
            "1:38: #stablehlo.channel_handle lacks the field 'type'");
  EXPECT_EQ(Spelled("#stablehlo.dot_algorithm<lhs_precision_type = tf32>"),
            "1:37: #stablehlo.dot_algorithm lacks the field "
            "'rhs_precision_type'");
  EXPECT_EQ(Spelled("#stablehlo.output_operand_alias<>"),
            "1:44: #stablehlo.output_operand_alias lacks the field "
            "'operand_index'");
  // A position that is left out is 0.
  ExpectSpelledAlike("#stablehlo.conv<raw input_feature_dimension = 2>");
}

TEST(Attribute, FieldsThatAStructDoesNotHaveAreRefused) {
  EXPECT_EQ(Spelled("#stablehlo.dot<a = []>"),
            "1:27: #stablehlo.dot has no field 'a'");
  EXPECT_EQ(Spelled("#stablehlo.gather<offset_dims = [], offset_dims = []>"),
            "1:48: field 'offset_dims' is given twice");
  EXPECT_EQ(Spelled("#stablehlo.gather<offset_dims = [a]>"),
            "1:45: expected an integer, not 'a'");
  EXPECT_EQ(Spelled("#stablehlo.gather<offset_dims = 1>"),
            "1:44: expected '[', not '1'");
  EXPECT_EQ(Spelled("#stablehlo.gather<1>"),
            "1:30: expected the name of a field, not '1'");
  EXPECT_EQ(Spelled("#stablehlo.gather<index_vector_dim = 1 "
                    "offset_dims = []>"),
            "1:51: expected ',', not 'offset_dims'");
  EXPECT_EQ(Spelled("#stablehlo.gather<index_vector_dim = "
                    "99999999999999999999>"),
            "1:49: '99999999999999999999' does not fit 63 bits");
  EXPECT_EQ(Spelled("#stablehlo.result_accuracy<atol = true>"),
            "1:46: field 'atol' is a float");
  EXPECT_EQ(Spelled("#stablehlo.result_accuracy<mode = 1>"),
            "1:46: field 'mode' is an enum");
  EXPECT_EQ(Spelled("#stablehlo.dot_algorithm<accumulation_type = 1>"),
            "1:57: field 'accumulation_type' is a type");
  EXPECT_EQ(Spelled("#stablehlo.dot_algorithm<allow_imprecise_accumulation = "
                    "1>"),
            "1:68: expected 'false', not '1'");
  EXPECT_EQ(Spelled("#stablehlo.mesh<1>"),
            "1:12: attributes of the kind '#stablehlo.mesh' are not read");
  EXPECT_EQ(Spelled("#stablehlo.dot"), "1:26: expected '<', not '}'");
}

TEST(Attribute, DimensionsOfConvolutions) {
  ExpectSpelledAlike(
      "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>");
  ExpectSpelledAlike("#stablehlo.conv<[b, f]x[i, o]->[b, f]>");
  ExpectSpelledAlike("#stablehlo.conv<[b, ?, 0, f]x[0, i, o]->[1, b, 0, f]>");
  const std::string kGiven =
      "input_feature_dimension = 1, kernel_input_feature_dimension = 0, "
      "kernel_output_feature_dimension = 1, output_batch_dimension = 0, "
      "output_feature_dimension = 1>";
  EXPECT_EQ(Spelled("#stablehlo.conv<raw input_batch_dimension = 0, " + kGiven),
            "#stablehlo.conv<[b, f]x[i, o]->[b, f]>");
  // Letters cannot spell these bytes.
  ExpectSpelledAlike("#stablehlo.conv<raw input_batch_dimension = 1, " +
                     kGiven);
  ExpectSpelledAlike("#stablehlo.conv<raw " + kGiven);
  EXPECT_EQ(Spelled("#stablehlo.conv<a>"), "1:28: expected 'raw', not 'a'");
  EXPECT_EQ(Spelled("#stablehlo.conv<[b]x[i, o]->[b, f]>"),
            "1:28: dimension 'f' is not given");
  EXPECT_EQ(Spelled("#stablehlo.conv<[b, f, 1]x[i, o]->[b, f]>"),
            "1:28: spatial dimension 0 is not given");
  EXPECT_EQ(Spelled("#stablehlo.conv<[b, f, b]x[i, o]->[b, f]>"),
            "1:35: dimension 'b' is given twice");
  EXPECT_EQ(Spelled("#stablehlo.conv<[b, f, i]x[i, o]->[b, f]>"),
            "1:35: expected b, f or the number of a dimension, not 'i'");
  EXPECT_EQ(Spelled("#stablehlo.conv<[b, f]->[i, o]->[b, f]>"),
            "1:34: expected 'x', not '->'");
  EXPECT_EQ(Spelled("#stablehlo.conv<[b, f]x[i, o]x[b, f]>"),
            "1:41: expected '->', not 'x'");
}

TEST(Attribute, PartsAreFound) {
  const Chunk chunk = ParseChunk(
      {"\"x\"() {v = #stablehlo.gather<offset_dims = [2]>} : () -> ()"});
  const Attribute* const v =
      Find(chunk.module.regions[0].statements[0].attributes, "v");
  ASSERT_NE(v, nullptr);
  const auto* gather = v->As<StructAttribute>();
  ASSERT_NE(gather, nullptr);
  EXPECT_EQ(gather->name, "gather");
  const Attribute* const dims = Find(gather->fields, "offset_dims");
  ASSERT_NE(dims, nullptr);
  EXPECT_EQ(
      dims->As<ListAttribute>()->elements[0].As<IntegerAttribute>()->value, 2);
  EXPECT_EQ(Find(gather->fields, "index_vector_dim"), nullptr);
}

}  // namespace
}  // namespace assay::text
