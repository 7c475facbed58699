// Tests that each kind of mistake in the input is reported in one line that
// names the file, the place and the reason, and what the format means.
#include "cases/case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/error.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

std::vector<Case> Parse(const std::string& json, ReadOptions options = {}) {
  return ParseCases("t.json", ParseJsonExactly("t.json", json), options);
}

// Returns a file with one case of `add` whose body is `body`.
std::string AddCase(const std::string& body) {
  return R"({"op": "add", "cases": [{"id": "a", )" + body + "}]}";
}
const std::string kRhs = R"("rhs": {"type": "tensor<2xi8>", "data": [1, 2]})";
std::string WithLhs(const std::string& lhs) {
  return AddCase(R"("inputs": {"lhs": )" + lhs + ", " + kRhs + "}");
}

struct BadInput {
  std::string json;
  std::string where;   // the message starts with it
  std::string reason;  // and contains it
};

void PrintTo(const BadInput& bad, std::ostream* stream) {
  *stream << bad.reason;
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, NamesPlaceAndReason) {
  const BadInput& bad = GetParam();
  EXPECT_THAT([&] { Parse(bad.json, {int64_t{1} << 30}); },
              ThrowsMessage<InputError>(AllOf(StartsWith(bad.where),
                                              HasSubstr(bad.reason),
                                              testing::Not(HasSubstr("\n")))));
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadInputTest,
    testing::Values(
        BadInput{"{", "t.json: ", "unexpected end of input"},
        BadInput{"{\"op\": \"a\xff\"}", "t.json: ", "UTF-8"},
        BadInput{R"({"op": "add", "op": "add", "cases": []})",
                 "t.json: ", "\"op\" stands twice"},
        BadInput{std::string(100, '[') + std::string(100, ']'),
                 "t.json: ", "nested more than 32 deep"},
        BadInput{"[]", "t.json#: ", "expected an object, found array"},
        BadInput{R"({"op": "frobnicate", "cases": []})",
                 "t.json#/op: ", "unknown op 'frobnicate'"},
        BadInput{R"({"op": "add", "cases": [], "extra": 1})",
                 "t.json#: ", "unknown field 'extra'"},
        BadInput{R"({"op": "add"})", "t.json#: ", "'cases' is missing"},
        BadInput{R"({"op": "add", "cases": {}})",
                 "t.json#/cases: ", "expected an array, found object"},
        BadInput{R"({"op": "add", "cases": [{"id": "a b", "inputs": {}}]})",
                 "t.json#/cases/0/id: ", "is not an id"},
        BadInput{R"({"op": "add", "cases": [{"id": "a"}]})",
                 "t.json#/cases/0: ", "'inputs' is missing"},
        BadInput{AddCase(R"("inputs": {}, "flag": [])"),
                 "t.json#/cases/0: ", "unknown field 'flag'"},
        BadInput{AddCase(R"("inputs": {}, "flags": ["F"])"),
                 "t.json#/cases/0/flags: ", "has no note"},
        BadInput{AddCase(R"("inputs": {}, "covers": ["S99"])"),
                 "t.json#/cases/0/covers: ", "add has no clause 'S99'"},
        BadInput{AddCase(R"("inputs": {}, "policy": "polite")"),
                 "t.json#/cases/0/policy: ",
                 "unknown policy 'polite'; there are: assay"},
        BadInput{AddCase(R"("inputs": {)" + kRhs + "}"),
                 "t.json#/cases/0/inputs: ", "the input 'lhs' is missing"},
        BadInput{AddCase(R"("inputs": {"x": {}, )" + kRhs + "}"),
                 "t.json#/cases/0/inputs: ", "add has no input 'x'"},
        BadInput{AddCase(R"("inputs": {}, "expect": {"violates": "C9"})"),
                 "t.json#/cases/0/inputs: ", "'lhs' is missing"}));

