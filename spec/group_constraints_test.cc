// Constraints and types of calls with variadic operands, functions, tokens and
// tuples, on op files that are made here: the formulas are those of the text.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "spec/op_spec.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kFile = R"json({{"op": "{}", "source": "stablehlo",
  "spec": {{"lines": [1, 2]}}, "inputs": [{}], "outputs": [{}],
  "constraints": {{{}}}, "infer": {{{}}}, "semantics": {{}},
  "accuracy": {{"rule": "bits"}}}})json";

OpSpec SpecOf(const std::string& id, const std::string& inputs,
              const std::string& outputs, const std::string& constraints,
              const std::string& infer = "") {
  return ParseOpSpec("x.json", fmt::format(fmt::runtime(kFile), id, inputs,
                                           outputs, constraints, infer));
}

ValueType Type(const std::string& text) {
  const std::string program = "func.func @f(%a: " + text + ") { return }";
  return ReadProgram("type", {program, 1}).main().inputs[0].type;
}

std::vector<std::string> Violated(const OpSpec& spec, const Op& call) {
  std::vector<std::string> labels;
  for (const ConstraintResult& result : CheckConstraints(spec, call)) {
    if (result.truth != Truth::kTrue)
      labels.push_back(result.constraint->label +
                       (result.truth == Truth::kUndefined ? "?" : ""));
  }
  return labels;
}

const OpSpec& Reduce() {
  static const OpSpec spec = SpecOf(
      "reduce",
      R"json({"label": "I1", "name": "inputs", "kind": "tensor", "variadic": true, "types": ["any"]},
         {"label": "I2", "name": "init_values", "kind": "tensor", "variadic": true, "types": ["any"], "rank": 0},
         {"label": "I3", "name": "dimensions", "kind": "constant", "type": "tensor<?xi64>"},
         {"label": "I4", "name": "body", "kind": "function"})json",
      R"json({"name": "results", "kind": "tensor", "variadic": true, "types": ["any"]})json",
      R"json("C1": {"formula": "same(shape(inputs...))"},
         "C2": {"formula": "element_type(inputs...) = element_type(init_values...)"},
         "C3": {"formula": "0 < size(inputs) = size(init_values) = size(results)"},
         "C4": {"formula": "0 <= dimensions < rank(inputs[0])"},
         "C5": {"formula": "is_unique(dimensions)"},
         "C6": {"formula": "input_types(body) = [output_types(body)..., output_types(body)...] and size(output_types(body)) = size(inputs) and scalar_type(element_type(output_types(body)...)...) = output_types(body) and is_promotable(element_type(inputs...)..., element_type(output_types(body)...)...)"},
         "C7": {"formula": "shape(results...) = without(shape(inputs...)..., dimensions)"},
         "C8": {"formula": "element_type(results...) = element_type(output_types(body)...)"})json",
      R"json("shape(results)": "without(shape(inputs...)..., dimensions)",
         "element_type(results)": "element_type(output_types(body)...)")json");
  return spec;
}

Op ReduceCall(const std::string& input, const std::string& init,
              const std::string& element, const std::string& result,
              std::vector<int64_t> dimensions, int count = 1) {
  Op op;
  op.op = "reduce";
  std::string arguments, types;
  for (int i = 0; i < count; ++i)
    op.inputs.push_back({"inputs", fmt::format("x{}", i), Type(input)});
  for (int i = 0; i < count; ++i)
    op.inputs.push_back({"init_values", fmt::format("c{}", i), Type(init)});
  for (int i = 0; i < count; ++i)
    op.outputs.push_back({"results", fmt::format("r{}", i), Type(result)});
  Tensor axes(TensorType({std::ssize(dimensions)}, ElementType::kI64));
  for (int64_t i = 0; i < axes.size(); ++i)
    axes.SetBits(i,
                 BitsOf(ElementType::kI64, dimensions[static_cast<size_t>(i)]));
  op.attributes = {{"dimensions", axes}};
  Function body{"body", {}, {}, {}};
  for (int i = 0; i < 2 * count; ++i)
    body.inputs.push_back({fmt::format("a{}", i), Type(element)});
  for (int i = 0; i < count; ++i)
    body.results.push_back({fmt::format("a{}", i), Type(element)});
  op.regions = {body};
  return op;
}

