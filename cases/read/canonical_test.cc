// Tests the canonical form at its edges: what fits on a line, how lines are
// filled, and what stays as it was written.
#include "cases/read/canonical.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cases/read/json.h"
#include "spec/error.h"

namespace assay {
namespace {

std::string Canonical(const std::string& text) {
  const std::string canonical = CanonicalJson("f.json", text);
  EXPECT_EQ(CanonicalJson("f.json", canonical), canonical) << "not idempotent";
  EXPECT_EQ(ParseJson("f.json", canonical), ParseJson("f.json", text));
  return canonical;
}

// Returns {"k": "aa..a"} of `columns` columns.
std::string Object(size_t columns) {
  return R"({"k": ")" + std::string(columns - 9, 'a') + R"("})";
}

TEST(Canonical, OneLineHasOneSpaceBehindColonsAndCommas) {
  EXPECT_EQ(Canonical("{ \"b\":[1,2 ,{}],\n\"a\" : {\"c\":[ ]} }"),
            "{\"b\": [1, 2, {}], \"a\": {\"c\": []}}\n");
  EXPECT_EQ(Canonical(" 1 "), "1\n");
  EXPECT_EQ(Canonical("\xef\xbb\xbf[]"), "[]\n");
}

TEST(Canonical, A120thColumnFitsAndA121stDoesNot) {
  EXPECT_EQ(Canonical(Object(120)), Object(120) + "\n");
  const std::string member = Object(121).substr(1, 119);
  EXPECT_EQ(Canonical(Object(121)), "{\n  " + member + "\n}\n");
}

TEST(Canonical, InsideAContainerTheIndentationTheKeyAndACommaCount) {
  // The limit counts two spaces and a comma, though no comma follows the last
  // element.
  const std::string fits = Object(117), exceeds = Object(118);
  EXPECT_EQ(Canonical("[" + fits + ", {}]"), "[\n  " + fits + ",\n  {}\n]\n");
  EXPECT_EQ(Canonical("[" + exceeds + ", {}]"),
            "[\n  {\n    " + exceeds.substr(1, 116) + "\n  },\n  {}\n]\n");
  // The text `"key": ` takes seven more columns.
  EXPECT_EQ(Canonical("{\"key\": " + Object(110) + ", \"a\": 1}"),
            "{\n  \"key\": " + Object(110) + ",\n  \"a\": 1\n}\n");
  EXPECT_EQ(Canonical("{\"key\": " + Object(111) + ", \"a\": 1}"),
            "{\n  \"key\": {\n    " + Object(111).substr(1, 109) +
                "\n  },\n  \"a\": 1\n}\n");
}

TEST(Canonical, ColumnsAreCodePoints) {
  std::string wide = R"({"k": ")";
  for (int i = 0; i < 111; ++i) wide += "\u4f4d";
  wide += R"("})";
  EXPECT_EQ(Canonical(wide), wide + "\n");
}

TEST(Canonical, ScalarsOfALongArrayFillTheirLines) {
  std::string array = "[";
  for (int i = 0; i < 50; ++i) array += i == 0 ? "1000" : ", 1000";
  array += "]";
  // Twenty elements and a comma would take 2 + 19 * 6 + 5 = 121 columns, so a
  // line has 19 elements, and a 20th only where no comma follows.
  std::string line = " ";
  for (int i = 0; i < 19; ++i) line += " 1000,";
  const std::string last =
      "  1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, "
      "1000, 1000, 1000, 1000\n";
  EXPECT_EQ(Canonical(array), "[\n" + line + "\n" + line + "\n" + last + "]\n");
}

TEST(Canonical, KeepsTheOrderOfKeysAndTheTextOfNumbers) {
  const std::string text =
      "{\"z\": 1.0, \"a\": 1e2, \"m\": 1E+02, \"b\": "
      "123456789012345678901234567890, \"c\": -0, \"d\": -0.0, \"e\": "
      "0.1000}\n";
  EXPECT_EQ(Canonical(text), text);
}

TEST(Canonical, OneSpellingOfAString) {
  EXPECT_EQ(Canonical(R"(["\u0041\/\u00e9\n\"", "\\", "a\\\"]"])"),
            "[\"A/\u00e9\\n\\\"\", \"\\\\\", \"a\\\\\\\"]\"]\n");
}

TEST(Canonical, WhatIsNotJsonIsAnError) {
  for (const char* text : {"", "{", "[1,]", "{\"a\": 1, \"a\": 2}", "\"\xff\"",
                           "[1e400]", "// a\n1"}) {
    EXPECT_THROW(CanonicalJson("f.json", text), InputError) << text;
  }
}

}  // namespace
}  // namespace assay
