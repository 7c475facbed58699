// Generic statements, regions, and the names of values.
#include <gtest/gtest.h>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

TEST(Statement, GenericFormHasAllItsParts) {
  const std::string text =
      "%0:2 = \"a.b\"() <{c = 1 : i64}> ({\n"
      "}, {\n"
      "^bb0(%arg0: i8, %arg1: i4):\n"
      "  \"d\"(%arg1, %arg0) : (i4, i8) -> ()\n"
      "}) {e} : () -> (i8, i4)\n";
  // The properties of an op of another dialect are attributes like others.
  EXPECT_EQ(PrintedStatements(text),
            "%0:2 = \"a.b\"() ({\n"
            "}, {\n"
            "^bb0(%arg0: i8, %arg1: i4):\n"
            "  \"d\"(%arg1, %arg0) : (i4, i8) -> ()\n"
            "}) {c = 1 : i64, e} : () -> (i8, i4)\n");
  EXPECT_EQ(
      PrintedStatements("\"stablehlo.iota\"() {iota_dimension = 0 : i64, x} : "
                        "() -> tensor<2xi8>"),
      "%0 = \"stablehlo.iota\"() <{iota_dimension = 0 : i64}> {x} : () -> "
      "tensor<2xi8>\n");
}

TEST(Statement, TreeHasNamesValuesAndPlaces) {
  const Chunk chunk = ParseChunk(
      {"%a, %b:2 = \"x\"() : () -> (i8, i4, i2)\n"
       "  %c = \"y\"(%b#1, %a, %b) ({ ^bb(%d: i8): \"z\"(%d, %b#1) : (i8, i2) "
       "-> () }) : (i2, i8, i4) -> i8\n",
       5});
  const std::vector<Statement>& statements = chunk.module.regions[0].statements;
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].location, (Location{5, 12}));
  EXPECT_EQ(statements[0].results[1].name, "b");
  EXPECT_EQ(statements[0].results[1].count, 2);
  EXPECT_EQ(statements[0].first_result, 0);
  const Statement& y = statements[1];
  EXPECT_EQ(y.op, "y");
  EXPECT_EQ(y.operands[0].name, "b");
  EXPECT_EQ(y.operands[0].number, 1);
  EXPECT_EQ(y.operands[0].value, 2);
  EXPECT_EQ(y.operands[0].location, (Location{6, 12}));
  EXPECT_EQ(y.operands[1].value, 0);
  EXPECT_EQ(y.operands[2].value, 1);
  const Region& region = y.regions[0];
  EXPECT_EQ(region.arguments[0].name, "d");
  EXPECT_EQ(region.statements[0].operands[0].value, region.first_argument);
  EXPECT_EQ(region.statements[0].operands[1].value, 2);
  EXPECT_LT(y.first_result, chunk.values);
}

TEST(Statement, NamesAreSeenToTheEndOfTheirRegion) {
  EXPECT_EQ(ErrorOf("\"a\"(%x) : (i8) -> ()"), "1:5: %x is not defined here");
  EXPECT_EQ(ErrorOf("\"a\"(%x) : (i8) -> ()\n%x = \"b\"() : () -> i8"),
            "1:5: %x is not defined here");
  EXPECT_EQ(ErrorOf("%x = \"a\"(%x) : (i8) -> i8"),
            "1:10: %x is not defined here");
  EXPECT_EQ(ErrorOf("\"a\"() ({ %x = \"b\"() : () -> i8 }) : () -> ()\n"
                    "\"c\"(%x) : (i8) -> ()"),
            "2:5: %x is not defined here");
  // Siblings may have the same names, a region and what is around it not.
  EXPECT_EQ(ErrorOf("\"a\"() ({ %x = \"b\"() : () -> i8 }, { %x = \"b\"() : () "
                    "-> i8 }) : () -> ()"),
            "");
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n"
                    "\"a\"() ({ %x = \"b\"() : () -> i8 }) : () -> ()"),
            "2:10: %x is defined in line 1 already");
  EXPECT_EQ(ErrorOf("\"a\"() ({\n^bb0(%x: i8, %x: i8): }) : () -> ()"),
            "2:14: %x is defined in line 2 already");
  EXPECT_EQ(ErrorOf("%\"x y\" = \"b\"() : () -> i8\n\"c\"(%\"x y\") : (i8) -> "
                    "()"),
            "");
}