TEST(GroupConstraints, OfReduceHold) {
  EXPECT_THAT(Violated(Reduce(), ReduceCall("tensor<2x3xi8>", "tensor<i8>",
                                            "tensor<i8>", "tensor<2xi8>", {1})),
              IsEmpty());
  EXPECT_THAT(
      Violated(Reduce(), ReduceCall("tensor<2x3xi8>", "tensor<i8>",
                                    "tensor<i32>", "tensor<i32>", {1, 0}, 3)),
      IsEmpty());
}

TEST(GroupConstraints, OfReduceAreViolatedOneByOne) {
  const auto violated = [](Op call) { return Violated(Reduce(), call); };
  Op two = ReduceCall("tensor<2x3xi8>", "tensor<i8>", "tensor<i8>",
                      "tensor<2xi8>", {1}, 2);
  Op shapes = two;
  shapes.inputs[1].type = Type("tensor<2x4xi8>");
  EXPECT_THAT(violated(shapes), ElementsAre("C1"));
  Op init = two;
  init.inputs[3].type = Type("tensor<1xi8>");
  EXPECT_THAT(violated(init), ElementsAre("I2"));
  init.inputs[3].type = Type("tensor<i16>");
  EXPECT_THAT(violated(init), ElementsAre("C2"));
  EXPECT_THAT(violated(ReduceCall("tensor<2x3xi8>", "tensor<i8>", "tensor<i8>",
                                  "tensor<2x3xi8>", {2})),
              ElementsAre("C4", "C7?"));
  EXPECT_THAT(violated(ReduceCall("tensor<2x3xi8>", "tensor<i8>", "tensor<i8>",
                                  "tensor<2xi8>", {1, 1})),
              ElementsAre("C5"));
  EXPECT_THAT(violated(ReduceCall("tensor<2x3xi32>", "tensor<i32>",
                                  "tensor<i8>", "tensor<2xi8>", {1})),
              ElementsAre("C6"));
  EXPECT_THAT(violated(ReduceCall("tensor<2x3xi8>", "tensor<i8>",
                                  "tensor<1xi8>", "tensor<2xi8>", {1})),
              ElementsAre("C6"));
  Op body = two;
  body.regions[0].inputs.pop_back();
  EXPECT_THAT(violated(body), ElementsAre("C6"));
  EXPECT_THAT(violated(ReduceCall("tensor<2x3xi8>", "tensor<i8>", "tensor<i8>",
                                  "tensor<3xi8>", {1})),
              ElementsAre("C7"));
  EXPECT_THAT(violated(ReduceCall("tensor<2x3xi8>", "tensor<i8>", "tensor<i16>",
                                  "tensor<2xi8>", {1})),
              ElementsAre("C8"));
}

TEST(GroupConstraints, NoOperandsAreAGroupToo) {
  EXPECT_THAT(
      Violated(Reduce(), ReduceCall("tensor<2x3xi8>", "tensor<i8>",
                                    "tensor<i8>", "tensor<2xi8>", {1}, 0)),
      ElementsAre("C3", "C4?"));
}

TEST(InferResultTypes, GivesAVariadicOutputItsResults) {
  const auto inferred = InferResultTypes(
      Reduce(), ReduceCall("tensor<2x3xi8>", "tensor<i8>", "tensor<i32>",
                           "tensor<i8>", {0}, 2));
  ASSERT_EQ(inferred.size(), 2u);
  for (const InferredType& type : inferred) {
    EXPECT_EQ(type.output, "results");
    EXPECT_EQ(type.shape, Shape{3});
    EXPECT_EQ(type.element_type, ElementType::kI32);
  }
}

