// Every pretty form, beside the generic form that it stands for.
#include "spec/text/form.h"

#include <gtest/gtest.h>

#include "spec/text/form_table.h"
#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

void ExpectGeneric(const std::string& pretty, const std::string& generic) {
  EXPECT_EQ(PrintedStatements(pretty), generic + "\n") << pretty;
}

TEST(Form, UnaryAndBinaryOpsHaveOneTypeOrAll) {
  for (const OpForm& op : OpForms()) {
    if (op.forms.size() != 1) continue;
    const std::string& name = op.name;
    const std::vector<FormItem>& items = op.forms[0].items;
    if (op.forms[0].types != "same") continue;
    if (items.size() == 2) {
      ExpectGeneric("%0 = " + name + " %x {a} : tensor<2xi8>",
                    "%0 = \"" + name +
                        "\"(%x) {a} : (tensor<2xi8>) -> "
                        "tensor<2xi8>");
      ExpectGeneric("%0 = " + name + " %x : (tensor<2xi8>) -> tensor<2xi4>",
                    "%0 = \"" + name +
                        "\"(%x) : (tensor<2xi8>) -> "
                        "tensor<2xi4>");
    } else if (items.size() == 4 && items[2].kind == FormItem::Kind::kOperand) {
      ExpectGeneric("%0 = " + name + " %x, %y : tensor<2xi8>",
                    "%0 = \"" + name +
                        "\"(%x, %y) : (tensor<2xi8>, "
                        "tensor<2xi8>) -> tensor<2xi8>");
      ExpectGeneric("%0 = " + name + " %x, %y {a} : (i8, i4) -> i2",
                    "%0 = \"" + name + "\"(%x, %y) {a} : (i8, i4) -> i2");
    }
  }
}

TEST(Form, ConstantsHaveTheTypeOfTheirValue) {
  ExpectGeneric("%0 = stablehlo.constant {a = 1 : i32} dense<1> : tensor<2xi8>",
                "%0 = \"stablehlo.constant\"() <{value = dense<1> : "
                "tensor<2xi8>}> {a = 1 : i32} : () -> tensor<2xi8>");
  ExpectGeneric(
      "%0 = stablehlo.constant() <{value = dense<1> : tensor<i8>}> "
      "{b} : () -> tensor<i8>",
      "%0 = \"stablehlo.constant\"() <{value = dense<1> : "
      "tensor<i8>}> {b} : () -> tensor<i8>");
  ExpectGeneric(
      "%0 = stablehlo.constant() {value = dense<1> : tensor<i8>} : "
      "() -> tensor<i8>",
      "%0 = \"stablehlo.constant\"() <{value = dense<1> : "
      "tensor<i8>}> : () -> tensor<i8>");
  for (const auto& [value, type] : {std::pair{"1 : i32", "i32"},
                                    {"1.000000e+00 : f32", "f32"},
                                    {"true", "i1"},
                                    {"1 : i64", "i64"}})
    ExpectGeneric(std::string("%0 = arith.constant ") + value,
                  std::string("%0 = \"arith.constant\"() <{value = ") + value +
                      "}> : () -> " + type);
  ExpectGeneric("%0 = arith.constant 1",
                "%0 = \"arith.constant\"() <{value = 1 : i64}> : () -> i64");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.constant \"a\""),
            "1:6: attribute 'value' has no type");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.constant array<i8: 1>"),
            "1:6: attribute 'value' has no type");
}