TEST(Statement, FunctionsSeeNothingFromOutside) {
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n"
                    "func.func @f() { \"a\"(%x) : (i8) -> () }"),
            "2:22: %x is not defined here");
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n"
                    "func.func @f(%x: i4) { \"a\"(%x) : (i4) -> () }\n"
                    "\"a\"(%x) : (i8) -> ()"),
            "");
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n"
                    "\"func.func\"() ({ \"a\"(%x) : (i8) -> () }) : () -> ()"),
            "2:22: %x is not defined here");
}

TEST(Statement, TypesAndNumbersOfValuesAreThoseOfTheDefinition) {
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n\"a\"(%x) : (i4) -> ()"),
            "2:5: %x has type i8, not i4");
  EXPECT_EQ(ErrorOf("%x:2 = \"b\"() : () -> (i8, i4)\n\"a\"(%x#2) : (i4) -> "
                    "()"),
            "2:5: %x stands for 2 values, so there is no number 2");
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n\"a\"(%x, %x) : (i8) -> ()"),
            "2:1: the op has 2 operands, and 1 types of operands");
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> ()"),
            "1:1: 1 results are named, and the op has 0");
  EXPECT_EQ(ErrorOf("%x:2, %y = \"b\"() : () -> (i8, i8)"),
            "1:1: 3 results are named, and the op has 2");
  EXPECT_EQ(ErrorOf("%x:9223372036854775807, %y:9223372036854775807 = \"b\"() "
                    ": () -> (i8, i8)"),
            "1:1: 9223372036854775807 results are named, and the op has 2");
  EXPECT_EQ(ErrorOf("%x:0 = \"b\"() : () -> ()"),
            "1:4: a result stands for 1 value at least");
  EXPECT_EQ(ErrorOf("%x = \"b\"() : () -> i8\n\"a\"(%x#99999999999) : (i8) -> "
                    "()"),
            "2:7: the number of a result is too large");
}

TEST(Statement, WhatIsNoStatementIsRefusedWhereItStands) {
  EXPECT_EQ(ErrorOf("%x \"a\"() : () -> i8"), "1:4: expected '=', not '\"a\"'");
  EXPECT_EQ(ErrorOf("%x, y = \"a\"() : () -> i8"),
            "1:5: expected the name of a result, not 'y'");
  EXPECT_EQ(ErrorOf("%x = 1"), "1:6: expected an op, not '1'");
  EXPECT_EQ(ErrorOf("\"\"() : () -> ()"), "1:1: the name of an op is empty");
  EXPECT_EQ(ErrorOf("\"a\" : () -> ()"), "1:5: expected '(', not ':'");
  EXPECT_EQ(ErrorOf("\"a\"(1)"), "1:5: expected a value '%name', not '1'");
  EXPECT_EQ(ErrorOf("\"a\"(%x %y)"), "1:8: expected ',', not '%y'");
  EXPECT_EQ(ErrorOf("\"a\"()[^bb1] : () -> ()"),
            "1:6: StableHLO has no ops with successors");
  EXPECT_EQ(ErrorOf("\"a\"() <{}"),
            "1:10: expected '>', not the end of the text");
  EXPECT_EQ(ErrorOf("\"a\"() () : () -> ()"), "1:8: expected '{', not ')'");
  EXPECT_EQ(ErrorOf("\"a\"() ({}"),
            "1:10: expected ')', not the end of the text");
  EXPECT_EQ(ErrorOf("\"a\"() ({"),
            "1:9: expected an op, not the end of the text");
  EXPECT_EQ(ErrorOf("\"a\"() () -> ()"), "1:8: expected '{', not ')'");
  EXPECT_EQ(ErrorOf("\"a\"() : ()"),
            "1:11: expected '->', not the end of the text");
  EXPECT_EQ(ErrorOf("\"a\"() <{b}> {b} : () -> ()"),
            "1:1: attribute 'b' is given twice");
  EXPECT_EQ(ErrorOf("\"a\"() ({ ^bb0: ^bb1: }) : () -> ()"),
            "1:16: StableHLO has no regions of several blocks");
  EXPECT_EQ(ErrorOf("\"a\"() ({ ^bb0(x: i8): }) : () -> ()"),
            "1:15: expected an argument '%name', not 'x'");
  EXPECT_EQ(ErrorOf("\"a\"() ({ ^bb0(%x i8): }) : () -> ()"),
            "1:18: expected ':', not 'i8'");
}

