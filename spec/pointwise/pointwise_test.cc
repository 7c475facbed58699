// Tests pointwise calls: what is inferred, what is refused and why, and the
// program that a call stands for.
#include "spec/pointwise/pointwise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TensorType PointwiseType(const std::string& text) {
  std::string reason;
  const auto type = ParseTensorType("tensor<" + text + ">", &reason);
  EXPECT_TRUE(type) << reason;
  return type.value_or(TensorType{});
}

// Returns a call with operands in the op's order, where "scalar f64" is a
// number, and with the inferred results.
Op PointwiseOp(const std::string& id, const std::vector<std::string>& operands,
               const std::string& methods) {
  Op op;
  op.op = id;
  const OpSpec& spec = *FindOp(id);
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string text = operands[i];
    const bool is_scalar = text.starts_with("scalar ");
    if (is_scalar) text = text.substr(7);
    op.inputs.push_back({spec.inputs[i].name, spec.inputs[i].name,
                         PointwiseType(text), is_scalar});
  }
  if (!methods.empty()) op.attributes.push_back({"promotion_methods", methods});
  const auto inferred = InferResultTypes(spec, op);
  for (size_t k = 0; k < spec.outputs.size(); ++k) {
    if (!inferred[k].shape || !inferred[k].element_type) continue;
    op.outputs.push_back({spec.outputs[k].name,
                          spec.outputs[k].name,
                          {*inferred[k].shape, *inferred[k].element_type}});
  }
  return op;
}

std::string ResultType(const Op& op) {
  return op.outputs.empty() ? "none" : op.outputs[0].type.ToString();
}