INSTANTIATE_TEST_SUITE_P(
    Operands, BadInputTest,
    testing::Values(
        BadInput{WithLhs(R"({"type": "tensor<2xi8>", "data": [1]})"),
                 "t.json#/cases/0/inputs/lhs/data: ",
                 "1 element(s), but tensor<2xi8> has 2"},
        BadInput{WithLhs(R"({"type": "tensor<2xi8>", "data": [1, 128]})"),
                 "t.json#/cases/0/inputs/lhs/data/1: ",
                 "128 is out of range for i8 [-128, 127]"},
        BadInput{
            WithLhs(R"({"type": "tensor<2xi8>", "data": [1, 1.5]})"),
            "t.json#/cases/0/inputs/lhs/data/1: ", "1.5 is not an integer"},
        BadInput{
            WithLhs(R"({"type": "tensor<2xi8>", "data": [1, true]})"),
            "t.json#/cases/0/inputs/lhs/data/1: ", "true is not an integer"},
        BadInput{WithLhs(R"({"type": "tensor<2xi8>", "data": [1, "0x1"]})"),
                 "t.json#/cases/0/inputs/lhs/data/1: ",
                 "0x and 2 hexadecimal digit(s)"},
        BadInput{WithLhs(R"({"type": "tensor<1xi2>", "data": ["0x7"]})"),
                 "t.json#/cases/0/inputs/lhs/data/0: ", "more bits than i2"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<1xi64>", "data": [9223372036854775808]})"),
            "t.json#/cases/0/inputs/lhs/data/0: ", "out of range for i64"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<1xui64>", "data": [18446744073709551616]})"),
            "t.json#/cases/0/inputs/lhs/data/0: ", "not an integer of 64 bits"},
        BadInput{
            WithLhs(R"({"type": "tensor<1xi1>", "data": [1]})"),
            "t.json#/cases/0/inputs/lhs/data/0: ", "expected true or false"},
        BadInput{
            WithLhs(R"({"type": "tensor<2xi9>", "data": []})"),
            "t.json#/cases/0/inputs/lhs/type: ", "unknown element type 'i9'"},
        BadInput{WithLhs(R"({"type": "tensor<-2xi8>", "data": []})"),
                 "t.json#/cases/0/inputs/lhs/type: ",
                 "'tensor<-2xi8>' is not a tensor type"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<9223372036854775807x4xi8>", "data": []})"),
            "t.json#/cases/0/inputs/lhs/type: ", "its size overflows"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<99999999999999999999xi8>", "data": []})"),
            "t.json#/cases/0/inputs/lhs/type: ", "does not fit 63 bits"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<1000000000000xi8>", "draw": {"seed": 1, "profile": "uniform"}})"),
            "t.json#/cases/0/inputs/lhs: ",
            "take 1000000000000 bytes or more; --memory allows"},
        BadInput{WithLhs(R"({"type": 7})"), "t.json#/cases/0/inputs/lhs/type: ",
                 "expected a string, found an integer"},
        BadInput{
            WithLhs(R"({"type": "tensor<2xi8>"})"),
            "t.json#/cases/0/inputs/lhs: ", "'data' (or 'draw') is missing"},
        BadInput{
            WithLhs(R"({"type": "tensor<2xi8>", "data": [1, 2], "draw": {}})"),
            "t.json#/cases/0/inputs/lhs: ", "not both"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "draw": {"seed": -1, "profile": "uniform"}})"),
            "t.json#/cases/0/inputs/lhs/draw/seed: ", "outside of [0,"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "draw": {"seed": 1, "profile": "x"}})"),
            "t.json#/cases/0/inputs/lhs/draw/profile: ",
            "\"uniform\", \"boundary\" or \"ordinary\""},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "draw": {"seed": 1, "below": 129}})"),
            "t.json#/cases/0/inputs/lhs/draw/below: ", "i8 has no 128"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xf32>", "draw": {"seed": 1, "below": 2}})"),
            "t.json#/cases/0/inputs/lhs/draw/below: ", "f32 has no indices"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "draw": {"seed": 1, "below": 0}})"),
            "t.json#/cases/0/inputs/lhs/draw/below: ", "outside of [1,"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "draw": {"seed": 1, "profile": "uniform", "sorted": true}})"),
            "t.json#/cases/0/inputs/lhs/draw", "sorted"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<300xi8>", "draw": {"every": "bits", "dimension": 0}})"),
            "t.json#/cases/0/inputs/lhs/draw/dimension: ",
            "more than i8 has bit patterns"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<3xi8>", "draw": {"every": "bits", "dimension": 1}})"),
            "t.json#/cases/0/inputs/lhs/draw/dimension: ", "outside of [0, 0]"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "data": [1, 2], "strides": [1, 1]})"),
            "t.json#/cases/0/inputs/lhs/strides: ", "2 stride(s) for rank 1"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "data": [1, 2], "strides": [-1]})"),
            "t.json#/cases/0/inputs/lhs: ", "in front of the buffer"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "data": [1, 2], "strides": [1000000000000]})"),
            "t.json#/cases/0/inputs/lhs: ", "farther than --memory allows"}));