TEST(Statement, OpsWithoutAPrettyFormAreNamed) {
  EXPECT_EQ(ErrorOf("%0 = chlo.lgamma %x : i8 -> i8"),
            "1:6: no form of op 'chlo.lgamma' is known but the generic one");
  EXPECT_EQ(ErrorOf("stablehlo.sort %x"),
            "1:1: no form of op 'stablehlo.sort' is known but the generic one");
  EXPECT_EQ(ErrorOf("\"chlo.lgamma\"() : () -> ()"), "");
}

TEST(Statement, WhatMayBeRightHasASubject) {
  const auto subject = [](std::string_view text, const Limits& limits = {}) {
    try {
      ParseChunk({text, 1}, limits);
    } catch (const NotJudged& error) {
      return error.subject();
    } catch (const SyntaxError&) {
      return std::string("wrong");
    }
    return std::string();
  };
  EXPECT_EQ(subject("%0 = chlo.lgamma %x : i8 -> i8"), "chlo.lgamma");
  EXPECT_EQ(subject("stablehlo.sort %x"), "wrong") << "it has no such form";
  EXPECT_EQ(subject("lgamma %x"), "wrong");
  Limits limits;
  limits.max_elements_bytes = 7;
  EXPECT_EQ(subject("\"a\"() {b = dense<1> : tensor<8xi8>} : () -> ()", limits),
            kTooLarge);
}

TEST(Statement, DocumentsHaveFreeNames) {
  EXPECT_EQ(ErrorOfStatements("%y = \"a\"(%x, %x#3) : (i8, i4) -> i8\n"
                              "%y = \"b\"(%x, %y) : (i4, i8) -> i4\n"
                              "\"c\"(%y) : (i4) -> ()"),
            "");
  EXPECT_EQ(
      ErrorOfStatements("%y = \"a\"() : () -> i8\n\"c\"(%y) : (i4) -> ()"),
      "2:5: %y has type i8, not i4");
  EXPECT_EQ(PrintedStatements("\"a\"(%x) : (i8) -> ()"),
            "\"a\"(%x) : (i8) -> ()\n");
}

TEST(Chunks, AreBetweenTheLinesThatSeparateThem) {
  const auto chunks = SplitChunks("a\n// -----\nb\n\n// ----- c\n  // -----\n");
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].text, "a\n");
  EXPECT_EQ(chunks[0].first_line, 1);
  EXPECT_EQ(chunks[1].text, "b\n\n");
  EXPECT_EQ(chunks[1].first_line, 3);
  EXPECT_EQ(chunks[2].text, "  // -----\n");
  EXPECT_EQ(chunks[2].first_line, 6);
  EXPECT_EQ(SplitChunks("").size(), 1u);
  EXPECT_EQ(SplitChunks("// -----").size(), 2u);
}

}  // namespace
}  // namespace assay::text