// Returns a text such as "PD-03: dimension 0 is ..".
std::string FindingsOf(const Op& op) {
  std::vector<std::string> texts;
  for (const BuiltinFinding& finding :
       AnalysePointwise(*FindOp(op.op), op).findings)
    texts.push_back(fmt::format("{}: {}", finding.label, finding.reason));
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<std::string> ProgramOf(const Op& op, size_t output = 0) {
  std::vector<std::string> lines;
  for (const Op& step : Desugar(*FindOp(op.op), op,
                                AnalyseOperands(*FindOp(op.op), op), output)) {
    std::vector<std::string> values;
    for (const Op::Operand& operand : step.inputs)
      values.push_back(operand.value);
    lines.push_back(fmt::format("{} = {}({}) {}", step.outputs[0].value,
                                step.op, fmt::join(values, ", "),
                                step.outputs[0].type.ToString()));
  }
  return lines;
}

constexpr const char* kBoth = R"([[0, 1, "DEFAULT"]])";

TEST(PointwiseSpec, EveryElementwiseOpHasOneOrAReason) {
  for (const OpSpec& spec : Ops()) {
    if (!spec.elementwise || spec.source != "stablehlo" ||
        !spec.unjudged.empty())
      continue;
    const bool has_one = FindOp("pointwise." + spec.id) != nullptr;
    EXPECT_EQ(has_one, spec.id != "convert" && spec.id != "complex") << spec.id;
  }
  EXPECT_EQ(FindOp("pointwise.bitcast_convert"), nullptr);
  EXPECT_EQ(FindOp("pointwise.polar")->outputs.size(), 2u);
}

TEST(PointwiseSpec, ShapesBroadcastAndTypesPromote) {
  EXPECT_EQ(
      ResultType(PointwiseOp("pointwise.add", {"3x1xi8", "4xi32"}, kBoth)),
      "tensor<3x4xi32>");
  EXPECT_EQ(
      ResultType(PointwiseOp("pointwise.add", {"3xi8", "scalar f64"}, kBoth)),
      "tensor<3xf32>");
  EXPECT_EQ(ResultType(PointwiseOp("pointwise.compare", {"0xf16", "1xf16"},
                                   R"([[0, 1, "ALWAYS_BOOL"]])")),
            "tensor<0xi1>");
  EXPECT_EQ(ResultType(PointwiseOp("pointwise.abs", {"2xcomplex<f64>"},
                                   R"([[0, "COMPLEX_TO_FLOAT"]])")),
            "tensor<2xf64>");
}

TEST(PointwiseSpec, WhatDoesNotHoldIsNamed) {
  EXPECT_EQ(FindingsOf(PointwiseOp("pointwise.add", {"3xi8", "3xi8"}, kBoth)),
            "");
  EXPECT_THAT(
      FindingsOf(PointwiseOp("pointwise.add", {"2x3xi8", "2x4xi8"}, kBoth)),
      HasSubstr("PD-03: dimension 1 is 3 in lhs and 4 in rhs"));
  EXPECT_EQ(FindingsOf(PointwiseOp("pointwise.add", {"3xi8", "3xi8"}, "")),
            "PD-21: the call has no promotion_methods");
  EXPECT_THAT(FindingsOf(PointwiseOp("pointwise.add", {"3xi8", "3xi8"},
                                     R"([[0, 2, "DEFAULT"]])")),
              HasSubstr("PD-21: there is no argument 2: the call has 2"));
  EXPECT_THAT(
      FindingsOf(PointwiseOp("pointwise.polar", {"3xf32", "3xf32"}, kBoth)),
      HasSubstr("1 list(s) for 2 output(s)"));
  EXPECT_THAT(FindingsOf(PointwiseOp("pointwise.add", {"3xi8", "3xi8"},
                                     R"([[0, 1, "SUM"]])")),
              HasSubstr("PD-28"));
  EXPECT_THAT(
      FindingsOf(PointwiseOp("pointwise.add", {"3xi8", "3xf32"},
                             R"([[0, "DEFAULT"]])")),
      HasSubstr("P2: rhs is tensor<3xf32>, and the computation is in i8"));
  EXPECT_THAT(
      FindingsOf(PointwiseOp("pointwise.shift_left", {"3xi8", "3xf32"}, kBoth)),
      HasSubstr("P1: shift_left/I1 is false"));
}

TEST(PointwiseSpec, OutputsAreChecked) {
  Op op = PointwiseOp("pointwise.add", {"3x1xi8", "4xi32"}, kBoth);
  op.outputs[0].type = PointwiseType("3x4xi8");
  EXPECT_EQ(FindingsOf(op),
            "PD-16: result is tensor<3x4xi8>, and promotion gives "
            "tensor<3x4xi32>");
  op.outputs[0].type = PointwiseType("3x1xi32");
  EXPECT_THAT(FindingsOf(op), HasSubstr("broadcast to tensor<3x4xi32>"));
  op.outputs[0].type = PointwiseType("3x4xi32");
  op.outputs[0].in_place = 1;
  EXPECT_EQ(FindingsOf(op),
            "PD-32: result is tensor<3x4xi32> and lies in the memory of rhs, "
            "which is tensor<4xi32>");
  // No memory is shared where there are no elements.
  op = PointwiseOp("pointwise.add", {"1x1xi32", "3x1x0xi32"}, kBoth);
  op.outputs[0].in_place = 0;
  EXPECT_EQ(FindingsOf(op), "");
}

TEST(PointwiseSpec, ACallIsAProgram) {
  EXPECT_THAT(
      ProgramOf(PointwiseOp("pointwise.add", {"3x1xf16", "4xf16"}, kBoth)),
      ElementsAre("0.lhs.converted = convert(lhs) tensor<3x1xf32>",
                  "0.lhs.broadcast = broadcast_in_dim(0.lhs.converted) "
                  "tensor<3x4xf32>",
                  "0.rhs.converted = convert(rhs) tensor<4xf32>",
                  "0.rhs.broadcast = broadcast_in_dim(0.rhs.converted) "
                  "tensor<3x4xf32>",
                  "0.result = add(0.lhs.broadcast, 0.rhs.broadcast) "
                  "tensor<3x4xf32>",
                  "result = convert(0.result) tensor<3x4xf16>"));
  EXPECT_THAT(ProgramOf(PointwiseOp("pointwise.add", {"4xi8", "4xi8"}, kBoth)),
              ElementsAre("result = add(lhs, rhs) tensor<4xi8>"));
  EXPECT_THAT(ProgramOf(PointwiseOp("pointwise.copy_func", {"4xf8E4M3FN"},
                                    R"([[0, "NO_OPMATH"]])")),
              ElementsAre("result = broadcast_in_dim(x) tensor<4xf8E4M3FN>"));
  EXPECT_THAT(
      ProgramOf(PointwiseOp("pointwise.select", {"4xi1", "4xi8", "4xi8"},
                            R"([[1, 2, "NO_OPMATH"]])")),
      ElementsAre("result = select(pred, on_true, on_false) tensor<4xi8>"));
}

TEST(PointwiseSpec, AnOutputIsMadeOfItsOwnSteps) {
  const Op op = PointwiseOp("pointwise.polar", {"4xf64", "4xf64"},
                            R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])");
  EXPECT_THAT(ProgramOf(op, 0),
              ElementsAre("0.cos = cosine(angle) tensor<4xf64>",
                          "real = multiply(abs, 0.cos) tensor<4xf64>"));
  EXPECT_THAT(ProgramOf(op, 1),
              testing::Contains("imag = multiply(abs, 1.sin) tensor<4xf64>"));
}

}  // namespace
}  // namespace assay
