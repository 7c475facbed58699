// Every case file of the suite is what case.schema.json says, so the schema can
// be trusted as the reference of the format.
#include <gtest/gtest.h>

#include <filesystem>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "cases/json.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Plain = nlohmann::json;  // valijson's adapter is for this one
using Adapter = valijson::adapters::NlohmannJsonAdapter;

Plain Read(const fs::path& file) {
  return Plain::parse(ReadJsonFile(file.string()).dump());
}

class CaseSchemaTest : public testing::Test {
 protected:
  CaseSchemaTest() {
    const Plain json =
        Read(fs::path(ASSAY_SOURCE_DIR) / "cases/case.schema.json");
    valijson::SchemaParser().populateSchema(Adapter(json), schema_);
  }
  bool Accepts(const Plain& json) const {
    return valijson::Validator().validate(schema_, Adapter(json), nullptr);
  }
  valijson::Schema schema_;
};

TEST_F(CaseSchemaTest, AcceptsTheSuite) {
  int files = 0;
  for (const char* folder : {"conformance", "regressions", "bench"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(ASSAY_SOURCE_DIR) /
                                                    "cases" / folder)) {
      if (entry.path().extension() != ".json") continue;
      EXPECT_TRUE(Accepts(Read(entry.path()))) << entry.path();
      ++files;
    }
  }
  EXPECT_GT(files, 26) << "at least a file for every op";
}

TEST_F(CaseSchemaTest, RejectsWhatTheReaderRejects) {
  for (
      const char* text :
      {R"({"cases": []})", R"({"op": "add", "cases": [], "x": 1})",
       R"({"op": "add", "cases": [{"inputs": {}}]})",
       R"({"op": "add", "cases": [{"id": "a b"}]})",
       R"({"op": "add", "cases": [{"id": "a", "inputs": {"x": {"data": [1]}}}]})",
       R"({"op": "add", "cases": [{"id": "a", "expect": {"violates": []}}]})"}) {
    EXPECT_FALSE(Accepts(Plain::parse(text))) << text;
  }
}

}  // namespace
}  // namespace assay
