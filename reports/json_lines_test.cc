// A result file is complete or it is not there, and says what ran where.
#include "reports/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

std::vector<Json> ReadLines(const std::string& path) {
  std::vector<Json> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(Json::parse(line));
  }
  return lines;
}

RunHeader Header() {
  return {{"assay", "run"},
          {"cases"},
          2,
          {{"simd", "simd", "0.1.0", "simd.so", &Policy::Find("numpy")}}};
}

TEST(JsonLines, HeaderVerdictsFooter) {
  const std::string path = testing::TempDir() + "/results.jsonl";
  std::filesystem::remove(path);
  Summary summary;
  JsonLinesWriter writer(path, Header());
  Verdict fail;
  fail.case_name = "add/x";
  fail.op = "add";
  fail.type = "tensor<2xi8>";
  fail.backend = "simd";
  fail.outcome = Outcome::kFail;
  fail.also = {Outcome::kNondeterministic};
  fail.basis = "text";
  fail.clauses = {"add/S2"};
  fail.elements = 2;
  fail.message = "not UTF-8: \xff";
  for (int i = 0; i < 2; ++i) {
    writer.Write(fail);
    summary.Add(fail);
  }
  EXPECT_FALSE(std::filesystem::exists(path)) << "incomplete, so not there";
  writer.Finish(summary);
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));

  const std::vector<Json> lines = ReadLines(path);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["kind"], "header");
  EXPECT_EQ(lines[0]["backends"][0]["policy"], "numpy");
  EXPECT_EQ(lines[0]["backends"][0]["policy_values"]["shift_overflow"],
            "saturate");
  EXPECT_EQ(lines[0]["backends"][0]["version"], "0.1.0");
  for (const char* key : {"cpu", "cores", "system", "compiler"}) {
    EXPECT_TRUE(lines[0]["host"].contains(key)) << key;
  }
  EXPECT_EQ(lines[1]["case"], "add/x");
  EXPECT_EQ(lines[1]["outcome"], "fail");
  EXPECT_EQ(lines[1]["also"], Json({"nondeterministic"}));
  EXPECT_EQ(lines[1]["clauses"], Json({"add/S2"}));
  EXPECT_EQ(lines[3]["kind"], "footer");
  EXPECT_EQ(lines[3]["counts"], Json({{"fail", 2}}));
  EXPECT_EQ(lines[3]["elements"], 4);
}

TEST(JsonLines, AnInterruptedRunLeavesNothing) {
  const std::string path = testing::TempDir() + "/interrupted.jsonl";
  { JsonLinesWriter writer(path, Header()); }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST(JsonLines, WhatIsNoFileIsNotReplaced) {
  const std::string folder = testing::TempDir() + "/folder.jsonl";
  std::filesystem::create_directories(folder);
  EXPECT_THAT(
      [&] { JsonLinesWriter(folder, Header()); },
      testing::ThrowsMessage<InputError>(HasSubstr("is not a regular file")));
}

TEST(JsonLines, APlaceThatCannotBeWrittenIsAnInputError) {
  EXPECT_THAT([] { JsonLinesWriter("/nonexistent/r.jsonl", Header()); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("/nonexistent/r.jsonl: cannot be written")));
}

}  // namespace
}  // namespace assay
