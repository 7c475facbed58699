// Tests that whole programs shrink to the ops and shapes that a failure needs,
// and that each program on the way is one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "fuzz/fuzz_test_support.h"
#include "fuzz/shrink/axis_edit.h"
#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/program_edit.h"
#include "fuzz/shrink/shrink_test_support.h"
#include "fuzz/shrink/simpler_programs.h"
#include "fuzz/shrink/smallest.h"

namespace assay {
namespace {

using Types = std::map<std::string, ValueType>;

// Returns what is wrong with a function that sees `values` around it; empty if
// nothing is.
std::string WrongIn(const Function& function, Types values) {
  const auto define = [&](const std::string& name, const ValueType& type) {
    return values.emplace(name, type).second;
  };
  const auto is_there = [&](const std::string& name, const ValueType& type) {
    const auto it = values.find(name);
    return it != values.end() && it->second == type;
  };
  for (const TypedName& input : function.inputs) {
    if (!define(input.name, input.type)) return "defined twice: " + input.name;
  }
  for (const Op& op : function.body) {
    for (const Op::Operand& operand : op.inputs) {
      if (!is_there(operand.value, operand.type))
        return op.op + " has no operand " + operand.value;
    }
    for (const Function& region : op.regions) {
      if (auto wrong = WrongIn(region, values); !wrong.empty()) return wrong;
    }
    if (op.callee != nullptr) {
      if (auto wrong = WrongIn(*op.callee, {}); !wrong.empty()) return wrong;
    }
    for (const ConstraintResult& result :
         CheckConstraints(*FindOp(op.op), op)) {
      if (result.truth == Truth::kFalse) return op.op + " " + result.Text();
    }
    for (const Op::Result& result : op.outputs) {
      if (!define(result.value, result.type))
        return "defined twice: " + result.value;
    }
  }
  for (const TypedName& result : function.results) {
    if (!is_there(result.name, result.type))
      return "not returned: " + result.name;
  }
  return "";
}

std::string WrongIn(const Case& c) {
  const Function& main = c.program.main();
  if (main.results.empty()) return "nothing is returned";
  if (main.inputs.size() != c.inputs.size()) return "inputs without values";
  for (size_t i = 0; i < main.inputs.size(); ++i) {
    const auto& [data, layout] = c.inputs[i];
    if (data.type != main.inputs[i].type ||
        data.Materialise().type() != main.inputs[i].type.tensor() ||
        layout.strides.size() != data.type.shape.size())
      return "values of another type: " + main.inputs[i].name;
  }
  for (const auto& [value, layout] : c.output_layouts) {
    if (layout.strides.size() != TypeOf(c, value).shape.size())
      return "a layout of another rank: " + value;
  }
  return WrongIn(main, {});
}

constexpr const char* kAllKinds = R"({"id": "p",
  "functions": {
    "twice": "^bb0(%a: tensor<6x4xi16>): %n = stablehlo.negate %a : tensor<6x4xi16> %d = stablehlo.subtract %a, %n : tensor<6x4xi16> func.return %d : tensor<6x4xi16>"},
  "inputs": {
    "x": {"type": "tensor<4x6xi16>", "draw": {"seed": 7, "profile": "uniform"}},
    "y": {"type": "tensor<4xi16>", "data": [3, 1, 4, 1]},
    "p": {"type": "tensor<i1>", "data": [true]},
    "i": {"type": "tensor<i32>", "data": [0]},
    "one": {"type": "tensor<i32>", "data": [1]}},
  "program": [
    {"op": "transpose", "inputs": {"operand": "x", "permutation": [1, 0]}, "outputs": {"result": {"name": "t"}}},
    {"op": "func.call", "inputs": {"callee": "twice", "operands": ["t"]}, "outputs": {"results": [{"name": "u", "type": "tensor<6x4xi16>"}]}},
    {"op": "func.call", "inputs": {"callee": "twice", "operands": ["u"]}, "outputs": {"results": [{"name": "v", "type": "tensor<6x4xi16>"}]}},
    {"op": "constant", "inputs": {"value": {"type": "tensor<i16>", "data": [0]}}, "outputs": {"output": {"name": "zero"}}},
    {"op": "reduce", "inputs": {"inputs": ["v"], "init_values": ["zero"], "dimensions": [0],
      "body": "^bb0(%a: tensor<i16>, %b: tensor<i16>): %s = stablehlo.add %a, %b : tensor<i16> stablehlo.return %s : tensor<i16>"},
      "outputs": {"results": [{"name": "r"}]}},
    {"op": "if", "inputs": {"pred": "p",
      "true_branch": "%s = stablehlo.maximum %r, %y : tensor<4xi16> stablehlo.return %s : tensor<4xi16>",
      "false_branch": "stablehlo.return %y : tensor<4xi16>"},
      "outputs": {"results": [{"name": "s", "type": "tensor<4xi16>"}]}},
    {"op": "while", "inputs": {"operand": ["i", "s"],
      "cond": "^bb0(%k: tensor<i32>, %w: tensor<4xi16>): %n = stablehlo.constant dense<3> : tensor<i32> %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %go : tensor<i1>",
      "body": "^bb0(%k: tensor<i32>, %w: tensor<4xi16>): %l = stablehlo.add %k, %one : tensor<i32> %z = stablehlo.multiply %w, %y : tensor<4xi16> stablehlo.return %l, %z : tensor<i32>, tensor<4xi16>"},
      "outputs": {"results": [{"name": "j", "type": "tensor<i32>"}, {"name": "w", "type": "tensor<4xi16>"}]}},
    {"op": "broadcast_in_dim", "inputs": {"operand": "w", "broadcast_dimensions": [1]}, "outputs": {"result": {"name": "b", "type": "tensor<5x4xi16>"}}},
    {"op": "slice", "inputs": {"operand": "b", "start_indices": [0, 0], "limit_indices": [5, 4], "strides": [1, 2]}, "outputs": {"result": {"name": "c"}}},
    {"op": "concatenate", "inputs": {"inputs": ["c", "b"], "dimension": 1}, "outputs": {"result": {"name": "e"}}}]})";