TEST(GroupConstraints, OfFunctionsWithTokens) {
  const OpSpec spec = SpecOf(
      "while",
      R"json({"label": "I1", "name": "operand", "kind": "value", "variadic": true},
         {"label": "I2", "name": "cond", "kind": "function"},
         {"label": "I3", "name": "body", "kind": "function"})json",
      R"json({"name": "results", "kind": "value", "variadic": true})json",
      R"json("C1": {"formula": "input_types(cond) = type(operand...) and output_types(cond) = [scalar_type(i1)]"},
         "C2": {"formula": "input_types(body) = type(operand...) and output_types(body) = type(operand...)"},
         "C3": {"formula": "type(results...) = type(operand...)"})json");
  Op op;
  op.op = "while";
  const std::vector<std::string> types = {"tensor<2xi8>", "!stablehlo.token"};
  Function cond{"cond", {}, {}, {{"p", Type("tensor<i1>")}}}, body = cond;
  body.name = "body";
  body.results.clear();
  for (const std::string& type : types) {
    op.inputs.push_back({"operand", "x", Type(type)});
    op.outputs.push_back({"results", "r", Type(type)});
    cond.inputs.push_back({"a", Type(type)});
    body.inputs.push_back({"a", Type(type)});
    body.results.push_back({"a", Type(type)});
  }
  op.regions = {cond, body};
  EXPECT_THAT(Violated(spec, op), IsEmpty());
  Op other = op;
  other.regions[0].results[0].type = Type("tensor<i8>");
  EXPECT_THAT(Violated(spec, other), ElementsAre("C1"));
  other = op;
  other.regions[1].inputs[1].type = Type("tensor<2xi8>");
  EXPECT_THAT(Violated(spec, other), ElementsAre("C2"));
  other = op;
  std::swap(other.outputs[0], other.outputs[1]);
  EXPECT_THAT(Violated(spec, other), ElementsAre("C3"));
}

TEST(GroupConstraints, OfVariadicFunctionsAndTuples) {
  const OpSpec branches = SpecOf(
      "case",
      R"json({"label": "I1", "name": "index", "kind": "tensor", "types": ["i32"], "rank": 0},
         {"label": "I2", "name": "branches", "kind": "function", "variadic": true})json",
      R"json({"name": "results", "kind": "value", "variadic": true})json",
      R"json("C1": {"formula": "0 < size(branches)"},
         "C2": {"formula": "For all branch in branches, input_types(branch) = []"},
         "C3": {"formula": "same(output_types(branches...))"},
         "C4": {"formula": "type(results...) = output_types(branches[0])"})json");
  Op op;
  op.op = "case";
  op.inputs = {{"index", "i", Type("tensor<i32>")}};
  op.outputs = {{"results", "r", Type("tensor<i8>")}};
  Function branch{"branches", {}, {}, {{"x", Type("tensor<i8>")}}};
  op.regions = {branch, branch};
  EXPECT_THAT(Violated(branches, op), IsEmpty());
  Op other = op;
  other.regions[1].results[0].type = Type("tensor<i16>");
  EXPECT_THAT(Violated(branches, other), ElementsAre("C3"));
  other = op;
  other.inputs[0].type = Type("tensor<1xi32>");
  EXPECT_THAT(Violated(branches, other), ElementsAre("I1"));
  other = op;
  other.regions.clear();
  EXPECT_THAT(Violated(branches, other), ElementsAre("C1", "C4?"));

  const OpSpec tuple = SpecOf(
      "tuple",
      R"json({"label": "I1", "name": "val", "kind": "value", "variadic": true})json",
      R"json({"name": "result", "kind": "tuple"})json",
      R"json("C1": {"formula": "type(result) = tuple_type(type(val...))"
  })json");
  Op make;
  make.op = "tuple";
  make.inputs = {{"val", "a", Type("tensor<i8>")},
                 {"val", "b", Type("tuple<>")}};
  make.outputs = {{"result", "r", Type("tuple<tensor<i8>, tuple<>>")}};
  EXPECT_THAT(Violated(tuple, make), IsEmpty());
  make.outputs[0].type = Type("tuple<tensor<i8>>");
  EXPECT_THAT(Violated(tuple, make), ElementsAre("C1"));

  const OpSpec get =
      SpecOf("get_tuple_element",
             R"json({"label": "I1", "name": "operand", "kind": "tuple"},
         {"label": "I2", "name": "index", "kind": "constant", "type": "tensor<i32>"})json",
             R"json({"name": "result", "kind": "value"})json",
             R"json("C1": {"formula": "0 <= index < size(operand)"
  },
         "C2": {"formula": "type(result) = tuple_element_types(operand)[index]"})json");
  Op element;
  element.op = "get_tuple_element";
  element.inputs = {{"operand", "t", Type("tuple<tensor<i8>, tuple<>>")}};
  element.outputs = {{"result", "r", Type("tuple<>")}};
  Tensor index(TensorType(Shape(), ElementType::kI32));
  index.SetBits(0, 1);
  element.attributes = {{"index", index}};
  EXPECT_THAT(Violated(get, element), IsEmpty());
  element.outputs[0].type = Type("tensor<i8>");
  EXPECT_THAT(Violated(get, element), ElementsAre("C2"));
}

