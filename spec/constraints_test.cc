// Tests constraints and inference on calls: for a handful of ops, there is a
// call that satisfies its text, calls that violate one named constraint, and
// calls whose `?` dimensions defer the decision.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spec/op_spec.h"

namespace assay {
namespace {

TensorType TypeOf(const std::string& text) {
  std::string reason;
  const auto type = ParseTensorType(fmt::format("tensor<{}>", text), &reason);
  EXPECT_TRUE(type) << reason;
  return type.value_or(TensorType{});
}

// Returns a call of an op with one output, from the operand types in the order
// of the inputs, the type of the result, and the values of enums in their
// order.
Op Call(const std::string& id, const std::vector<std::string>& types,
        const std::vector<std::string>& enums = {}) {
  Op op;
  op.op = id;
  size_t next_type = 0, next_enum = 0;
  for (const InputSpec& input : FindOp(id)->inputs) {
    if (input.kind == InputSpec::Kind::kTensor) {
      op.inputs.push_back({input.name, input.name, TypeOf(types[next_type++])});
    } else {
      op.attributes.push_back({input.name, Symbol{enums[next_enum++]}});
    }
  }
  op.outputs.push_back({"result", "result", TypeOf(types[next_type])});
  return op;
}

// Returns the constraints that do not hold: "C1 false, C2 deferred", or "holds"
// if all do.
std::string Check(const Op& call) {
  std::string text;
  for (const ConstraintResult& r : CheckConstraints(*FindOp(call.op), call)) {
    if (r.truth == Truth::kTrue) continue;
    if (!text.empty()) text += ", ";
    text += r.constraint->label + " " + Name(r.truth);
  }
  return text.empty() ? "holds" : text;
}

struct Row {
  const char* op;
  std::vector<std::string> types;
  std::vector<std::string> enums;
  const char* expected;
};

TEST(CheckConstraints, FindsWhatTheTextForbids) {
  const Row rows[] = {
      {"add", {"2xi8", "2xi8", "2xi8"}, {}, "holds"},
      {"add", {"i1", "i1", "i1"}, {}, "holds"},
      {"add", {"0xf8E8M0FNU", "0xf8E8M0FNU", "0xf8E8M0FNU"}, {}, "holds"},
      {"add", {"2xi8", "2xi8", "3xi8"}, {}, "C1 false"},
      {"add", {"2xi8", "2xi16", "2xi8"}, {}, "C1 false"},
      {"add", {"2xi8", "2x1xi8", "2xi8"}, {}, "C1 false"},
      {"add", {"?xi8", "2xi8", "2xi8"}, {}, "C1 deferred"},
      {"add", {"?xi8", "2xi8", "3xi8"}, {}, "C1 false"},
      {"add", {"?x2xi8", "?x3xi8", "?x?xi8"}, {}, "C1 false"},
      {"add", {"?xi8", "?xui8", "?xi8"}, {}, "C1 false"},
      {"clamp", {"3xi8", "3xi8", "3xi8", "3xi8"}, {}, "holds"},
      {"clamp", {"i8", "3xi8", "i8", "3xi8"}, {}, "holds"},
      {"clamp", {"i8", "i8", "i8", "i8"}, {}, "holds"},
      {"clamp", {"1xi8", "3xi8", "i8", "3xi8"}, {}, "C1 false"},
      {"clamp", {"i8", "3xi8", "4xi8", "3xi8"}, {}, "C2 false"},
      {"clamp", {"ui8", "3xi8", "i8", "3xi8"}, {}, "C3 false"},
      {"clamp", {"i8", "3xi8", "ui8", "3xi8"}, {}, "C3 false"},
      {"clamp", {"i8", "3xi8", "i8", "3xi16"}, {}, "C4 false"},
      {"clamp", {"?xi8", "3xi8", "i8", "3xi8"}, {}, "C1 deferred"},
      {"clamp", {"i8", "?xi8", "?xi8", "3xi8"}, {}, "C2 deferred, C4 deferred"},
      {"clamp", {"?x?xi8", "3xi8", "i8", "3xi8"}, {}, "C1 false"},
      {"compare", {"3xi8", "3xi8", "3xi1"}, {"LT", "SIGNED"}, "holds"},
      {"compare", {"3xui8", "3xui8", "3xi1"}, {"EQ", "UNSIGNED"}, "holds"},
      {"compare", {"3xi1", "3xi1", "3xi1"}, {"NE", "UNSIGNED"}, "holds"},
      {"compare", {"3xf32", "3xf32", "3xi1"}, {"GE", "FLOAT"}, "holds"},
      {"compare", {"3xf32", "3xf32", "3xi1"}, {"GE", "TOTALORDER"}, "holds"},
      {"compare",
       {"3xcomplex<f32>", "3xcomplex<f32>", "3xi1"},
       {"EQ", "FLOAT"},
       "holds"},
      {"compare", {"3xi8", "3xi16", "3xi1"}, {"LT", "SIGNED"}, "C1 false"},
      {"compare", {"3xi8", "3xi8", "4xi1"}, {"LT", "SIGNED"}, "C2 false"},
      {"compare", {"3xi8", "3xi8", "3xi1"}, {"LT", "UNSIGNED"}, "C3 false"},
      {"compare", {"3xi1", "3xi1", "3xi1"}, {"LT", "SIGNED"}, "C3 false"},
      {"compare", {"3xf32", "3xf32", "3xi1"}, {"LT", "SIGNED"}, "C3 false"},
      {"compare",
       {"3xcomplex<f32>", "3xcomplex<f32>", "3xi1"},
       {"EQ", "TOTALORDER"},
       "C3 false"},
      {"compare", {"3xi8", "3xi8", "3xi1"}, {"XX", "SIGNED"}, "I3 false"},
      {"compare", {"3xi8", "3xi8", "3xi8"}, {"LT", "SIGNED"}, "O1 false"},
      {"compare", {"?xi8", "3xi8", "3xi1"}, {"LT", "SIGNED"}, "C2 deferred"},
      {"convert", {"3xi8", "3xf64"}, {}, "holds"},
      {"convert", {"3xi8", "4xf64"}, {}, "C1 false"},
      {"convert", {"3x?xi8", "3x4xf64"}, {}, "C1 deferred"},
      {"convert", {"3x?xi8", "4x4xf64"}, {}, "C1 false"},
      {"abs", {"3xi8", "3xi8"}, {}, "holds"},
      {"abs", {"3xf32", "3xf32"}, {}, "holds"},
      {"abs", {"3xcomplex<f32>", "3xf32"}, {}, "holds"},
      {"abs", {"3xcomplex<f64>", "3xf32"}, {}, "C2 false"},
      {"abs", {"3xi8", "4xi8"}, {}, "C1 false"},
      {"abs", {"3xi8", "3xi16"}, {}, "C2 false"},
      {"abs", {"3xui8", "3xui8"}, {}, "I1 false, O1 false"},
      {"abs", {"?xf64", "2xf64"}, {}, "C1 deferred"},  // "Dynamism"
      {"select", {"i1", "3xi8", "3xi8", "3xi8"}, {}, "holds"},
      {"select", {"3xi1", "3xi8", "3xi8", "3xi8"}, {}, "holds"},
      {"select", {"3xi8", "3xi8", "3xi8", "3xi8"}, {}, "I1 false"},
      {"select", {"1xi1", "3xi8", "3xi8", "3xi8"}, {}, "C1 false"},
      {"select", {"i1", "3xi8", "3xi16", "3xi8"}, {}, "C2 false"},
      {"select", {"i1", "3xi8", "3xi8", "3xui8"}, {}, "C2 false"},
      {"select", {"?xi1", "3xi8", "3xi8", "3xi8"}, {}, "C1 deferred"},
      {"sign", {"3xui8", "3xui8"}, {}, "I1 false, O1 false"},
      {"popcnt", {"3xi1", "3xi1"}, {}, "I1 false, O1 false"},
  };
  for (const Row& row : rows) {
    std::string check = Check(Call(row.op, row.types, row.enums));
    EXPECT_EQ(check, row.expected)
        << row.op << ' ' << ::testing::PrintToString(row.types)
        << ::testing::PrintToString(row.enums);
  }
}

TEST(CheckConstraints, PaddleShiftsTakeIntegersOfOneType) {
  const auto check = [](std::vector<std::string> types) {
    Op op;
    op.op = "paddle.bitwise_right_shift";
    op.inputs = {{"x", "x", TypeOf(types[0])}, {"y", "y", TypeOf(types[1])}};
    op.outputs = {{"result", "result", TypeOf(types[2])}};
    return Check(op);
  };
  EXPECT_EQ(check({"3xi8", "3xi8", "3xi8"}), "holds");
  EXPECT_EQ(check({"3xui64", "3xui64", "3xui64"}), "holds");
  EXPECT_EQ(check({"3xf32", "3xf32", "3xf32"}), "SH-03 false");
  EXPECT_EQ(check({"3xi1", "3xi1", "3xi1"}), "SH-03 false");
  EXPECT_EQ(check({"3xi8", "2xi8", "3xi8"}), "P1 undefined, P3 false");
  EXPECT_EQ(check({"2x1xi8", "3xi8", "2x3xi8"}), "holds");
  EXPECT_EQ(check({"2x1xi8", "3xi8", "2x1xi8"}), "P1 false");
  EXPECT_EQ(check({"3xi8", "3xi16", "3xi8"}), "P2 false");
}

TEST(CheckConstraints, ReportsEveryConstraintOnceWithItsValue) {
  const auto results =
      CheckConstraints(*FindOp("add"), Call("add", {"2xi8", "3xi8", "2xi8"}));
  ASSERT_EQ(results.size(), FindOp("add")->constraints.size());
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].constraint, &FindOp("add")->constraints[i]);
    EXPECT_EQ(results[i].truth, TruthOf(results[i].value));
  }
}