bool IsLong(const ValueType& type) {
  return std::ranges::any_of(type.tensor().shape,
                             [](int64_t size) { return size >= 3; });
}

// Returns whether some function of the program has the op on a tensor with a
// dimension of three elements.
bool HasLong(const Case& c, const std::string& name) {
  Program copy = c.program;
  for (const Function* function : FunctionsOf(&copy)) {
    for (const Op& op : function->body) {
      const auto is_long = [](const auto& value) { return IsLong(value.type); };
      if (op.op == name && (std::ranges::any_of(op.inputs, is_long) ||
                            std::ranges::any_of(op.outputs, is_long)))
        return true;
    }
  }
  return false;
}

struct TwoOps {
  const char *one, *other;
  int64_t most_elements = 3;
};

class ShrinkOfProgram : public testing::TestWithParam<TwoOps> {};

TEST_P(ShrinkOfProgram, KeepsTwoOpsAndFewElements) {
  const auto& [one, other, most_elements] = GetParam();
  const Case c = ParsedFrom("concatenate", kAllKinds);
  ASSERT_EQ(CountOps(c.program.main()), 20);
  const auto judge = [&](const Case& tried) {
    EXPECT_EQ(WrongIn(tried), "") << JsonTextOf(tried);
    const bool fails = HasLong(tried, one) && HasLong(tried, other);
    return WrongWhere([&](const Case&) { return fails; })(tried);
  };
  const Shrunk shrunk = ShrunkOf(c, judge);
  EXPECT_TRUE(shrunk.fails);
  EXPECT_TRUE(shrunk.is_complete);
  EXPECT_LT(shrunk.executions, 300);
  EXPECT_EQ(CountOps(shrunk.c.program.main()), 2) << JsonTextOf(shrunk.c);
  for (const std::string& value : ValuesOf(shrunk.c)) {
    const Shape& shape = TypeOf(shrunk.c, value).shape;
    EXPECT_LE(shape.size(), 1u) << JsonTextOf(shrunk.c);
    EXPECT_LE(*ElementCount(shape), most_elements) << JsonTextOf(shrunk.c);
  }
  const Shrunk again = ShrunkOf(shrunk.c, judge);
  EXPECT_EQ(JsonTextOf(again.c), JsonTextOf(shrunk.c));
}