TEST(Form, TypesOfOperandsFollowFromTheForm) {
  ExpectGeneric("%0 = stablehlo.complex %a, %b : tensor<2xcomplex<f64>>",
                "%0 = \"stablehlo.complex\"(%a, %b) : (tensor<2xf64>, "
                "tensor<2xf64>) -> tensor<2xcomplex<f64>>");
  ExpectGeneric(
      "%0 = stablehlo.complex %a, %b : (tensor<f32>, tensor<f32>) -> "
      "tensor<complex<f32>>",
      "%0 = \"stablehlo.complex\"(%a, %b) : (tensor<f32>, "
      "tensor<f32>) -> tensor<complex<f32>>");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.complex %a, %b : tensor<f32>"),
            "1:31: the type is not a tensor of complex numbers");
  ExpectGeneric("%0 = stablehlo.clamp %a, %b, %c : tensor<i8>",
                "%0 = \"stablehlo.clamp\"(%a, %b, %c) : (tensor<i8>, "
                "tensor<i8>, tensor<i8>) -> tensor<i8>");
  ExpectGeneric("%0 = stablehlo.select %a, %b, %c : tensor<i1>, tensor<i8>",
                "%0 = \"stablehlo.select\"(%a, %b, %c) : (tensor<i1>, "
                "tensor<i8>, tensor<i8>) -> tensor<i8>");
  ExpectGeneric("%0 = stablehlo.select %a, %b, %c : (i1, i8, i8) -> i8",
                "%0 = \"stablehlo.select\"(%a, %b, %c) : (i1, i8, i8) -> i8");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.select %a, %b, %c : i1"),
            "1:38: expected ',', not the end of the text");
  ExpectGeneric("%0 = stablehlo.tuple %a, %b : tuple<i8, i4>",
                "%0 = \"stablehlo.tuple\"(%a, %b) : (i8, i4) -> tuple<i8, i4>");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.tuple %a, %b : i8"),
            "1:29: the type is not a tuple");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.tuple %a : tuple<>"),
            "1:6: the op has 1 operands, and 0 types of operands");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.add %a, %b tensor<i8>"),
            "1:27: expected ':', not 'tensor'");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.reshape %a : i8"),
            "1:29: expected '(', not 'i8'");
  EXPECT_EQ(ErrorOfStatements("%0 = stablehlo.reshape %a : (i8) i8"),
            "1:34: expected '->', not 'i8'");
}

