// Tests that every case file of the suite conforms to case.schema.json, so that
// the schema can be trusted as the reference of the format.
#include <gtest/gtest.h>

#include <filesystem>

#include "cases/read/json_schema.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool Accepts(const Json& json) {
  static const JsonSchema schema("case.schema.json",
                                 ParseJson("case.schema.json", kCaseSchema));
  return schema.Check(json).empty();
}

TEST(CaseSchema, AcceptsTheSuite) {
  int files = 0;
  for (const char* folder :
       {"conformance", "regressions", "bench", "exhaustive"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(ASSAY_SOURCE_DIR) /
                                                    "cases" / folder)) {
      if (entry.path().extension() != ".json") continue;
      EXPECT_TRUE(Accepts(ReadJsonFile(entry.path().string()))) << entry.path();
      ++files;
    }
  }
  EXPECT_GT(files, 26) << "at least a file for every op";
}

TEST(CaseSchema, RejectsWhatTheReaderRejects) {
  for (
      const char* text :
      {R"({"cases": []})", R"({"op": "add", "cases": [], "x": 1})",
       R"({"op": "add", "cases": [{"inputs": {}}]})",
       R"({"op": "add", "cases": [{"id": "a b"}]})",
       R"({"op": "add", "cases": [{"id": "a", "inputs": {"x": {"data": [1]}}}]})",
       R"({"op": "add", "cases": [{"id": "a", "expect": {"violates": []}}]})"}) {
    EXPECT_FALSE(Accepts(ParseJson("c.json", text))) << text;
  }
}

}  // namespace
}  // namespace assay