std::string Inferred(const Op& call) {
  std::string text;
  for (const InferredType& type : InferResultTypes(*FindOp(call.op), call)) {
    text += type.shape ? '[' + ShapeText(*type.shape) + ']' : "no shape";
    text += type.element_type ? Name(*type.element_type) : " no type";
  }
  return text;
}

TEST(InferResultTypes, FollowsTheTextAndLeavesLoadBearingTypesOpen) {
  const Row rows[] = {
      {"add", {"2x3xi8", "2x3xi8", "i1"}, {}, "[2x3]i8"},
      {"add", {"?x3xui2", "?x3xui2", "i1"}, {}, "[?x3]ui2"},
      {"add", {"i64", "i64", "i1"}, {}, "[]i64"},
      {"clamp", {"i8", "2x?xi8", "i8", "i1"}, {}, "[2x?]i8"},
      {"compare", {"2xf32", "2xf32", "i8"}, {"LT", "FLOAT"}, "[2]i1"},
      {"convert", {"2x?xf32", "i8"}, {}, "[2x?] no type"},
      {"abs", {"3xi16", "i1"}, {}, "[3]i16"},
      {"abs", {"?xcomplex<f64>", "i1"}, {}, "[?]f64"},
      {"select", {"i1", "2x2xbf16", "2x2xbf16", "i1"}, {}, "[2x2]bf16"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Inferred(Call(row.op, row.types, row.enums)), row.expected)
        << row.op << ' ' << ::testing::PrintToString(row.types);
  }
}

