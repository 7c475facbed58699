#include "spec/text/lexer.h"

#include <gtest/gtest.h>

#include <vector>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

std::vector<std::string> Tokens(std::string_view text) {
  Lexer lexer(text);
  std::vector<std::string> tokens;
  for (;;) {
    const Token token = lexer.Next();
    if (token.kind == TokenKind::kEnd) return tokens;
    tokens.emplace_back(token.text);
  }
}

std::string LexError(std::string_view text) {
  try {
    Tokens(text);
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return "";
}

using Texts = std::vector<std::string>;

TEST(Lexer, TokensAreThoseOfMlir) {
  EXPECT_EQ(Tokens("%r:2 = a.b$c(%x#1) // a comment\n -> ::@\"q n\"^bb0"),
            (Texts{"%r", ":", "2", "=", "a.b$c", "(", "%x", "#1", ")", "->",
                   "::", "@\"q n\"", "^bb0"}));
  EXPECT_EQ(Tokens("%a-b -1 - > #x.y !z \"\\\"\""),
            (Texts{"%a-b", "-", "1", "-", ">", "#x.y", "!z", "\"\\\"\""}));
  EXPECT_EQ(Tokens("%\"any thing\" %0x"), (Texts{"%\"any thing\"", "%0", "x"}));
}

TEST(Lexer, NumbersAreDecimalHexadecimalOrFloats) {
  const auto kind = [](std::string_view text) {
    Lexer lexer(text);
    const Token token = lexer.Next();
    EXPECT_EQ(lexer.Next().kind, TokenKind::kEnd) << text;
    return token.kind;
  };
  EXPECT_EQ(kind("12"), TokenKind::kInteger);
  EXPECT_EQ(kind("0x1F"), TokenKind::kHexInteger);
  for (const char* text : {"1.", "1.5", "1.5e3", "1.5E-3", "1.0e+10"})
    EXPECT_EQ(kind(text), TokenKind::kFloat) << text;
  // Without a '.' there is no exponent, and without digits neither.
  EXPECT_EQ(Tokens("1e5 0xg 1.0e 1.e+"),
            (Texts{"1", "e5", "0", "xg", "1.0", "e", "1.", "e", "+"}));
}

TEST(Lexer, PlacesAreLinesAndColumnsOfBytes) {
  Lexer lexer("a\n  \xc3\xa9", 7);
  EXPECT_EQ(lexer.Next().location, (Location{7, 1}));
  EXPECT_THROW(lexer.Next(), SyntaxError);
  Lexer other("// x\r\n\t b");
  EXPECT_EQ(other.Next().location, (Location{2, 3}));
}

TEST(Lexer, StringsAndNamesAreUnquoted) {
  const auto unquoted = [](std::string_view text) {
    Lexer lexer(text);
    return Unquote(lexer.Next());
  };
  EXPECT_EQ(unquoted(R"("a\\b\"c\n\t\41\e9")"), "a\\b\"c\n\tA\xe9");
  EXPECT_EQ(unquoted(R"("\\")"), "\\");
  Lexer lexer(R"(@"a\"b" %"c d" @e ^bb1)");
  EXPECT_EQ(NameOf(lexer.Next()), "a\"b");
  EXPECT_EQ(NameOf(lexer.Next()), "c d");
  EXPECT_EQ(NameOf(lexer.Next()), "e");
  EXPECT_EQ(NameOf(lexer.Next()), "bb1");
}

TEST(Lexer, WhatIsNoTokenIsRefusedWhereItStands) {
  EXPECT_EQ(LexError("a \"b\nc\""), "1:3: a string is not closed in its line");
  EXPECT_EQ(LexError("\"a"), "1:1: a string is not closed in its line");
  EXPECT_EQ(LexError("\"a\\\""), "1:1: a string is not closed in its line");
  EXPECT_EQ(LexError("\n ;"), "2:2: ';' begins nothing");
  EXPECT_EQ(LexError(std::string_view("\0", 1)), "1:1: '\\x00' begins nothing");
  EXPECT_EQ(LexError("% "), "1:1: '%' is not followed by the name of a value");
  EXPECT_EQ(LexError("@("), "1:1: '@' is not followed by the name of a symbol");
  EXPECT_EQ(LexError("^"), "1:1: '^' is not followed by the name of a block");
  EXPECT_EQ(LexError("!"), "1:1: '!' is not followed by the name of a type");
  EXPECT_EQ(LexError("#"),
            "1:1: '#' is not followed by the name of an attribute");
  EXPECT_EQ(Spelled(R"("a\q")"),
            "1:14: a string has only the escapes \\\", \\\\, \\n, \\t and two "
            "hexadecimal digits");
}

}  // namespace
}  // namespace assay::text