TEST(Form, AttributesStandBehindWords) {
  const auto expect = [](const std::string& op, const std::string& pretty,
                         const std::string& operands,
                         const std::string& properties,
                         const std::string& types) {
    ExpectGeneric("%0 = stablehlo." + op + " " + pretty + " {z} : " + types,
                  "%0 = \"stablehlo." + op + "\"(" + operands + ") <{" +
                      properties + "}> {z} : " + types);
  };
  const std::string one = "(i8) -> i8", two = "(i8, i8) -> i8",
                    none = "() -> i8";
  expect("compare", "LT, %a, %b", "%a, %b",
         "comparison_direction = #stablehlo<comparison_direction LT>", two);
  expect("compare", "NE, %a, %b, TOTALORDER", "%a, %b",
         "compare_type = #stablehlo<comparison_type TOTALORDER>, "
         "comparison_direction = #stablehlo<comparison_direction NE>",
         two);
  expect("broadcast_in_dim", "%a, dims = [0, 2]", "%a",
         "broadcast_dimensions = array<i64: 0, 2>", one);
  expect("dynamic_broadcast_in_dim", "%a, %b, dims = []", "%a, %b",
         "broadcast_dimensions = array<i64>", two);
  expect("transpose", "%a, dims = [1, 0]", "%a",
         "permutation = array<i64: 1, 0>", one);
  expect("reverse", "%a, dims = [0]", "%a", "dimensions = array<i64: 0>", one);
  ExpectGeneric("%0 = stablehlo.iota dim = 1 : i8",
                "%0 = \"stablehlo.iota\"() <{iota_dimension = 1 : i64}> : () "
                "-> i8");
  expect("dynamic_iota", "%a, dim = 0", "%a", "iota_dimension = 0 : i64", one);
  expect("concatenate", "%a, %b, dim = 0", "%a, %b", "dimension = 0 : i64",
         two);
  expect("concatenate", "dim = 0", "", "dimension = 0 : i64", none);
  expect("slice", "%a [0:4, 1:9:2]", "%a",
         "limit_indices = array<i64: 4, 9>, start_indices = array<i64: 0, 1>, "
         "strides = array<i64: 1, 2>",
         one);
  expect("slice", "%a []", "%a",
         "limit_indices = array<i64>, start_indices = array<i64>, strides = "
         "array<i64>",
         one);
  expect("dynamic_slice", "%a, %b, sizes = [2]", "%a, %b",
         "slice_sizes = array<i64: 2>", two);
  expect("pad", "%a, %b, low = [0], high = [-1], interior = [2]", "%a, %b",
         "edge_padding_high = array<i64: -1>, edge_padding_low = array<i64: "
         "0>, interior_padding = array<i64: 2>",
         two);
  expect("fft", "%a, type = RFFT, length = [8]", "%a",
         "fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>",
         one);
  expect("cholesky", "%a, lower = true", "%a", "lower = true", one);
  expect("rng", "%a, %b, %c, distribution = UNIFORM", "%a, %b, %c",
         "rng_distribution = #stablehlo<rng_distribution UNIFORM>",
         "(i8, i8, i8) -> i8");
  expect("rng_bit_generator", "%a, algorithm = PHILOX", "%a",
         "rng_algorithm = #stablehlo<rng_algorithm PHILOX>", one);
  expect("reduce_precision", "%a, format = e5m10", "%a",
         "exponent_bits = 5 : i32, mantissa_bits = 10 : i32", one);
  expect("get_dimension_size", "%a, dim = 1", "%a", "dimension = 1 : i64", one);
  expect("set_dimension_size", "%a, %b, dim = 1", "%a, %b",
         "dimension = 1 : i64", two);
  expect("get_tuple_element", "%a[1]", "%a", "index = 1 : i32", one);
  expect("custom_call", "@foo.bar(%a)", "%a", "call_target_name = \"foo.bar\"",
         one);
  expect("custom_call", "\"foo\"()", "", "call_target_name = \"foo\"", none);
  expect("composite", "\"foo\" %a, %b", "%a, %b", "name = \"foo\"", two);
  expect("dot", "%a, %b, precision = [HIGH]", "%a, %b",
         "precision_config = [#stablehlo<precision HIGH>]", two);
  expect("dot_general", "%a, %b, contracting_dims = [1] x [0]", "%a, %b",
         "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
         "[1], rhs_contracting_dimensions = [0]>",
         two);
  const std::string algorithm =
      "<lhs_precision_type = tf32, rhs_precision_type = tf32, "
      "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = "
      "1, num_primitive_operations = 1, allow_imprecise_accumulation = false>";
  expect("dot_general",
         "%a, %b, batching_dims = [0] x [1], contracting_dims = [] x [], "
         "precision = [DEFAULT, HIGHEST], algorithm = " +
             algorithm,
         "%a, %b",
         "algorithm = #stablehlo.dot_algorithm" + algorithm +
             ", "
             "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = "
             "[0], rhs_batching_dimensions = [1]>, precision_config = "
             "[#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]",
         two);
}