INSTANTIATE_TEST_SUITE_P(
    Expectations, BadInputTest,
    testing::Values(
        BadInput{
            AddCase(
                R"("inputs": {"lhs": {"type": "tensor<2xi8>", "data": [1, 2]}, )" +
                kRhs + R"(}, "expect": {"result": [2, 4]})"),
            "t.json#/cases/0: ", "need a 'source'"},
        BadInput{
            AddCase(
                R"("inputs": {"lhs": {"type": "tensor<2xi8>", "data": [1, 2]}, )" +
                kRhs + R"(}, "source": "s", "expect": {"sum": [2, 4]})"),
            "t.json#/cases/0/expect/sum: ", "no op defines 'sum'"},
        BadInput{
            AddCase(
                R"("inputs": {"lhs": {"type": "tensor<2xi8>", "data": [1, 2]}, )" +
                kRhs + R"(}, "source": "s", "expect": {"result": [2]})"),
            "t.json#/cases/0/expect/result: ", "1 element(s)"},
        BadInput{
            AddCase(
                R"("inputs": {"lhs": {"type": "tensor<2xi8>"}, "rhs": {"type": "tensor<3xi8>"}}, "expect": {"violates": "C9"})"),
            "t.json#/cases/0/expect: ", "add has no constraint 'C9'"},
        BadInput{
            AddCase(
                R"("inputs": {"lhs": {"type": "tensor<1xi8>", "data": [1]}, "rhs": {"type": "tensor<3xi8>"}}, "expect": {"violates": "C1"})"),
            "t.json#/cases/0/inputs/lhs: ", "'data' without use"},
        BadInput{
            R"({"op": "convert", "cases": [{"id": "a", "inputs": {"operand": {"type": "tensor<1xi8>", "data": [1]}}}]})",
            "t.json#/cases/0: ", "the type of output 'result' is not inferred"},
        BadInput{
            R"({"op": "add", "cases": [{"id": "a", "program": [{"op": "add", "inputs": {"lhs": "x", "rhs": "x"}}]}]})",
            "t.json#/cases/0/program/0/inputs/lhs: ",
            "'x' is neither an input nor an earlier output"},
        BadInput{R"({"op": "add", "cases": [{"id": "a", "program": []}]})",
                 "t.json#/cases/0/program: ", "at least one op"},
        BadInput{
            R"({"op": "add", "cases": [{"id": "{n}", "each": {"n": [1.5]}, "inputs": {}}]})",
            "t.json#/cases/0/each/n/0: ", "found a number with a fraction"}));

const std::string kX =
    R"("inputs": {"x": {"type": "tensor<1xi8>", "data": [1]}}, )";
const std::string kProgram =
    R"("program": [{"op": "negate", "inputs": {"operand": "x"}}])";

