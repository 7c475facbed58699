// Programs become those of their text and print as text that reads the same;
// what no op file describes is refused at its place.
#include "spec/text/program_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* kProgram = R"(
func.func @main(%x: tensor<2xf32>, %p: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi1>) {
  %0 = stablehlo.add %x, %x {some.attribute = 1 : i64} : tensor<2xf32>
  %1 = stablehlo.compare LT, %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %2 = stablehlo.select %p, %0, %x : tensor<2xi1>, tensor<2xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>
  return %2, %1 : tensor<2xf32>, tensor<2xi1>
}
)";

Program Read(std::string_view text) { return ReadProgram("a.mlir", {text, 1}); }

TEST(ReadProgram, NamesMembersAsTheSpecificationDoes) {
  const Program program = Read(kProgram);
  const Function& main = program.main();
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(main.Type().ToString(),
            "(tensor<2xf32>, tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi1>)");
  ASSERT_EQ(main.body.size(), 4u);
  EXPECT_THAT(main.body[0].inputs,
              ElementsAre(Field(&Op::Operand::name, "lhs"),
                          Field(&Op::Operand::name, "rhs")));
  EXPECT_TRUE(main.body[0].attributes.empty());  // an unknown one is skipped
  EXPECT_EQ(AttributeText(*main.body[1].FindAttribute("comparison_direction")),
            "LT");
  EXPECT_EQ(AttributeText(*main.body[1].FindAttribute("compare_type")),
            "FLOAT");
  EXPECT_EQ(main.body[2].op, "select");
  EXPECT_EQ(main.body[2].inputs[0].name, "pred");
  EXPECT_EQ(main.body[2].inputs[0].value, "p");
  EXPECT_EQ(AttributeText(*main.body[3].FindAttribute("broadcast_dimensions")),
            "[1]");
  EXPECT_EQ(main.body[3].outputs[0].type.ToString(), "tensor<3x2xf32>");
}

// An integer is an i64 if no type stands behind it, wherever an attribute is.
TEST(ReadProgram, IntegersWithoutATypeAreOfI64) {
  const auto iota = [](const std::string& dimension) {
    return Read(
        fmt::format("func.func @main() -> tensor<2xi8> {{\n%r = "
                    "\"stablehlo.iota\"() <{{iota_dimension = {}}}> : "
                    "() -> tensor<2xi8>\nreturn %r : tensor<2xi8>\n}}",
                    dimension));
  };
  EXPECT_EQ(ProgramText(iota("0")), ProgramText(iota("0 : i64")));
  for (const char* dimension :
       {"0 : i8", "0 : index", "0 : si64", "[0]", "{a = 0}", "\"0\"", "@f",
        "#stablehlo.bounds<1>",
        "#stablehlo.dot<lhs_contracting_dimensions = [1]>"}) {
    EXPECT_THAT([&] { iota(dimension); },
                ThrowsMessage<InputError>(HasSubstr("a.mlir:2:")))
        << dimension;
  }
  // Attributes of each kind that an op declares.
  for (const char* op :
       {"\"stablehlo.compare\"(%x, %x) {comparison_direction = 0}",
        "\"stablehlo.reverse\"(%x) {dimensions = [0, 1]}",
        "\"stablehlo.reverse\"(%x) {dimensions = 0}",
        "\"stablehlo.constant\"() {value = 1}",
        "\"func.call\"(%x) {callee = 1}",
        "\"stablehlo.add\"(%x, %x) {lhs = 0, result_accuracy = 0}"}) {
    EXPECT_THAT(
        [&] {
          Read(
              fmt::format("func.func @main(%x: tensor<2xi8>) {{\n%r = {} : "
                          "(tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>\n"
                          "return\n}}",
                          op));
        },
        ThrowsMessage<InputError>(HasSubstr("a.mlir:2:")))
        << op;
  }
}

