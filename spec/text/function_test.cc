// Functions and modules: how they are written, and what they are.
#include <gtest/gtest.h>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

TEST(Function, PrettyFormIsTheGenericOne) {
  EXPECT_EQ(
      Printed("func.func public @f(%a: i8 {jax.x = \"y\"} loc(\"a\"), %b: i4) "
              "-> (i8 {z}, i4) attributes {w} {\n"
              "  return %a, %b : i8, i4 loc(\"b\")\n} loc(\"c\")"),
      "\"builtin.module\"() ({\n"
      "  \"func.func\"() <{arg_attrs = [{jax.x = \"y\"}, {}], function_type = "
      "(i8, i4) -> (i8, i4), res_attrs = [{z}, {}], sym_name = \"f\", "
      "sym_visibility = \"public\"}> ({\n"
      "  ^bb0(%arg0: i8, %arg1: i4):\n"
      "    \"func.return\"(%arg0, %arg1) : (i8, i4) -> ()\n"
      "  }) {w} : () -> ()\n"
      "}) : () -> ()\n");
}

TEST(Function, ReturnsAndCallsMayLackTheirDialect) {
  EXPECT_EQ(Printed("func.func @f() { return }\n"
                    "func.func @\"g h\"() -> i8 {\n"
                    "  %0 = call @f() : () -> i8\n  return %0 : i8 }"),
            Printed("func.func @f() { func.return }\n"
                    "func.func @\"g h\"() -> i8 {\n"
                    "  %0 = func.call @f() : () -> i8\n"
                    "  \"func.return\"(%0) : (i8) -> () }"));
}

TEST(Function, DeclarationsHaveNoBody) {
  EXPECT_EQ(Printed("func.func private @f(i8, tensor<2xf32>) -> i8"),
            "\"builtin.module\"() ({\n"
            "  \"func.func\"() <{function_type = (i8, tensor<2xf32>) -> i8, "
            "sym_name = \"f\", sym_visibility = \"private\"}> ({\n"
            "  }) : () -> ()\n"
            "}) : () -> ()\n");
}

TEST(Function, ModulesNestAndMayBeLeftOut) {
  const std::string inner =
      "module @m attributes {a} { func.func @f() { return } }";
  EXPECT_EQ(Printed(inner),
            "\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
            "  \"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> "
            "({\n"
            "    \"func.return\"() : () -> ()\n"
            "  }) : () -> ()\n"
            "}) {a} : () -> ()\n");
  EXPECT_EQ(Printed("module {}"),
            "\"builtin.module\"() ({\n^bb0:\n}) : () -> ()\n");
  EXPECT_EQ(Printed(""), Printed("module {}"));
  EXPECT_EQ(Printed(inner + inner), Printed("module {" + inner + inner + "}"));
}

TEST(Function, ErrorsAreWhereTheyStand) {
  EXPECT_EQ(ErrorOf("func.func f()"),
            "1:11: expected a symbol '@name', not 'f'");
  EXPECT_EQ(ErrorOf("func.func @f"),
            "1:13: expected '(', not the end of the text");
  EXPECT_EQ(ErrorOf("func.func @f(%a: i8, i8)"),
            "1:22: expected an argument '%name', not 'i8'");
  EXPECT_EQ(ErrorOf("func.func @f(%a: i8 %b: i8)"),
            "1:21: expected ',', not '%b'");
  EXPECT_EQ(ErrorOf("func.func @f(%a i8)"), "1:17: expected ':', not 'i8'");
  EXPECT_EQ(ErrorOf("func.func @f() -> (i8 i8)"),
            "1:23: expected ',', not 'i8'");
  EXPECT_EQ(ErrorOf("func.func @f(i8) { return }"),
            "1:18: expected no body, as the arguments have no names, not '{'");
  EXPECT_EQ(ErrorOf("func.func @f(%a: i8) { ^bb0: return }"),
            "1:24: expected statements of a block that has its arguments "
            "already, not '^bb0'");
  EXPECT_EQ(ErrorOf("module {"),
            "1:9: expected an op, not the end of the text");
  EXPECT_EQ(ErrorOf("func.func @f() { return } loc("),
            "1:31: expected ')', not the end of the text");
}

TEST(Function, ReadModuleFindsFunctions) {
  const Chunk chunk =
      ParseChunk({"module @m {\n"
                  "  func.func private @f(%a: i8 {b = 1}) -> (i8, i4 {c}) {\n"
                  "    return %a, %a : i8, i8\n  }\n"
                  "  func.func @g()\n"
                  "  module @n { func.func @h() { return } }\n"
                  "  \"other\"() : () -> ()\n}"});
  const Module module = ReadModule(chunk.module);
  EXPECT_EQ(module.name, "m");
  ASSERT_EQ(module.functions.size(), 2u);
  const Function& f = module.functions[0];
  EXPECT_EQ(f.name, "f");
  EXPECT_TRUE(f.is_private);
  EXPECT_EQ(TypeText(*f.type), "(i8) -> (i8, i4)");
  ASSERT_NE(f.body, nullptr);
  EXPECT_EQ(f.body->arguments[0].name, "a");
  ASSERT_NE(f.argument_attributes[0], nullptr);
  EXPECT_EQ(f.argument_attributes[0]->at(0).name, "b");
  EXPECT_EQ(f.result_attributes[0], nullptr);
  EXPECT_NE(f.result_attributes[1], nullptr);
  EXPECT_EQ(f.statement->location, (Location{2, 3}));
  EXPECT_EQ(module.functions[1].body, nullptr);
  EXPECT_FALSE(module.functions[1].is_private);
  ASSERT_EQ(module.modules.size(), 1u);
  EXPECT_EQ(module.modules[0].functions[0].name, "h");
  ASSERT_EQ(module.others.size(), 1u);
  EXPECT_EQ(module.others[0]->op, "other");
}

std::string ReadError(std::string_view text) {
  const Chunk chunk = ParseChunk({text});
  try {
    ReadModule(chunk.module);
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return "";
}

TEST(Function, ReadModuleRefusesWhatIsNone) {
  const std::string type = "function_type = (i8) -> ()";
  const auto function = [&](const std::string& attributes) {
    return ReadError("\"func.func\"() <{" + attributes +
                     "}> ({ ^bb0(%a: i8): }) : () -> ()");
  };
  EXPECT_EQ(function("sym_name = \"f\", " + type), "");
  EXPECT_EQ(function(type), "1:1: the function has no name");
  EXPECT_EQ(function("sym_name = 1, " + type),
            "1:1: attribute 'sym_name' is not a string");
  EXPECT_EQ(function("sym_name = \"f\""),
            "1:1: attribute 'function_type' is not a function type");
  EXPECT_EQ(function("sym_name = \"f\", function_type = i8"),
            "1:1: attribute 'function_type' is not a function type");
  EXPECT_EQ(function("sym_name = \"f\", function_type = () -> ()"),
            "1:1: the types of the body's arguments are not those of the "
            "function");
  EXPECT_EQ(function("sym_name = \"f\", arg_attrs = [], " + type),
            "1:1: attribute 'arg_attrs' is not a list of 1");
  EXPECT_EQ(function("sym_name = \"f\", arg_attrs = [1], " + type),
            "1:1: attribute 'arg_attrs' is not a list of dictionaries");
  EXPECT_EQ(ReadError("\"func.func\"() <{sym_name = \"f\", " + type +
                      "}> : () -> ()"),
            "1:1: a function has one region, no operands, no results");
  EXPECT_EQ(ReadError("\"builtin.module\"() : () -> ()"),
            "1:1: a module has one region without arguments");
}

}  // namespace
}  // namespace assay::text