std::string WithDimensions(const std::string& list) {
  return R"({"op": "broadcast_in_dim", "cases": [{"id": "a", "inputs": {
      "operand": {"type": "tensor<1xi8>", "data": [1]},
      "broadcast_dimensions": )" +
         list + R"(}, "outputs": {"result": {"type": "tensor<2xi8>"}}}]})";
}

INSTANTIATE_TEST_SUITE_P(
    Attacks, BadInputTest,
    testing::Values(
        BadInput{
            WithLhs(
                R"({"type": "tensor<8388608x2xi8>", "strides": [1099511627776, -1099511627776],
                             "offset": 1099511627776, "draw": {"seed": 1, "profile": "uniform"}})"),
            "t.json#/cases/0/inputs/lhs: ", "farther than --memory"},
        BadInput{
            WithLhs(
                R"({"type": "tensor<2xi8>", "data": [1, 2], "strides": [0]})"),
            "t.json#/cases/0/inputs/lhs: ", "in one place"},
        BadInput{
            R"({"op": "add", "cases": [{"id": "a", "each": {"a": ["{b}{b}"], "b": ["{a}{a}"]}}]})",
            "t.json#/cases/0/each/a/0: ", "a value that is replaced itself"},
        BadInput{R"({"op": "add", "cases": [{"id": "a", "each": {"a": []}}]})",
                 "t.json#/cases/0/each/a: ", "no values"},
        BadInput{R"({"op": "negate", "cases": [{"id": "a", "outputs": {}, )" +
                     kX + kProgram + "}]}",
                 "t.json#/cases/0/outputs: ", "stand at its ops"},
        BadInput{AddCase(kX + kProgram),
                 "t.json#/cases/0/program: ", "no op of the program is add"},
        BadInput{
            R"({"op": "negate", "cases": [{"id": "a", "inputs": {"x": {"type": "tensor<1xi8>", "data": [1]}},
                  "program": [{"op": "negate", "inputs": {"operand": "x"}, "outputs": {"result": {"name": "x"}}}]}]})",
            "t.json#/cases/0/program/0: ", "'x' is defined twice"},
        BadInput{R"({"op": "add\u001b[31m\n", "cases": []})",
                 "t.json#/op: ", "'add\\x1b[31m\\x0a'"},
        BadInput{
            R"({"op": "paddle.bitwise_left_shift", "cases": [{"id": "a", "inputs": {
                  "x": {"type": "tensor<1xi8>", "data": [1]}, "y": {"type": "tensor<1xi8>", "data": [1]}, "is_arithmetic": 1}}]})",
            "t.json#/cases/0/inputs/is_arithmetic: ", "expected true or false"},
        BadInput{WithDimensions("1"),
                 "t.json#/cases/0/inputs/broadcast_dimensions: ",
                 "expected an array, found an integer"},
        BadInput{WithDimensions("[0, 1.5]"),
                 "t.json#/cases/0/inputs/broadcast_dimensions/1: ",
                 "1.5 is not an integer"},
        BadInput{
            WithDimensions("[[0], [1]]"),
            "t.json#/cases/0/inputs/broadcast_dimensions/0: ", "integer"}));

const std::string kSquare =
    R"("functions": {"f": "^bb0(%a: tensor<i8>): %b = stablehlo.multiply %a, %a : tensor<i8> func.return %b : tensor<i8>"}, )";

std::string CallCase(const std::string& functions, const std::string& inputs) {
  return R"({"op": "func.call", "cases": [{"id": "a", )" + functions +
         R"("inputs": {)" + inputs +
         R"(}, "outputs": {"results": [{"type": "tensor<i8>"}]}}]})";
}

std::string TargetCase(const std::string& function, const std::string& type) {
  return R"({"op": "custom_call", "cases": [{"id": "a", )" + kSquare +
         R"("targets": {"t": ")" + function +
         R"("}, "inputs": {"inputs": [{"type": ")" + type +
         R"(", "data": [1]}], "call_target_name": "t",
             "has_side_effect": false, "api_version": 1,
             "called_computations": []},
           "outputs": {"results": [{"type": "tensor<i8>"}]}}]})";
}