TEST(ReadRegion, HasOneDefinitionOfAName) {
  const auto read = [](const std::string& text) {
    return ReadRegion("r", "body", text);
  };
  const std::string end = "stablehlo.return %a : tensor<i8>";
  read("^bb0(%a: tensor<i8>): " + end);
  for (const std::string& text :
       {"^bb0(%a: tensor<i8>, %a: tensor<i8>): " + end,
        "^bb0(%a: tensor<i8>): %a = stablehlo.negate %a : tensor<i8> " + end,
        "^bb0(%a: tensor<i8>): %c = stablehlo.negate %a : tensor<i8> "
        "%c = stablehlo.negate %a : tensor<i8> " +
            end}) {
    EXPECT_THAT(
        [&] { read(text); },
        ThrowsMessage<InputError>(HasSubstr("is defined in line 1 already")))
        << text;
  }
  EXPECT_THAT(
      [&] { read("^bb0(%a: tensor<i8>): " + end + " " + end); },
      ThrowsMessage<InputError>(HasSubstr("stablehlo.return is not the last")));
}

TEST(ProgramText, ReadsAsTheSameProgram) {
  const std::string text = ProgramText(Read(kProgram));
  EXPECT_EQ(ProgramText(Read(text)), text);
  EXPECT_THAT(text, HasSubstr("<{compare_type = #stablehlo<comparison_type "
                              "FLOAT>, comparison_direction = "
                              "#stablehlo<comparison_direction LT>}>"));
}

TEST(ReadProgram, RefusesAtThePlaceWhatItDoesNotKnow) {
  const std::pair<std::string, std::string> rows[] = {
      {"%0 = stablehlo.add %x, %y : tensor<2xf32>",
       "a.mlir:2:24: %y is not defined here"},
      {"%0 = stablehlo.create_token : !stablehlo.token",
       "a.mlir:2:6: 'stablehlo.create_token' is not judged: deprecated"},
      {"%0 = \"chlo.acos\"(%x) : (tensor<2xf32>) -> tensor<2xf32>",
       "a.mlir:2:6: 'chlo.acos' is not judged: an op of another dialect"},
      {"%0 = \"add\"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> "
       "tensor<2xf32>",
       "a.mlir:2:6: 'add' is not judged: an op of another dialect"},
      {"%0 = \"stablehlo.paddle.bitwise_left_shift\"(%x, %x) : (tensor<2xf32>, "
       "tensor<2xf32>) -> tensor<2xf32>",
       "is not judged: no op file describes it"},
      {"%0 = \"stablehlo.abs\"(%t) : (!stablehlo.token) -> !stablehlo.token",
       "a.mlir:2:22: 'operand' of abs cannot be !stablehlo.token"},
      {"%0 = \"stablehlo.abs\"(%x) : (tensor<2xf32>) -> tuple<tensor<2xf32>>",
       "a.mlir:2:6: 'result' of abs cannot be tuple<tensor<2xf32>>"},
      {"%0 = \"stablehlo.concatenate\"(%x, %t) <{dimension = 0 : i64}> : "
       "(tensor<2xf32>, !stablehlo.token) -> tensor<2xf32>",
       "'inputs[1]' of concatenate cannot be !stablehlo.token"},
      {"%0 = \"stablehlo.compare\"(%x, %x) <{comparison_direction = "
       "#stablehlo<comparison_type FLOAT>}> : (tensor<2xf32>, "
       "tensor<2xf32>) -> tensor<2xi1>",
       "a.mlir:2:6: the attribute 'comparison_direction' of compare cannot"},
      {"%0 = stablehlo.exponential %x {result_accuracy = "
       "#stablehlo.result_accuracy<mode = "
       "#stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>",
       "a.mlir:2:6: result_accuracy: only the modes DEFAULT and TOLERANCE"},
      {"%0 = \"stablehlo.add\"(%x) : (tensor<2xf32>) -> tensor<2xf32>",
       "a.mlir:2:6: add does not take 1 operands"},
      {"%0:2 = \"stablehlo.add\"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> "
       "(tensor<2xf32>, tensor<2xf32>)",
       "a.mlir:2:8: add does not give 2 results"},
      {"%0 = \"stablehlo.add\"(%x, %x) ({}) : (tensor<2xf32>, tensor<2xf32>) "
       "-> tensor<2xf32>",
       "a.mlir:2:6: add does not take 1 functions"},
      {"%0 = \"stablehlo.compare\"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) "
       "-> tensor<2xi1>",
       "a.mlir:2:6: compare lacks its attribute 'comparison_direction'"},
      {"%0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> "
       "tensor<2xf32>",
       "a.mlir:2:6: broadcast_in_dim violates C3: "},
      {"%0 = \"stablehlo.broadcast_in_dim\"(%x) <{broadcast_dimensions = "
       "array<i1: true>}> : (tensor<2xf32>) -> tensor<2xf32>",
       "a.mlir:2:6: the attribute 'broadcast_dimensions' of broadcast_in_dim "
       "cannot be array<i1: true>: it is tensor<?xi64>"}};
  for (const auto& [statement, error] : rows) {
    const std::string text =
        "func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) {\n" +
        statement + "\nreturn\n}\n";
    EXPECT_THAT([&] { Read(text); },
                ThrowsMessage<InputError>(HasSubstr(error)))
        << statement;
  }
  EXPECT_THAT([] { Read("func.func private @f(tensor<2xf32>)"); },
              ThrowsMessage<InputError>(HasSubstr("has no body")));
  EXPECT_THAT([] { Read(""); },
              ThrowsMessage<InputError>(HasSubstr("has no function")));
}