INSTANTIATE_TEST_SUITE_P(Fuzz, ShrinkOfProgram,
                         testing::Values(TwoOps{"transpose", "reduce"},
                                         TwoOps{"func.call", "subtract"},
                                         TwoOps{"if", "maximum"},
                                         TwoOps{"while", "multiply"},
                                         TwoOps{"broadcast_in_dim", "slice"},
                                         TwoOps{"slice", "concatenate", 4},
                                         TwoOps{"reduce", "while"}),
                         [](const auto& info) {
                           std::string name = fmt::format(
                               "{}_{}", info.param.one, info.param.other);
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

// Returns a loop whose state begins with `start` and becomes what `body` says,
// as long as it is less than 3.
Case LoopOf(const std::string& start, const std::string& body) {
  return ParsedFrom("while", R"({"id": "a", "inputs": {
      "i": {"type": "tensor<i32>", "data": [)" +
                                 start + R"(]}},
      "program": [{"op": "while", "inputs": {"operand": ["i"],
        "cond": "^bb0(%k: tensor<i32>): %n = stablehlo.constant dense<3> : tensor<i32> %go = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %go : tensor<i1>",
        "body": "^bb0(%k: tensor<i32>): )" +
                                 body + R"("},
        "outputs": {"results": [{"name": "r", "type": "tensor<i32>"}]}}]})");
}

// Who runs a loop without an end takes all of the time that it is given.
TEST(Smallest, DoesNotTryLoopsWithoutAnEnd) {
  const Case ends = LoopOf(
      "1",
      "%l = stablehlo.add %k, %k : tensor<i32> %m = stablehlo.add %l, %k "
      ": tensor<i32> stablehlo.return %m : tensor<i32>");
  const Case shorter =
      LoopOf("1",
             "%l = stablehlo.add %k, %k : tensor<i32> stablehlo.return %l : "
             "tensor<i32>");
  const Case endless = LoopOf("1", "stablehlo.return %k : tensor<i32>");
  const Case no_round = LoopOf("5", "stablehlo.return %k : tensor<i32>");
  const ShrinkOptions options{2000, &Policy::Find("assay")};
  const std::function<Verdict(const Case&)> judge =
      WrongWhere([](const Case&) { return true; });
  Smallest smallest(options, judge);
  ASSERT_TRUE(smallest.Start(ends, ""));
  EXPECT_FALSE(smallest.Try(endless, ""));
  EXPECT_TRUE(smallest.Try(shorter, ""));
  EXPECT_FALSE(smallest.Try(endless, ""));
  EXPECT_TRUE(smallest.Try(no_round, ""));
}

// A compiler may be wrong about what nobody uses.
TEST(Shrink, KeepsAnOpThatNobodyUsesIfTheFailureNeedsIt) {
  const Case c = ParsedFrom("if", R"({"id": "a", "inputs": {
      "x": {"type": "tensor<2xi8>", "data": [1, 2]},
      "p": {"type": "tensor<i1>", "data": [true]}},
      "program": [
        {"op": "add", "inputs": {"lhs": "x", "rhs": "x"}, "outputs": {"result": {"name": "y"}}},
        {"op": "if", "inputs": {"pred": "p",
          "true_branch": "%a = stablehlo.abs %y : tensor<2xi8> %n = stablehlo.negate %y : tensor<2xi8> stablehlo.return %y : tensor<2xi8>",
          "false_branch": "stablehlo.return %x : tensor<2xi8>"},
          "outputs": {"results": [{"name": "r", "type": "tensor<2xi8>"}]}}]})");
  const Shrunk shrunk = ShrunkOf(
      c, WrongWhere([](const Case& tried) {
        const Op& last = tried.program.main().body.back();
        return last.op == "if" &&
               std::ranges::count(last.regions[0].body, "negate", &Op::op) > 0;
      }));
  EXPECT_TRUE(shrunk.fails);
  EXPECT_EQ(CountOps(shrunk.c.program.main()), 2) << JsonTextOf(shrunk.c);
}

TEST(Shrink, ValuesOfOneTypeShrinkTogether) {
  const Case c = ParsedFrom("negate", R"({"id": "a", "inputs": {
      "x": {"type": "tensor<1x4xi16>", "data": [1, 2, 3, 4]},
      "y": {"type": "tensor<1x4xi16>", "data": [5, 6, 7, 8]}},
      "program": [
        {"op": "abs", "inputs": {"operand": "x"}, "outputs": {"result": {"name": "s"}}},
        {"op": "negate", "inputs": {"operand": "y"}, "outputs": {"result": {"name": "t"}}}]})");
  const Shrunk shrunk =
      ShrunkOf(c, WrongWhere([](const Case& tried) {
                 const auto& inputs = tried.program.main().inputs;
                 return tried.program.main().body.size() == 2 &&
                        inputs.size() == 2 && inputs[0].type == inputs[1].type;
               }));
  EXPECT_TRUE(shrunk.fails);
  EXPECT_EQ(shrunk.c.inputs[0].data.type.ToString(), "tensor<i32>");
}

