// Programs become those of their text and print as text that reads the same;
// what no op file describes is refused at its place.
#include "spec/text/program_text.h"

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
        "func.func @main(%x: tensor<2xf32>) {\n" + statement + "\nreturn\n}\n";
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

}  // namespace
}  // namespace assay