constexpr const char* kRegion = R"(^bb0(%a: tensor<i8>, %b: tensor<i8>):
  %0 = stablehlo.add %a, %limit : tensor<i8>
  %1 = stablehlo.maximum %0, %b : tensor<i8>
  stablehlo.return %1 : tensor<i8>)";

TEST(ReadProgram, JudgesNoQuantizedTypes) {
  EXPECT_THAT(
      [] {
        Read(
            "func.func @main(%q: tensor<2x!quant.uniform<i8:f32, 0.5>>) {\n"
            "  return\n}\n");
      },
      ThrowsMessage<InputError>(
          HasSubstr("quantized types are not judged yet: tensor<2x!quant")));
}

TEST(ReadProgram, HasFunctionsOfDifferentNamesAndTheTypesThatTheyDeclare) {
  constexpr const char* kF =
      "func.func private @f(%a: tensor<f32>) -> tensor<f32> {\n"
      "  return %a : tensor<f32>\n}\n";
  const Program program =
      Read(std::string(kF) + "func.func @main() { return }\n");
  EXPECT_EQ(program.main().name, "main");
  EXPECT_EQ(program.Find("f")->inputs.size(), 1u);
  EXPECT_THAT(
      [&] { Read(std::string(kF) + kF); },
      ThrowsMessage<InputError>(HasSubstr("there is a function @f already")));
  EXPECT_THAT(
      [] {
        Read(
            "func.func @main(%a: tensor<f32>) -> tensor<i32> {\n"
            "  \"func.return\"(%a) : (tensor<f32>) -> ()\n}\n");
      },
      ThrowsMessage<InputError>(HasSubstr("other types than it declares")));
}

// Each definition has a name of its own, whatever the text calls it.
TEST(ReadProgram, TellsDefinitionsApart) {
  const Program program = Read(
      "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
      "  %unused = stablehlo.add %a, %a : tensor<f32>\n"
      "  stablehlo.negate %a : tensor<f32>\n"
      "  return %unused : tensor<f32>\n}\n");
  const Function& main = program.main();
  EXPECT_NE(main.body[0].outputs[0].value, main.body[1].outputs[0].value);
  EXPECT_EQ(main.results[0].name, main.body[0].outputs[0].value);
}

TEST(ReadProgram, KeepsTheAccuracyThatACallAsksFor) {
  const std::string text = ProgramText(
      Read("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
           "  %0 = stablehlo.exponential %a {result_accuracy = "
           "#stablehlo.result_accuracy<atol = 0.5, ulps = 3, mode = "
           "#stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>\n"
           "  return %0 : tensor<f32>\n}\n"));
  const Program program = Read(text);
  const auto& accuracy = program.main().body[0].result_accuracy;
  ASSERT_TRUE(accuracy);
  EXPECT_EQ(accuracy->atol, 0.5);
  EXPECT_EQ(accuracy->rtol, 0);
  EXPECT_EQ(accuracy->ulps, 3);
  EXPECT_EQ(ProgramText(program), text);
}