// Returns what is inferred of a list of three that is padded at its low end.
std::string InferredOfPadded(int64_t low) {
  Op op;
  op.op = "pad";
  op.inputs = {{"operand", "operand", TypeOf("3xi8")},
               {"padding_value", "padding_value", TypeOf("i8")}};
  for (const char* name :
       {"edge_padding_low", "edge_padding_high", "interior_padding"}) {
    Tensor value(TensorType{{1}, ElementType::kI64});
    value.SetBits(0, static_cast<ElementBits>(op.attributes.empty() ? low : 0));
    op.attributes.push_back({name, value});
  }
  return Inferred(op);
}

TEST(InferResultTypes, InfersNoShapeThatNoTensorHas) {
  EXPECT_EQ(InferredOfPadded(1), "[4]i8");
  EXPECT_EQ(InferredOfPadded(-3), "[0]i8");
  EXPECT_EQ(InferredOfPadded(-4), "no shapei8");
  EXPECT_EQ(InferredOfPadded(-5), "no shapei8");
  EXPECT_EQ(InferredOfPadded(INT64_MAX), "no shapei8");  // of 65 bits
}

// Returns the result for a call of the op on operands of this type. The result
// type is the inferred one, or the operand's if none is inferred.
std::string CheckOn(const OpSpec& spec, const std::string& operand) {
  Op op;
  op.op = spec.id;
  for (const InputSpec& input : spec.inputs) {
    if (input.kind == InputSpec::Kind::kTensor) {
      TensorType type = TypeOf(input.name == "pred" ? "2x3xi1" : operand);
      const ConstraintSpec* of_input = spec.Constraint(input.label);
      if (of_input != nullptr &&
          of_input->Text().ends_with("rank(" + input.name + ") = 0"))
        type.shape.clear();
      op.inputs.push_back({input.name, input.name, type});
    } else if (input.type && input.type->element_type == ElementType::kI32) {
      Tensor value(*input.type);
      value.SetBits(0, 5);
      op.attributes.push_back({input.name, value});
    } else if (input.type && !input.type->IsStatic()) {
      // The constant is made of the dimensions of the operand; no stride is 0.
      const auto rank = static_cast<int64_t>(TypeOf(operand).shape.size());
      const int64_t first = input.name == "strides" ? 1 : 0;
      Tensor value(TensorType{{rank}, input.type->element_type});
      for (int64_t d = 0; d < rank; ++d)
        value.SetBits(d, static_cast<ElementBits>(first + d));
      op.attributes.push_back({input.name, value});
    } else if (input.type && input.type->element_type == ElementType::kI64) {
      Tensor value(*input.type);
      value.SetBits(0, 0);
      op.attributes.push_back({input.name, value});
    } else if (!input.type && input.kind == InputSpec::Kind::kConstant) {
      op.attributes.push_back({input.name, Tensor(TypeOf(operand))});
    }
  }
  const auto inferred = InferResultTypes(spec, op);
  EXPECT_EQ(inferred.size(), 1u);
  const TensorType other = TypeOf(operand);
  const std::string& name = spec.outputs[0].name;
  op.outputs.push_back(
      {name,
       name,
       {inferred[0].shape.value_or(other.shape),
        inferred[0].element_type.value_or(other.element_type)}});
  return Check(op);
}

