// Tests what a pattern matches, and which patterns match nothing.
#include "cases/read/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Pattern, NameOrNameAndType) {
  EXPECT_TRUE(Matches("add/*", "add/x", "tensor<4xi8>"));
  EXPECT_TRUE(Matches("add/x", "add/x", "tensor<4xi8>"));
  EXPECT_TRUE(Matches("*:tensor<*xi8>", "add/x", "tensor<4xi8>"));
  EXPECT_FALSE(Matches("*:tensor<*xi8>", "add/x", "tensor<4xui8>"));
  EXPECT_FALSE(Matches("add", "add/x", "tensor<4xi8>"));
}

TEST(Pattern, AnEscapedTextMatchesItselfAlone) {
  const std::string name = "add/a*b?[c]\\d";
  const std::string pattern = EscapePattern(name);
  EXPECT_TRUE(Matches(pattern, name, ""));
  EXPECT_FALSE(Matches(pattern, "add/aXb?[c]\\d", ""));
  EXPECT_EQ(PatternError(pattern), "");
  std::string text;
  EXPECT_TRUE(IsExact(pattern, &text));
  EXPECT_EQ(text, name);
  for (const char* glob : {"a*", "a?", "[ab]"})
    EXPECT_FALSE(IsExact(glob, &text)) << glob;
}

TEST(Pattern, WhatCanMatchNothingIsAnError) {
  for (const char* bad : {"", "add/x\\", "add/[x", "add/[]", "add/[!]x"})
    EXPECT_NE(PatternError(bad), "") << bad;
  for (const char* good : {"add/[]]", "add/[!a-c]*", "add/\\[x", "*"})
    EXPECT_EQ(PatternError(good), "") << good;
}

}  // namespace
}  // namespace assay