TEST(GroupConstraints, AValueMayBeATensorOrATokenAndNoTuple) {
  const OpSpec spec = SpecOf(
      "x",
      R"json({"label": "I1", "name": "operand", "kind": "value", "variadic": true, "types": ["tensor", "quantized", "token"]})json",
      R"json({"name": "result", "kind": "value", "types": ["token"]})json", "");
  const auto violated = [&](const std::vector<std::string>& operands,
                            const char* result) {
    Op op;
    op.op = "x";
    for (const std::string& type : operands)
      op.inputs.push_back({"operand", "a", Type(type)});
    op.outputs = {{"result", "r", Type(result)}};
    return Violated(spec, op);
  };
  const std::string tensor = "tensor<2xi8>", token = "!stablehlo.token";
  EXPECT_THAT(violated({}, "!stablehlo.token"), IsEmpty());
  EXPECT_THAT(violated({tensor, token, tensor}, "!stablehlo.token"), IsEmpty());
  EXPECT_THAT(violated({"tensor<?xf32>"}, "!stablehlo.token"), IsEmpty());
  EXPECT_THAT(violated({tensor, "tuple<>"}, "!stablehlo.token"),
              ElementsAre("I1"));
  EXPECT_THAT(violated({"tuple<!stablehlo.token>", token}, "!stablehlo.token"),
              ElementsAre("I1"));
  EXPECT_THAT(violated({}, "tensor<i8>"), ElementsAre("O1"));
}

TEST(GroupConstraints, ARankIsRequiredOfEveryType) {
  const OpSpec spec = SpecOf(
      "x",
      R"json({"label": "I1", "name": "index", "kind": "tensor", "types": ["i32", "i64"], "rank": 0})json",
      R"json({"name": "result", "kind": "tensor", "types": ["any"]})json", "");
  Op op;
  op.op = "x";
  op.outputs = {{"result", "r", Type("tensor<i8>")}};
  for (const auto& [type, is_valid] :
       {std::pair("tensor<i32>", true), std::pair("tensor<i64>", true),
        std::pair("tensor<1xi32>", false), std::pair("tensor<i8>", false)}) {
    op.inputs = {{"index", "i", Type(type)}};
    EXPECT_EQ(Violated(spec, op).empty(), is_valid) << type;
  }
}

TEST(GroupConstraints, OfShapesThatAddUp) {
  const OpSpec spec = SpecOf(
      "concatenate",
      R"json({"label": "I1", "name": "inputs", "kind": "tensor", "variadic": true, "types": ["integer", "f32"]},
         {"label": "I2", "name": "dimension", "kind": "constant", "type": "tensor<i64>"})json",
      R"json({"name": "result", "kind": "tensor", "types": ["any"]})json",
      R"json("C2": {"formula": "same(without(shape(inputs...)..., [dimension]))"},
         "C6": {"formula": "For all d in axes(result), dim(result, d) = (sum(dim(inputs..., d)) if d = dimension else dim(inputs[0], d))"})json");
  Op op;
  op.op = "concatenate";
  op.inputs = {{"inputs", "a", Type("tensor<2x3xi8>")},
               {"inputs", "b", Type("tensor<2x4xi8>")}};
  op.outputs = {{"result", "r", Type("tensor<2x7xi8>")}};
  Tensor dimension(TensorType(Shape(), ElementType::kI64));
  dimension.SetBits(0, 1);
  op.attributes = {{"dimension", dimension}};
  EXPECT_THAT(Violated(spec, op), IsEmpty());
  op.inputs[1].type = Type("tensor<3x4xi8>");
  EXPECT_THAT(Violated(spec, op), ElementsAre("C2"));
  op.inputs[1].type = Type("tensor<2x4xf64>");
  EXPECT_THAT(Violated(spec, op), ElementsAre("I1"));
  op.inputs[1].type = Type("tensor<2x5xi8>");
  EXPECT_THAT(Violated(spec, op), ElementsAre("C6"));
}

}  // namespace
}  // namespace assay
