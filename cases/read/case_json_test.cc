// Tests that a written case can be read again, and is the same case.
#include "cases/read/case_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Case CaseWith(const std::string& op, const std::string& body) {
  const std::string text =
      R"({"op": ")" + op + R"(", "cases": [{"id": "a", )" + body + "}]}";
  return ParseCases("t.json", ParseJsonExactly("t.json", text), {}).at(0);
}

// Writes the case, reads the text, and writes it again.
Json Written(const Case& c) {
  const Json json = CaseAsJson(c, "b");
  const Json file = {{"op", c.op}, {"cases", Json::array({json})}};
  const std::vector<Case> again =
      ParseCases("t.json", ParseJsonExactly("t.json", file.dump()), {});
  EXPECT_EQ(CaseAsJson(again.at(0), "b"), json) << json;
  return json;
}

const std::string kWrittenOperand =
    R"("x": {"type": "tensor<1xi8>", "data": [1]})";

TEST(CaseAsJson, NamesOneCallsValuesAsTheOpDoes) {
  const Json program =
      Written(CaseWith("add", R"("inputs": {)" + kWrittenOperand + R"(,
    "y": {"type": "tensor<1xi8>", "data": [2]}},
    "program": [{"op": "add", "inputs": {"lhs": "x", "rhs": "y"},
                 "outputs": {"result": {"name": "t"}}}], "alias": {"t": "x"})"));
  EXPECT_EQ(program["alias"], Json::parse(R"({"result": "lhs"})"));
  const Json named = Written(CaseWith("negate", R"("inputs": {
    "operand": {"type": "tensor<1xi8>", "data": [1]}},
    "outputs": {"result": {"name": "t"}}, "alias": {"t": "operand"})"));
  EXPECT_EQ(named["alias"], Json::parse(R"({"result": "operand"})"));
}

// A compiler may do something else to x - x than to x - y.
TEST(CaseAsJson, AValueThatIsTwoOperandsStaysOne) {
  const Json program =
      Written(CaseWith("add", R"("inputs": {)" + kWrittenOperand + R"(},
    "program": [{"op": "add", "inputs": {"lhs": "x", "rhs": "x"},
                 "outputs": {"result": {"name": "t"}}}], "alias": {"t": "x"})"));
  EXPECT_EQ(program["inputs"].size(), 1u);
  EXPECT_EQ(program["program"][0]["inputs"]["lhs"], "x");
  EXPECT_EQ(program["program"][0]["inputs"]["rhs"], "x");
}

TEST(CaseAsJson, TargetsAreKept) {
  const Json json = Written(CaseWith("custom_call", R"("functions": {
      "f": "^bb0(%a: tensor<i8>): func.return %a : tensor<i8>"},
    "targets": {"x.y": "f"}, "inputs": {
      "inputs": [{"type": "tensor<i8>", "data": [1]}],
      "call_target_name": "x.y", "has_side_effect": false, "api_version": 1,
      "called_computations": []},
    "outputs": {"results": [{"type": "tensor<i8>"}]})"));
  EXPECT_EQ(json["targets"], Json::parse(R"({"x.y": "f"})"));
  EXPECT_TRUE(json["functions"].contains("f"));
}

std::string Sine(const std::string& accuracy) {
  return R"("result_accuracy": )" + accuracy + R"(,
    "inputs": {"operand": {"type": "tensor<1xf32>", "data": [1]}})";
}

TEST(CaseAsJson, KeepsFractionsOfAnAccuracy) {
  const Case c =
      CaseWith("sine", Sine(R"({"atol": 0.5, "rtol": 1e-320, "ulps": 2})"));
  const ResultAccuracy accuracy =
      c.program.main().body[0].result_accuracy.value();
  EXPECT_EQ(accuracy.atol, 0.5);
  EXPECT_EQ(accuracy.rtol, 1e-320);
  const Json json = Written(c);
  EXPECT_EQ(json["result_accuracy"]["atol"], 0.5);
  Written(CaseWith("sine", Sine(R"({"atol": 3, "rtol": 0, "ulps": 2})")));
}