TEST(Form, ConvolutionsHaveAWindow) {
  const std::string begin =
      "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, "
      "o]->[b, 0, f], window = {";
  const std::string end = "} {feature_group_count = 1 : i64} : (i8, i8) -> i8";
  const auto generic = [](const std::string& before, const std::string& after) {
    return "%0 = \"stablehlo.convolution\"(%a, %b) <{dimension_numbers = "
           "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
           "feature_group_count = 1 : i64" +
           before + after + "}> : (i8, i8) -> i8";
  };
  ExpectGeneric(begin + end, generic("", ""));
  ExpectGeneric(begin +
                    "reverse = [true], stride = [2], pad = [[0, 1]], "
                    "lhs_dilate = [3], rhs_dilate = [4]" +
                    end,
                generic(", lhs_dilation = array<i64: 3>, padding = dense<[[0, "
                        "1]]> : tensor<1x2xi64>, rhs_dilation = array<i64: 4>",
                        ", window_reversal = array<i1: true>, window_strides "
                        "= array<i64: 2>"));
  ExpectGeneric(begin + "pad = [], reverse = [0, 1]" + end,
                generic(", padding = dense<> : tensor<0x2xi64>",
                        ", window_reversal = array<i1: false, true>"));
  EXPECT_EQ(ErrorOfStatements(begin + "foo = 1" + end),
            "1:92: expected stride, pad, lhs_dilate, rhs_dilate or reverse, "
            "not 'foo'");
  EXPECT_EQ(ErrorOfStatements(begin + "stride = [], stride = []" + end),
            "1:105: 'stride' is given twice");
  EXPECT_EQ(ErrorOfStatements(begin + "pad = [[1]]" + end), "")
      << "a constraint of the op asks for two numbers";
  EXPECT_EQ(ErrorOfStatements(begin + "pad = [[1, 2], [1]]" + end),
            "1:107: the rows of the padding differ in length");
  EXPECT_EQ(ErrorOfStatements(begin + "reverse = [2]" + end),
            "1:103: expected 'true' or 'false', not '2'");
}

TEST(Form, LoopsDefineTheirArguments) {
  ExpectGeneric(
      "%0:2 = stablehlo.while(%a = %x, %b = %y) : i8, i4 attributes {z} cond "
      "{ stablehlo.return %b : i4 } do { stablehlo.return %a, %b : i8, i4 }",
      "%0:2 = \"stablehlo.while\"(%x, %y) ({\n"
      "^bb0(%arg2: i8, %arg3: i4):\n"
      "  \"stablehlo.return\"(%arg3) : (i4) -> ()\n"
      "}, {\n"
      "^bb0(%arg0: i8, %arg1: i4):\n"
      "  \"stablehlo.return\"(%arg0, %arg1) : (i8, i4) -> ()\n"
      "}) {z} : (i8, i4) -> (i8, i4)");
  EXPECT_EQ(ErrorOfStatements("stablehlo.while() cond { \"a\"() : () -> () } "
                              "do {}"),
            "");
  EXPECT_EQ(ErrorOfStatements("stablehlo.while(%a = %x) cond {} do {}"),
            "1:26: the loop has 1 values, and 0 types");
  EXPECT_EQ(ErrorOfStatements("stablehlo.while(1)"),
            "1:17: expected an argument '%name', not '1'");
  EXPECT_EQ(ErrorOfStatements("stablehlo.while() do"),
            "1:19: expected 'cond', not 'do'");
  EXPECT_EQ(ErrorOf("stablehlo.while(%a = %a) : i8 cond {} do {}"),
            "1:22: %a is not defined here");
}