std::string TupleProgram(const std::string& last, const std::string& more) {
  return R"({"op": "tuple", "cases": [{"id": "a", "source": "hand", "program": [
      {"op": "tuple", "inputs": {"val": [{"type": "tensor<i8>", "data": [1]}, {"type": "tensor<2xi8>", "data": [1, 2]}]},
       "outputs": {"result": {"name": "t", "type": "tuple<tensor<i8>, tensor<2xi8>>"}}})" +
         last + "]" + more + "}]}";
}

INSTANTIATE_TEST_SUITE_P(
    Calls, BadInputTest,
    testing::Values(
        BadInput{TargetCase("g", "tensor<i8>"),
                 "t.json#/cases/0/targets/t: ", "there is no function @g"},
        BadInput{TargetCase("f", "tensor<i16>"),
                 "t.json#/cases/0/inputs/call_target_name: ",
                 "custom_call has other types than its target, @f"},
        BadInput{CallCase(kSquare, R"("callee": "g", "operands": [])"),
                 "t.json#/cases/0/inputs/callee: ", "there is no function @g"},
        BadInput{CallCase("", R"("callee": "f", "operands": [])"),
                 "t.json#/cases/0/inputs/callee: ", "there is no function @f"},
        BadInput{
            CallCase(
                R"("functions": {"f": "func.call @g() : () -> () func.return", "g": "func.call @f() : () -> () func.return"}, )",
                R"("callee": "f", "operands": [])"),
            "t.json#/cases/0/functions/g:1:1: ",
            "the function @f calls itself: @f -> @g -> @f"},
        BadInput{
            CallCase(
                R"("functions": {"f": "func.call @f() : () -> () func.return"}, )",
                R"("callee": "f", "operands": [])"),
            "t.json#/cases/0/functions/f:1:1: ",
            "the function @f calls itself: @f -> @f"},
        BadInput{
            CallCase(
                R"("functions": {"f": "func.call @g() : () -> () func.return"}, )",
                R"("callee": "f", "operands": [])"),
            "t.json#/cases/0/functions/f:1:1: ", "there is no function @g"},
        BadInput{CallCase(R"("functions": {"f": "stablehlo.return"}, )",
                          R"("callee": "f", "operands": [])"),
                 "t.json#/cases/0/functions/f:1:1: ",
                 "a function ends with func.return"},
        BadInput{CallCase(R"("functions": {"f": 3}, )",
                          R"("callee": "f", "operands": [])"),
                 "t.json#/cases/0/functions/f: ", "expected a string"},
        BadInput{
            CallCase(
                R"("functions": {"f": "func.return", "g": "func.return %x : tensor<i8>"}, )",
                R"("callee": "f", "operands": [])"),
            "t.json#/cases/0/functions/g:1:13: ",
            "%x is not defined in the function"},
        BadInput{
            R"({"op": "map", "cases": [{"id": "a", )" + kSquare +
                R"("inputs": {"inputs": [{"type": "tensor<2xi8>", "data": [1, 2]}], "dimensions": [0],
                  "computation": "^bb0(%a: tensor<i8>): %b = func.call @f(%a) : (tensor<i8>) -> tensor<i8> stablehlo.return %b : tensor<i8>"}}]})",
            "t.json#/cases/0/inputs/computation: ",
            "'computation' of map is given to backends, and calls another"}));