TEST(ReadRegion, TellsResultsOfACaptureApart) {
  const Function region = ReadRegion(
      "c", "body",
      "%0 = stablehlo.add %r#1, %r : tensor<i8>\nstablehlo.return %0 : "
      "tensor<i8>");
  EXPECT_THAT(Captures(region), ElementsAre(Field(&TypedName::name, "r#1"),
                                            Field(&TypedName::name, "r")));
  EXPECT_THAT(
      [] {
        ReadRegion("c", "body",
                   "%0 = stablehlo.negate %r : tensor<i8>\n%1 = "
                   "stablehlo.negate %r : tensor<i16>\nstablehlo.return %0 : "
                   "tensor<i8>");
      },
      ThrowsMessage<InputError>(
          HasSubstr("%r is tensor<i16> here, and tensor<i8> before")));
}

TEST(ReadRegion, KeepsNamesAndFindsCaptures) {
  const Function region = ReadRegion("c.json#/body", "body", kRegion);
  EXPECT_EQ(region.name, "body");
  EXPECT_EQ(region.Type().ToString(), "(tensor<i8>, tensor<i8>) -> tensor<i8>");
  EXPECT_THAT(Captures(region), ElementsAre(Field(&TypedName::name, "limit")));
  const std::string text = RegionText(region);
  EXPECT_EQ(RegionText(ReadRegion("", "body", text)), text);
  EXPECT_THAT(text, HasSubstr(R"(%1 = "stablehlo.maximum"(%0, %b))"));
}

TEST(ReadRegion, NamesTheLineOfItsText) {
  EXPECT_THAT(
      [] {
        ReadRegion("c.json#/body", "body",
                   "^bb0(%a: tensor<i8>):\n  %0 = stablehlo.foo %a : "
                   "tensor<i8>\n  stablehlo.return %0 : tensor<i8>");
      },
      ThrowsMessage<InputError>(HasSubstr("c.json#/body:2:")));
  EXPECT_THAT([] { ReadRegion("c", "body", "^bb0(%a: tensor<i8>):"); },
              ThrowsMessage<InputError>(
                  HasSubstr("a function ends with stablehlo.return")));
}

TEST(FunctionText, TakesCapturesAsItsLastArguments) {
  const std::string text =
      FunctionText(ReadRegion("c.json#/body", "body", kRegion));
  EXPECT_THAT(text,
              HasSubstr(R"(sym_name = "body", sym_visibility = "private")"));
  EXPECT_THAT(text, HasSubstr("^bb0(%arg0: tensor<i8>, %arg1: tensor<i8>, "
                              "%arg2: tensor<i8>):"));
  EXPECT_THAT(text, HasSubstr(R"("func.return")"));
  const Program program = Read(text);
  EXPECT_EQ(program.main().inputs.size(), 3u);
  EXPECT_TRUE(Captures(program.main()).empty());
}

constexpr const char* kCalls = R"(
func.func @main(%x: tensor<i8>) -> tensor<i8> {
  %0 = func.call @twice(%x) : (tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}
func.func @twice(%x: tensor<i8>) -> tensor<i8> {
  %0 = func.call @double(%x) : (tensor<i8>) -> tensor<i8>
  %1 = func.call @double(%0) : (tensor<i8>) -> tensor<i8>
  return %1 : tensor<i8>
}
func.func @double(%x: tensor<i8>) -> tensor<i8> {
  %0 = stablehlo.add %x, %x : tensor<i8>
  return %0 : tensor<i8>
}
)";

TEST(ReadProgram, FindsWhatIsCalled) {
  const Program program = Read(kCalls);
  ASSERT_EQ(program.functions.size(), 3u);
  const Function& twice = *program.main().body[0].callee;
  EXPECT_EQ(twice.name, "twice");
  EXPECT_EQ(twice.body[0].callee, twice.body[1].callee);
  EXPECT_EQ(twice.body[0].callee->body[0].op, "add");
  const std::string text = ProgramText(program);
  EXPECT_EQ(ProgramText(Read(text)), text);
}

