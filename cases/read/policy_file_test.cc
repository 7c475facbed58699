// Tests that every value of every key of a user's policy reaches the oracle
// from a file, and that an error in a file is reported with its place.
#include "cases/read/policy_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "spec/digest.h"
#include "spec/error.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Write(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(PolicyFile, EveryValueOfTheSchemaIsSelectable) {
  size_t values = 0;
  for (const auto& [key, meaning] : PolicyKeys()) {
    for (const std::string& value : PolicyValues(key)) {
      for (const char* base : {"assay", "stablehlo"}) {
        SCOPED_TRACE(fmt::format("{} = {} on {}", key, value, base));
        const Policy policy = ReadPolicyFile(Write(
            "one_value.json",
            fmt::format(R"({{"extends": "{}", "values": {{"{}": "{}"}}}})",
                        base, key, value)));
        EXPECT_EQ(policy.Get(key), value);
        // The tests of oracle/ use the policies that With makes, so the file
        // must give the same.
        const Policy& extended = Policy::Find(base);
        EXPECT_EQ(policy.values(), extended.With(key, value).values());
        EXPECT_EQ(policy.budgets().size(), extended.budgets().size());
        EXPECT_EQ(policy.name(), "one_value.json");
        EXPECT_EQ(policy.base(), base);
        ++values;
      }
    }
  }
  EXPECT_GT(values, 2 * PolicyKeys().size());
}

TEST(PolicyFile, HasBudgetsReasonsAndADigest) {
  const std::string text = R"({
    "extends": "stablehlo",
    "description": "Ours.",
    "values": {"shift_overflow": "clamp"},
    "reasons": {"shift_overflow": "our shifter clamps"},
    "budgets": [{"ops": ["sine"], "types": ["f32"], "ulp": 1.5,
                 "reason": "a polynomial of degree nine"}]})";
  const std::string path = Write("own.json", text);
  const Policy policy = ReadPolicyFile(path);
  EXPECT_EQ(policy.description(), "Ours.");
  EXPECT_EQ(policy.reasons().at("shift_overflow"), "our shifter clamps");
  EXPECT_EQ(policy.file(), path);
  EXPECT_EQ(policy.sha256(), Sha256(text));
  EXPECT_EQ(policy.ToFlag(), fmt::format("--policy '{}'", path));
  EXPECT_EQ(policy.FindBudget("sine", ElementType::kF32)->ulp, 1.5);
  EXPECT_EQ(
      policy.FindBudget("cosine", ElementType::kF32)->ulp,
      Policy::Find("stablehlo").FindBudget("cosine", ElementType::kF32)->ulp);
}

TEST(PolicyFile, IsToldFromAName) {
  for (const char* name : {"assay", "flush", "mine", ""})
    EXPECT_FALSE(IsPolicyFile(name)) << name;
  for (const char* name : {"mine.json", "./mine", "a/b.json", "/dev/null"})
    EXPECT_TRUE(IsPolicyFile(name)) << name;
}

TEST(PolicyFile, WhatIsWrongIsSaidWithItsPlace) {
  const struct {
    const char *text, *place, *reason;
  } rows[] = {
      {R"({"extends": "assay", "values": {"shift_overflw": "mask"}})",
       "#/values/shift_overflw",
       "unknown policy key (did you mean 'shift_overflow'?); "},
      {R"({"extends": "assay", "values": {"shift_overflow": "maks"}})",
       "#/values/shift_overflow",
       "unknown value 'maks' (did you mean 'mask'?); there are: saturate, "
       "clamp, "
       "mask, any"},
      {R"({"extends": "assay", "values": {"shift_overflow": 3}})",
       "#/values/shift_overflow", "expected one of the strings saturate,"},
      {R"({"extends": "stablhlo", "values": {}})", "#/extends",
       "there is no policy 'stablhlo' (did you mean 'stablehlo'?); there "
       "are: "},
      {R"({"extends": "p.json", "values": {}})", "#/extends",
       "'p.json' is a file, and a file extends a shipped policy; there are: "},
      {R"({"values": {}})", "#: ", "the field 'extends' is missing"},
      {R"({"extends": "assay"})", "#: ", "values"},
      {R"({"extends": "assay", "values": {}, "budget": []})", "#: ", "budget"},
      {R"({"extends": "assay", "values": [], "reasons": 3})", "#/reasons", ""},
      {R"({"extends": ["assay"], "values": {}})", "#/extends", ""},
      {R"({"extends": "assay", "values": {},
           "reasons": {"shift_overflow": "why"}})",
       "#/reasons/shift_overflow", "'values' gives none"},
      {R"({"extends": "assay", "values": {}, "budgets": [
            {"ops": ["sin"], "types": ["f32"], "ulp": 1,
             "reason": "as measured"}]})",
       "#/budgets/0/ops", "there is no op \"sin\""},
      {R"({"extends": "assay", "values": {}, "budgets": [
            {"ops": "sine", "types": ["f32"], "ulp": 1,
             "reason": "as measured"}]})",
       "#/budgets/0/ops", ""},
      {R"([])", "#: ", ""},
      {R"(3)", "#: ", ""},
      {R"({"extends": "assay", "values": {}, "values": {}})", ": ",
       "the key \"values\" stands twice"},
      {R"({"extends": "assay", "values": )", ": ", "parse error"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.text);
    const std::string path = Write("p.json", row.text);
    try {
      ReadPolicyFile(path);
      ADD_FAILURE() << "it was read";
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(),
                  AllOf(StartsWith(path + row.place), HasSubstr(row.reason)));
    }
  }
}

TEST(PolicyFile, OfAnotherKindOrWithTheNameOfAShippedPolicyIsRefused) {
  const auto refuses = [](const std::string& path, const char* reason) {
    try {
      ReadPolicyFile(path);
      ADD_FAILURE() << path;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), AllOf(StartsWith(path), HasSubstr(reason)));
    }
  };
  refuses(Write("flush.json", R"({"extends": "assay", "values": {}})"),
          "has the name of a shipped policy: name the file otherwise, or give "
          "--policy flush");
  refuses(testing::TempDir() + "/nosuch.json", "No such file");
  refuses(testing::TempDir(), "");
  refuses("/dev/zero", "");
  refuses(Write("deep.json", std::string(100000, '[')), "nested more than");
  refuses(Write("large.json",
                "{\"extends\": \"assay\", \"values\": {}, \"x\": [" +
                    std::string(2 << 20, '0').replace(0, 1, "\"") + "\"]}"),
          "take more than");
  std::string many = R"({"extends": "assay", "values": {"a": "b")";
  for (int i = 0; i < 100000; ++i) many += fmt::format(",\"k{}\":\"b\"", i);
  refuses(Write("many.json", many + "}}"), "take more than");
}

}  // namespace
}  // namespace assay