TEST(Form, ReductionsApplyAnOpOrHaveABody) {
  ExpectGeneric(
      "%0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across "
      "dimensions = [1] {z} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>",
      "%0 = \"stablehlo.reduce\"(%a, %b) <{dimensions = array<i64: 1>}> ({\n"
      "^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):\n"
      "  %1 = \"stablehlo.add\"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> "
      "tensor<f32>\n"
      "  \"stablehlo.return\"(%1) : (tensor<f32>) -> ()\n"
      "}) {z} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>");
  ExpectGeneric(
      "%0:2 = stablehlo.reduce(%a init: %b), (%c init: %d) across dimensions = "
      "[0] : (i8, i4, i8, i4) -> (i8, i4)\n"
      " reducer(%x: i8, %y: i8) (%u: i4, %v: i4) { stablehlo.return %x, %u : "
      "i8, i4 }",
      "%0:2 = \"stablehlo.reduce\"(%a, %c, %b, %d) <{dimensions = array<i64: "
      "0>}> ({\n"
      "^bb0(%arg0: i8, %arg1: i4, %arg2: i8, %arg3: i4):\n"
      "  \"stablehlo.return\"(%arg0, %arg1) : (i8, i4) -> ()\n"
      "}) : (i8, i4, i8, i4) -> (i8, i4)");
  const std::string begin = "%0 = stablehlo.reduce(%a init: %b) ";
  EXPECT_EQ(ErrorOfStatements(begin + "applies stablehlo.divide"),
            "1:44: expected one of stablehlo.add, stablehlo.and, "
            "stablehlo.maximum, stablehlo.minimum, stablehlo.multiply, "
            "stablehlo.or, stablehlo.xor, not 'stablehlo.divide'");
  EXPECT_EQ(ErrorOfStatements(begin + "applies stablehlo.add across dimensions "
                                      "= [] : (i8, i8) -> i8"),
            "1:83: the first operand is not a tensor");
  EXPECT_EQ(ErrorOfStatements(begin + "across dimensions = [] : (i8, i8) -> i8 "
                                      "reducer(%x: i8) {}"),
            "1:83: the reducer has two arguments for each operand");
  EXPECT_EQ(
      ErrorOfStatements(begin + "across dimensions = [] : (i8, i8) -> i8"),
      "1:75: expected 'reducer', not the end of the text");
  EXPECT_EQ(ErrorOfStatements("stablehlo.reduce(%a %b)"),
            "1:21: expected 'init', not '%b'");
}

TEST(Form, OpsWithoutOperands) {
  ExpectGeneric("%0 = stablehlo.after_all : !stablehlo.token",
                "%0 = \"stablehlo.after_all\"() : () -> !stablehlo.token");
  ExpectGeneric("%0 = stablehlo.after_all %a, %b : !stablehlo.token",
                "%0 = \"stablehlo.after_all\"(%a, %b) : (!stablehlo.token, "
                "!stablehlo.token) -> !stablehlo.token");
  for (const char* op : {"create_token", "replica_id", "partition_id"})
    ExpectGeneric(
        std::string("%0 = stablehlo.") + op + " : tensor<ui32>",
        std::string("%0 = \"stablehlo.") + op + "\"() : () -> tensor<ui32>");
  ExpectGeneric("stablehlo.optimization_barrier()",
                "\"stablehlo.optimization_barrier\"() : () -> ()");
  ExpectGeneric("%0:2 = stablehlo.optimization_barrier %a, %b : i8, i4",
                "%0:2 = \"stablehlo.optimization_barrier\"(%a, %b) : (i8, i4) "
                "-> (i8, i4)");
  ExpectGeneric("stablehlo.return", "\"stablehlo.return\"() : () -> ()");
  ExpectGeneric("return %a, %b : i8, i4",
                "\"func.return\"(%a, %b) : (i8, i4) -> ()");
  ExpectGeneric("%0 = call @f(%a) {z} : (i8) -> i4",
                "%0 = \"func.call\"(%a) <{callee = @f}> {z} : (i8) -> i4");
}