TEST(InferResultTypes, OfEveryOpSatisfiesItsConstraints) {
  for (const OpSpec& spec : Ops()) {
    if (spec.id == "compare") continue;  // its enums depend on the type
    if (!spec.executable || !spec.family.empty()) continue;
    // The types of other ops follow from their functions, or from any values,
    // or they have operands that say where elements are, or how many, or
    // constants that are types, lists of enums or floats.
    if (spec.control ||
        std::ranges::any_of(spec.inputs, [](const InputSpec& input) {
          return input.is_index || input.at_run_time || input.has_known_value ||
                 input.kind == InputSpec::Kind::kFunction ||
                 input.kind == InputSpec::Kind::kValue ||
                 input.kind == InputSpec::Kind::kType ||
                 (input.kind == InputSpec::Kind::kEnum && input.variadic) ||
                 (input.kind == InputSpec::Kind::kConstant && input.type &&
                  IsFloat(input.type->element_type));
        }))
      continue;
    const std::string on_integers = CheckOn(spec, "2x3xi8");
    const std::string on_floats = CheckOn(spec, "2x3xf32");
    EXPECT_TRUE(on_integers == "holds" || on_floats == "holds")
        << spec.id << ": " << on_integers << ", " << on_floats;
  }
}

}  // namespace
}  // namespace assay