TEST(ReadProgram, RefusesCallsThatDoNotEnd) {
  const auto error = [](std::string text) {
    try {
      Read(text);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  std::string text = kCalls;
  text.replace(text.find("stablehlo.add %x, %x : tensor<i8>"), 33,
               "func.call @twice(%x) : (tensor<i8>) -> tensor<i8>");
  EXPECT_EQ(error(text),
            "a.mlir:12:8: the function @twice calls itself: @twice -> "
            "@double -> @twice");
  text = kCalls;
  text.replace(text.find("@twice"), 6, "@other");
  EXPECT_EQ(error(text), "a.mlir:3:8: there is no function @other");
  text = kCalls;
  text.replace(text.find("@double(%x) : (tensor<i8>)"), 26,
               "@double(%x, %x) : (tensor<i8>, tensor<i8>)");
  EXPECT_THAT(error(text), HasSubstr("a.mlir:7:8: func.call violates C1: "));

  // Each function calls the next one once, or twice.
  const auto chain = [&](int length, int calls) {
    std::string functions =
        "func.func @main() {\n func.call @f0() : () -> ()\n return\n}\n";
    for (int i = 0; i < length; ++i) {
      functions += fmt::format("func.func @f{}() {{\n", i);
      for (int k = 0; k < calls && i + 1 < length; ++k)
        functions += fmt::format("  func.call @f{}() : () -> ()\n", i + 1);
      functions += "  return\n}\n";
    }
    return functions;
  };
  EXPECT_EQ(error(chain(63, 1)), "");
  EXPECT_THAT(error(chain(64, 1)), HasSubstr("calls nest more than 64 deep"));
  EXPECT_EQ(error(chain(16, 2)), "");
  EXPECT_THAT(
      error(chain(17, 2)),
      HasSubstr(
          "a.mlir:2:2: @f0 has more than 65536 ops, those of the functions "
          "that it calls counted at every call"));
}

TEST(ReadProgram, RefusesTuplesAndCallsInWhatBackendsAreGiven) {
  const auto program = [](const std::string& body) {
    return "func.func @f(%x: tensor<i8>) -> tensor<i8> {\n"
           "  return %x : tensor<i8>\n}\n"
           "func.func @main(%x: tensor<2xi8>) {\n"
           "  %0 = \"stablehlo.map\"(%x) <{dimensions = array<i64: 0>}> ({\n"
           "  ^bb0(%a: tensor<i8>):\n" +
           body +
           "    stablehlo.return %b : tensor<i8>\n"
           "  }) : (tensor<2xi8>) -> tensor<2xi8>\n  return\n}\n";
  };
  for (const char* body :
       {"    %b = func.call @f(%a) : (tensor<i8>) -> tensor<i8>\n",
        "    %t = stablehlo.tuple %a : tuple<tensor<i8>>\n"
        "    %b = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i8>>) -> "
        "tensor<i8>\n"}) {
    EXPECT_THAT(
        [&] { Read(program(body)); },
        ThrowsMessage<InputError>(HasSubstr(
            "a.mlir:5:8: the 'computation' of map is given to backends")));
  }
  EXPECT_EQ(Read(program("    %b = stablehlo.negate %a : tensor<i8>\n"))
                .functions.size(),
            2u);
}

TEST(ReadCallee, CapturesNothing) {
  const std::string text =
      "^bb0(%a: tensor<i8>):\n  %b = stablehlo.add %a, %a : tensor<i8>\n"
      "  func.return %b : tensor<i8>";
  const Function function = ReadCallee("c.json#/f", "f", text, {}, nullptr);
  const std::string printed = CalleeText(function);
  EXPECT_EQ(CalleeText(ReadCallee("", "f", printed, {}, nullptr)), printed);
  EXPECT_THAT(
      [] {
        ReadCallee("c.json#/f", "f",
                   "%b = stablehlo.add %a, %a : tensor<i8>\nfunc.return", {},
                   nullptr);
      },
      ThrowsMessage<InputError>(
          HasSubstr("c.json#/f:1:20: %a is not defined in the function")));
}

TEST(ReadValueType, ReadsWhatTypesPrint) {
  for (const char* text : {"tensor<2xi8>", "tuple<>", "!stablehlo.token",
                           "tuple<tensor<2xi8>, tuple<!stablehlo.token>>"})
    EXPECT_EQ(ReadValueType("x", text).ToString(), text);
  for (const char* text : {"tuple<tensor<2xi8>> x", "tuple<", "i8", ""})
    EXPECT_THROW(ReadValueType("x", text), InputError) << text;
}

}  // namespace
}  // namespace assay