TEST(CaseParse, AnAccuracyIsOfFiniteNumbers) {
  const auto read = [](const std::string& atol) {
    CaseWith("sine",
             Sine(R"({"atol": )" + atol + R"(, "rtol": 0, "ulps": 2})"));
  };
  EXPECT_THAT([&] { read("1e400"); },
              ThrowsMessage<InputError>(
                  HasSubstr("/atol: 1e400 is outside of the range of f64")));
  EXPECT_THAT([&] { read("-0.5"); },
              ThrowsMessage<InputError>(
                  HasSubstr("/atol: expected a number of 0 or more")));
  EXPECT_THAT([&] { read("\"0.5\""); },
              ThrowsMessage<InputError>(
                  HasSubstr("/atol: expected a number, found string")));
}

TEST(CaseAsJson, KeepsWhatIsCalled) {
  const std::string functions =
      R"("functions": {"f": "^bb0(%a: tensor<i8>): %t = stablehlo.tuple %a : tuple<tensor<i8>> func.return %t : tuple<tensor<i8>>",
                       "g": "^bb0(%a: tensor<i8>): %t = func.call @f(%a) : (tensor<i8>) -> tuple<tensor<i8>> func.return %t : tuple<tensor<i8>>",
                       "unused": "func.return"}, )";
  const Json json = Written(CaseWith(
      "func.call",
      functions +
          R"("inputs": {"callee": "g", "operands": [{"type": "tensor<i8>", "data": [1]}]},
        "outputs": {"results": [{"type": "tuple<tensor<i8>>"}]},
        "after": [{"op": "func.call", )" +
          functions +
          R"("inputs": {"callee": "f", "operands": [{"type": "tensor<i8>", "data": [2]}]},
            "outputs": {"results": [{"type": "tuple<tensor<i8>>"}]}}])"));
  EXPECT_TRUE(json["functions"].contains("f"));
  EXPECT_TRUE(json["functions"].contains("g"));
  EXPECT_FALSE(json["functions"].contains("unused"));
  EXPECT_FALSE(json["after"][0]["functions"].contains("g"));
}

TEST(CaseAsJson, KeepsTuplesOfAProgram) {
  const Json json = Written(CaseWith("get_tuple_element", R"("program": [
      {"op": "tuple", "inputs": {"val": [{"type": "tensor<i8>", "data": [1]}]},
       "outputs": {"result": {"name": "t", "type": "tuple<tensor<i8>>"}}},
      {"op": "get_tuple_element", "inputs": {"operand": "t", "index": 0},
       "outputs": {"result": {"name": "r", "type": "tensor<i8>"}}}])"));
  EXPECT_EQ(json["program"][0]["outputs"]["result"]["type"],
            "tuple<tensor<i8>>");
}

// A count of results that does not follow from the operands breaks a
// constraint, and is written.
TEST(CaseAsJson, KeepsHowManyResultsThereAre) {
  const auto outputs = [](const std::string& op, const std::string& operands,
                          const std::string& given) {
    return Written(CaseWith(op, R"("inputs": {)" + operands +
                                    R"(}, "outputs": {)" + given +
                                    R"(}, "expect": {"violates": "C1"})"))
        .value("outputs", Json());
  };
  // The types of a barrier's results are not inferred, and those of a sort are.
  const std::string two =
      R"([{"type": "tensor<2xf32>"}, {"type": "tensor<2xf32>"}])";
  EXPECT_EQ(outputs("optimization_barrier", R"("operand": )" + two,
                    R"("result": [])")["result"],
            Json::array());
  const auto sorted = [&](const std::string& given) {
    return outputs(
        "sort", R"("inputs": )" + two + R"(, "dimension": 0, "is_stable": true,
        "comparator": "^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>): %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %0 : tensor<i1>")",
        R"("results": )" + given);
  };
  EXPECT_EQ(sorted("[]")["results"], Json::array());
  EXPECT_EQ(sorted("[{}]")["results"].size(), 1);
  EXPECT_EQ(sorted("[{}, {}]"), Json());
  EXPECT_EQ(sorted(R"([{}, {}, {"type": "tensor<f32>"}])")["results"].size(),
            3);
}

// A case that takes the sine of a number twice, whose literal is `literal`, and
// has `fields` besides.
std::string TwoSines(const std::string& literal, const std::string& fields) {
  return R"("source": "hand", "program": [
      {"op": "sine", "inputs": {"operand": {"type": "tensor<1xf32>", "draw": {"seed": 7, "profile": "ordinary"}}},
       "outputs": {"result": {"name": "s"}}},
      {"op": "sine", "result_accuracy": {"atol": 0, "rtol": 0, "ulps": 9}, "inputs": {"operand": "s"},
       "outputs": {"result": {"name": "r"}}}],
    "expect": {"r": )" +
         literal + "}, " + fields;
}