// Each call has a function of its own before one of them is changed.
TEST(WithOwnNames, NoValueAndNoFunctionIsDefinedTwice) {
  const Case c = WithOwnNames(ParsedFrom("concatenate", kAllKinds));
  EXPECT_EQ(WrongIn(c), "");
  std::vector<std::string> values = ValuesOf(c);
  std::ranges::sort(values);
  EXPECT_EQ(std::ranges::adjacent_find(values), values.end());
  const std::vector<const Function*> called = CalledBy(c.program.main());
  ASSERT_EQ(called.size(), 2u);
  EXPECT_NE(called[0]->name, called[1]->name);
  EXPECT_EQ(JsonTextOf(ParsedFrom("concatenate", JsonTextOf(c))),
            JsonTextOf(c));
}

// Every candidate of a drawn program is a valid program, or is not judged.
TEST(Simpler, ProgramsArePrograms) {
  DrawOptions draw;
  draw.violations = draw.enumerates = false;
  draw.percent_programs = 100;
  Generator generator(draw);
  int count = 0, refused = 0;
  const auto expect = [&](const Case& before, const Case& after) {
    ++count;
    if (!IsAsItSays(after)) {
      ++refused;
      return;
    }
    ASSERT_EQ(WrongIn(after), "") << JsonTextOf(before) << JsonTextOf(after);
    if (count % 16 != 0) return;
    const std::string text = JsonTextOf(after);
    ASSERT_EQ(JsonTextOf(ParsedFrom(after.op, text)), text);
  };
  for (uint64_t index = 0; index < 200; ++index) {
    const Case drawn = generator.Draw(31, index).c;
    const Case c = WithOwnNames(WithoutTuples(drawn).value_or(drawn));
    if (!HasTensorsAlone(c.program.main())) continue;
    ASSERT_EQ(WrongIn(c), "") << JsonTextOf(c);
    for (const Case& simpler : SimplerPrograms(c, Policy::Find("assay")))
      expect(c, simpler);
    const std::vector<Axis> axes = AxesOf(c);
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].size > 1) {
        const auto sliced = Sliced(c, axes, i, 0, axes[i].size / 2);
        if (sliced) expect(c, *sliced);
      } else if (const auto without = WithoutAxis(c, axes, i)) {
        expect(c, *without);
      }
    }
  }
  EXPECT_GT(count, 4000);
  EXPECT_LT(refused, count / 10);
}

// A called function may have names of the functions that call it.
TEST(WithOwnNames, KnowsWhatAFunctionSees) {
  const Case c = ParsedFrom("subtract", R"json({"id": "a", "inputs": {
      "x": {"type": "tensor<3xf32>", "data": [1, 2, "inf"]},
      "p": {"type": "tensor<i1>", "data": [false]}},
    "functions": {"f": "^bb0(%x: tensor<3xf32>): %t = stablehlo.abs %x : tensor<3xf32> %u = stablehlo.negate %t : tensor<3xf32> func.return %u : tensor<3xf32>"},
    "program": [
      {"op": "if", "inputs": {"pred": "p",
        "true_branch": "%t = stablehlo.negate %x : tensor<3xf32> stablehlo.return %t : tensor<3xf32>",
        "false_branch": "%t = func.call @f(%x) : (tensor<3xf32>) -> tensor<3xf32> stablehlo.return %t : tensor<3xf32>"},
       "outputs": {"results": [{"name": "r", "type": "tensor<3xf32>"}]}},
      {"op": "subtract", "inputs": {"lhs": "r", "rhs": "r"},
       "outputs": {"result": {"name": "s"}}}]})json");
  EXPECT_EQ(WrongIn(WithOwnNames(c).program.main(), {}), "");
}

// One value of size 1 is repeated to several sizes.
TEST(Axes, HaveOneSize) {
  const Case c = ParsedFrom("negate", R"json({"id": "a", "inputs": {
      "x": {"type": "tensor<1xf32>", "data": [1]},
      "z": {"type": "tensor<3xf32>", "data": [5, 6, 7]}},
    "program": [
      {"op": "broadcast_in_dim", "inputs": {"operand": "x", "broadcast_dimensions": [0]},
       "outputs": {"result": {"name": "b", "type": "tensor<3xf32>"}}},
      {"op": "add", "inputs": {"lhs": "b", "rhs": "z"}, "outputs": {"result": {"name": "d"}}},
      {"op": "broadcast_in_dim", "inputs": {"operand": "x", "broadcast_dimensions": [0]},
       "outputs": {"result": {"name": "c", "type": "tensor<6xf32>"}}},
      {"op": "negate", "inputs": {"operand": "c"}, "outputs": {"result": {"name": "e"}}}]})json");
  for (const Axis& axis : AxesOf(c)) EXPECT_EQ(SizeIn(c, axis), axis.size);
}

}  // namespace
}  // namespace assay
