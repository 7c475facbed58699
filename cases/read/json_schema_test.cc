// Tests the places and reasons that are made of valijson's errors, and schemas
// that are invalid.
#include "cases/read/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/error.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Pointers(const std::string& schema,
                                  const std::string& document) {
  std::vector<std::string> pointers;
  const Json json = ParseJson("s", schema);
  for (const auto& violation :
       JsonSchema("s", json).Check(ParseJson("d", document))) {
    EXPECT_NE(violation.reason, "");
    pointers.push_back(violation.pointer);
  }
  return pointers;
}

TEST(JsonSchema, NamesTheInnermostPlaceOnce) {
  const std::string schema = R"({"type": "object", "properties": {
      "a": {"type": "array", "items": {"anyOf": [
          {"type": "integer", "minimum": 3}, {"type": "string"}]}},
      "b/c~d": {"type": "integer"}}, "required": ["a"]})";
  EXPECT_THAT(Pointers(schema, R"({"a": [3, "x"], "b/c~d": 4})"), IsEmpty());
  EXPECT_THAT(Pointers(schema, R"({"a": [3, 2, "x", true]})"),
              ElementsAre("/a/1", "/a/3"));
  EXPECT_THAT(Pointers(schema, R"({"a": [], "b/c~d": "x"})"),
              ElementsAre("/b~1c~0d"));
  EXPECT_THAT(Pointers(schema, "{}"), ElementsAre(""));
  EXPECT_THAT(Pointers(schema, "[]"), ElementsAre(""));
}

// Without a limit, a pattern on a string of a megabyte overflows the stack.
TEST(JsonSchema, LongStringsAreRefusedBeforeAPatternSeesThem) {
  const std::string schema =
      R"({"additionalProperties": {"pattern": "^a.*b$"}})";
  const std::string text = "a" + std::string(1 << 20, 'x') + "b";
  EXPECT_THAT(Pointers(schema, R"({"k": ")" + text + "\"}"), ElementsAre("/k"));
  EXPECT_THAT(Pointers(schema, "{\"" + text + "\": \"ab\"}"), ElementsAre(""));
  const std::string longest = "a" + std::string(4094, 'x') + "b";
  EXPECT_THAT(Pointers(schema, R"({"k": ")" + longest + "\"}"), IsEmpty());
}

TEST(JsonSchema, WhatIsNoSchemaIsAnInputError) {
  for (const char* text :
       {"[]", R"({"type": "nonsense"})", R"({"properties": 3})"}) {
    EXPECT_THROW(JsonSchema("s", ParseJson("s", text)), InputError) << text;
  }
}

TEST(JsonSchema, TheSchemaOfCasesIsEmbedded) {
  const Json schema = ParseJson("case.schema.json", kCaseSchema);
  EXPECT_EQ(schema["title"], "A file of cases");
  EXPECT_EQ(schema, ReadJsonFile(ASSAY_SOURCE_DIR "/cases/case.schema.json"));
}

}  // namespace
}  // namespace assay