TEST(CaseWithLiteralsAsJson, KeepsHowLiteralsAreCompared) {
  const Case c = CaseWith(
      "sine",
      TwoSines(
          "[0.5]",
          R"("near": {"r": {"absolute": 1e-4, "ulps": 3}}, "open_literals": true)"));
  EXPECT_EQ(c.nearness.at("r").absolute, 1e-4);
  EXPECT_EQ(c.nearness.at("r").ulps, 3);
  EXPECT_TRUE(c.is_of_text);
  EXPECT_FALSE(c.program.main().body[0].result_accuracy.has_value());
  EXPECT_EQ(c.program.main().body[1].result_accuracy->ulps, 9);
  const Json json = CaseWithLiteralsAsJson(c, "a");
  const Json file = {{"op", "sine"}, {"cases", Json::array({json})}};
  const std::vector<Case> again =
      ParseCases("t.json", ParseJsonExactly("t.json", file.dump()), {});
  EXPECT_EQ(CaseWithLiteralsAsJson(again.at(0), "a"), json) << json;
  EXPECT_EQ(json["near"]["r"]["ulps"], 3);
  EXPECT_EQ(json["expect"]["r"], Json::parse(R"(["0x3f000000"])"));
  EXPECT_EQ(json["program"][1]["result_accuracy"]["ulps"], 9);
  // One draw stays what it is, and literals stay away where none are asked for.
  EXPECT_EQ(json["inputs"]["0.operand"]["draw"]["profile"], "ordinary");
  EXPECT_FALSE(CaseAsJson(c, "a").contains("expect"));
}

TEST(CaseAsJson, KeepsDrawsOfIndices) {
  for (const char* text : {R"({"seed": 7, "below": 100})",
                           R"({"seed": 7, "below": 100, "sorted": true})"}) {
    const std::string operand =
        R"({"type": "tensor<9xi8>", "draw": )" + std::string(text) + "}";
    const Json json =
        Written(CaseWith("not", R"("inputs": {"operand": )" + operand + "}"));
    EXPECT_EQ(json["inputs"]["operand"]["draw"], Json::parse(text));
  }
}

TEST(CaseParse, OnlyLiteralsOfFloatsAreNear) {
  const auto expect_error = [](const std::string& body,
                               const std::string& error) {
    EXPECT_THAT([&] { CaseWith("sine", body); },
                ThrowsMessage<InputError>(HasSubstr(error)))
        << body;
  };
  expect_error(TwoSines("[0.5]", R"("near": {"s": {"ulps": 3}})"),
               "/near/s: 's' has no literal of floats");
  expect_error(TwoSines("[0.5]", R"("near": {"r": {"ulps": -1}})"),
               "/near/r/ulps");
  expect_error(TwoSines("[0.5]", R"("near": {"r": {"absolute": -1}})"),
               "/near/r/absolute: expected a number of 0 or more");
  EXPECT_THAT(
      [] {
        CaseWith(
            "abs",
            R"("source": "hand", "inputs": {"operand": {"type": "tensor<1xi8>", "data": [1]}},
                    "expect": {"result": [1]}, "near": {"result": {"ulps": 1}})");
      },
      ThrowsMessage<InputError>(
          HasSubstr("'result' has no literal of floats")));
  EXPECT_THAT(
      [] {
        CaseWith(
            "abs",
            R"("inputs": {"operand": {"type": "tensor<1xi8>", "data": [1]}}, "open_literals": true)");
      },
      ThrowsMessage<InputError>(
          HasSubstr("/open_literals: there is no literal")));
}

TEST(WhyNotInJson, NamesWhatTextAloneHas) {
  Case c = CaseWith(
      "abs", R"("inputs": {"operand": {"type": "tensor<1xi8>", "data": [1]}})");
  EXPECT_EQ(WhyNotInJson(c), "");
  c.program.functions[0].body[0].attributes.push_back(
      {"config", Dictionary{{{"callee", FunctionName{"f"}}}}});
  EXPECT_EQ(WhyNotInJson(c),
            "'config' of abs is given in StableHLO text alone");
  c.verified_text.emplace();
  EXPECT_THAT(WhyNotInJson(c), HasSubstr("verified and not judged"));
}

}  // namespace
}  // namespace assay