INSTANTIATE_TEST_SUITE_P(
    Tuples, BadInputTest,
    testing::Values(
        BadInput{TupleProgram("", R"(, "expect": {"t": [[1]]})"),
                 "t.json#/cases/0/expect/t: ", "1 of the 2 members of 't'"},
        BadInput{TupleProgram("", R"(, "expect": {"t": [[1], [2]]})"),
                 "t.json#/cases/0/expect/t/1: ", ""},
        BadInput{TupleProgram("", R"(, "expect": {"t[0]": [1]})"),
                 "t.json#/cases/0/expect: ", "no op defines 't[0]'"},
        BadInput{
            TupleProgram(
                R"(, {"op": "after_all", "inputs": {"inputs": []}, "outputs": {"result": {"name": "u", "type": "!stablehlo.token"}}})",
                R"(, "expect": {"u": []})"),
            "t.json#/cases/0/expect/u: ",
            "'u' is a token, which has no literal"},
        BadInput{
            TupleProgram(R"(, {"op": "negate", "inputs": {"operand": "t"}})",
                         ""),
            "t.json#/cases/0/program/1/inputs/operand: ",
            "'operand' cannot be tuple<tensor<i8>, tensor<2xi8>>"},
        BadInput{
            TupleProgram(
                R"(, {"op": "after_all", "inputs": {"inputs": ["t"]}, "outputs": {"result": {"name": "u", "type": "!stablehlo.token"}}})",
                ""),
            "t.json#/cases/0/program/1/inputs/inputs/0: ",
            "'inputs' cannot be tuple<"},
        BadInput{
            TupleProgram(
                R"(, {"op": "tuple", "inputs": {"val": []}, "outputs": {"result": {"name": "u", "type": "tensor<i8>"}}})",
                ""),
            "t.json#/cases/0/program/1: ",
            "'result' of tuple cannot be tensor<i8>"},
        BadInput{
            TupleProgram(
                R"(, {"op": "tuple", "inputs": {"val": []}, "outputs": {"result": {"name": "u", "type": "tuple<tensor<i8>"}}})",
                ""),
            "t.json#/cases/0/program/1/outputs/result/type:1:", "expected"},
        BadInput{
            TupleProgram(
                R"(, {"op": "tuple", "inputs": {"val": []}, "outputs": {"result": {"name": "t[0]", "type": "tuple<>"}}})",
                ""),
            "t.json#/cases/0/program/1: ", "the name 't[0]' has a '['"},
        BadInput{
            R"({"op": "get_tuple_element", "cases": [{"id": "a", "inputs": {"operand": {"type": "tuple<tensor<i8>>", "data": [[1]]}, "index": 0},
                  "outputs": {"result": {"type": "tensor<i8>"}}}]})",
            "t.json#/cases/0/inputs/operand/type: ",
            "an input of a case that runs is a tensor"}));

TEST(Case, AListTakesAnyLength) {
  for (const char* list : {"[]", "[0]", "[-1, 0, 7]"}) {
    const Case c = Parse(WithDimensions(list)).at(0);
    EXPECT_EQ(AttributeText(c.program.main().body[0].attributes.at(0)), list);
  }
}

TEST(Case, TypeIsThatOfTheOpUnderTest) {
  const Case c = Parse(R"({"op": "abs", "cases": [{"id": "a",
    "inputs": {"x": {"type": "tensor<1xi8>", "data": [1]}}, "program": [
      {"op": "convert", "inputs": {"operand": "x"}, "outputs": {"result": {"name": "y", "type": "tensor<1xf32>"}}},
      {"op": "abs", "inputs": {"operand": "y"}, "outputs": {"result": {"name": "z"}}}]}]})")
                     .at(0);
  EXPECT_EQ(c.UnderTest().outputs[0].value, "z");
  EXPECT_EQ(c.TypeText(), "tensor<1xf32>");
}

TEST(Case, PatternsMatchNameAndType) {
  const Case c =
      Parse(WithLhs(R"({"type": "tensor<2xi8>", "data": [1, 2]})")).at(0);
  EXPECT_TRUE(Matches("add/*", c));
  EXPECT_TRUE(Matches("*:tensor<*xi8>", c));
  EXPECT_FALSE(Matches("*:tensor<*xi16>", c));
  EXPECT_FALSE(Matches("sub*", c));
}

}  // namespace
}  // namespace assay