TEST(Form, ChecksOfThePeer) {
  ExpectGeneric("check.expect_eq %a, %b : i8",
                "\"check.expect_eq\"(%a, %b) : (i8, i8) -> ()");
  ExpectGeneric("check.expect_eq_const %a, dense<1> : tensor<i8>",
                "\"check.expect_eq_const\"(%a) {value = dense<1> : tensor<i8>} "
                ": (tensor<i8>) -> ()");
  ExpectGeneric("check.expect_almost_eq %a, %b, tolerance = 0.5 : i8",
                "\"check.expect_almost_eq\"(%a, %b) {tolerance = 5.000000e-01 "
                ": f64} : (i8, i8) -> ()");
  ExpectGeneric(
      "check.expect_almost_eq_const %a, dense<1.0> : tensor<f32> "
      "{tolerance = 0.5 : f64}",
      "\"check.expect_almost_eq_const\"(%a) {tolerance = "
      "5.000000e-01 : f64, value = dense<1.000000e+00> : "
      "tensor<f32>} : (tensor<f32>) -> ()");
  ExpectGeneric(
      "check.expect_close %a, %b, max_ulp_difference = 3, "
      "min_ulp_difference = 1 : i8, i8",
      "\"check.expect_close\"(%a, %b) {max_ulp_difference = 3 : i64, "
      "min_ulp_difference = 1 : i64} : (i8, i8) -> ()");
  ExpectGeneric(
      "check.expect_serialized_eq %a, probe_id = \"p\", iter = 1 : "
      "i8",
      "\"check.expect_serialized_eq\"(%a) {iter = 1 : i32, probe_id "
      "= \"p\"} : (i8) -> ()");
  ExpectGeneric("%0 = interpreter.probe %a, probe_id = \"p\" : i8",
                "%0 = \"interpreter.probe\"(%a) {probe_id = \"p\"} : (i8) -> "
                "i8");
  ExpectGeneric("interpreter.print %a : i8",
                "\"interpreter.print\"(%a) : (i8) -> ()");
}

TEST(Form, WhatAFormDoesNotHaveIsRefusedWhereItStands) {
  const auto error = [](const std::string& text) {
    return ErrorOfStatements("%0 = stablehlo." + text);
  };
  EXPECT_EQ(error("compare XX, %a, %b"),
            "1:24: expected a comparison_direction (EQ, NE, GE, GT, LE, LT), "
            "not 'XX'");
  EXPECT_EQ(error("compare LT %a, %b"), "1:27: expected ',', not '%a'");
  EXPECT_EQ(error("transpose %a, dims = [1, [0]]"),
            "1:41: expected an integer, not '['");
  EXPECT_EQ(error("iota dim = x"), "1:27: expected an integer, not 'x'");
  EXPECT_EQ(error("get_tuple_element %a[9999999999]"),
            "1:37: 9999999999 is no value of i32");
  EXPECT_EQ(error("cholesky %a, lower = 1"),
            "1:37: expected 'true' or 'false', not '1'");
  EXPECT_EQ(error("reduce_precision %a, format = m5"),
            "1:46: expected a format as e5m10, not 'm5'");
  EXPECT_EQ(error("reduce_precision %a, format = e5m9999999999"),
            "1:46: expected a format as e5m10 whose numbers are of i32, not "
            "'e5m9999999999'");
  EXPECT_EQ(error("slice %a [0]"), "1:27: expected ':', not ']'");
  EXPECT_EQ(error("concatenate %a, : i8"), "1:32: expected 'dim', not ':'");
  EXPECT_EQ(error("concatenate %a %b, dim = 0"),
            "1:31: expected ',', not '%b'");
  EXPECT_EQ(error("optimization_barrier %a, : i8"),
            "1:41: expected a value '%name', not ':'");
  EXPECT_EQ(error("composite @a"), "1:26: expected a string, not '@a'");
  EXPECT_EQ(error("custom_call 1()"), "1:28: expected a string, not '1'");
  EXPECT_EQ(error("add %a, %b {c, c} : i8"),
            "1:32: attribute 'c' is given twice");
  EXPECT_EQ(error("transpose %a, dims = [] {permutation = 1} : (i8) -> i8"),
            "1:6: attribute 'permutation' is given twice");
  EXPECT_EQ(error("dot_general %a, %b, contracting_dims = [0], [0]"),
            "1:58: expected 'x', not ','");
  EXPECT_EQ(error("dot %a, %b, precision = [foo]"),
            "1:41: expected a precision (DEFAULT, HIGH, HIGHEST), not 'foo'");
  EXPECT_EQ(ErrorOfStatements("call f() : () -> ()"),
            "1:6: expected a symbol '@name', not 'f'");
}

}  // namespace
}  // namespace assay::text
