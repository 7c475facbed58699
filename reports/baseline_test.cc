// Tests that a wrong baseline is refused with its place, and that a right one
// is written as it was read.
#include "reports/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr char kText[] = R"({
  "format": 1,
  "backends": {
    "python:numpy": {
      "policy": "numpy",
      "judged": {"add": {"i8": 45, "ui8": 45}},
      "entries": [
        {
          "pattern": "power/*:tensor<*xi8>",
          "outcomes": ["fail", "crash"],
          "error_ulps": [1, "inf"],
          "reason": "integer power of a negative exponent",
          "issue": "https://example.org/1",
          "owner": "kernels",
          "expires": "2027-01-31"
        },
        {"pattern": "shift_left/x", "outcomes": ["timeout"], "reason": "slow"}
      ]
    }
  }
}
)";

TEST(Baseline, ComesBackAsItWasWritten) {
  const Baseline baseline = ParseBaseline("b.json", kText);
  const BackendBaseline& numpy = baseline.backends.at("python:numpy");
  EXPECT_EQ(numpy.policy, "numpy");
  EXPECT_EQ(numpy.judged.at("add").at("ui8"), 45);
  ASSERT_EQ(numpy.entries.size(), 2u);
  EXPECT_EQ(numpy.entries[0].error_ulps,
            std::make_pair(1.0, std::numeric_limits<double>::infinity()));
  EXPECT_EQ(numpy.entries[0].expires, "2027-01-31");
  EXPECT_EQ(BaselineText(baseline), kText);
}

TEST(Baseline, IsSortedWhenWritten) {
  Baseline baseline = ParseBaseline("b.json", kText);
  std::swap(baseline.backends.at("python:numpy").entries[0],
            baseline.backends.at("python:numpy").entries[1]);
  const std::string path = FreshPath("b.json");
  WriteBaseline(path, baseline);
  EXPECT_EQ(ReadFile(path), kText);
  EXPECT_EQ(BaselineText(ReadBaseline(path)), kText);
}

std::string Replaced(const std::string& from, const std::string& to) {
  std::string text = kText;
  text.replace(text.find(from), from.size(), to);
  return text;
}

const std::vector<std::array<const char*, 3>>& Wrong() {
  static const std::vector<std::array<const char*, 3>> wrong = {
      {"\"reason\": \"slow\"", "\"reason\": \" \"",
       "entries/1/reason: must not be empty"},
      {", \"reason\": \"slow\"", "",
       "entries/1: the field 'reason' is missing"},
      {"\"owner\"", "\"onwer\"", "entries/0: unknown field 'onwer'"},
      {"\"timeout\"", "\"late\"",
       "entries/1/outcomes/0: unknown outcome 'late'; there are: pass, fail"},
      {"\"timeout\"", "\"skipped\"", "entries/1/outcomes/0: 'skipped' needs "},
      {"[\"timeout\"]", "[]", "entries/1/outcomes: must not be empty"},
      {"[1, \"inf\"]", "[1, 2, 3]",
       "entries/0/error_ulps: expected [min, max]"},
      {"[1, \"inf\"]", "[\"inf\", 1]", "the minimum is above the maximum"},
      {"[1, \"inf\"]", "[1, \"x\"]",
       "entries/0/error_ulps/1: expected a number"},
      {"2027-01-31", "2027-02-30", "'2027-02-30' is not a date"},
      {"2027-01-31", "31.1.2027", "'31.1.2027' is not a date"},
      {"2027-01-31", "2027-1-31", "'2027-1-31' is not a date"},
      {"2027-01-31", "2027-01-3", "'2027-01-3' is not a date"},
      {"2027-01-31", "2027-13-01", "'2027-13-01' is not a date"},
      {"2027-01-31", "-027-01-31", "'-027-01-31' is not a date"},
      {"2027-01-31", " 2027-1-31", "' 2027-1-31' is not a date"},
      {"2027-01-31", "12027-01-31", "'12027-01-31' is not a date"},
      {"power/*:", "power/[x:", "entries/0/pattern: the pattern has a ["},
      {"shift_left/x", "power/*:tensor<*xi8>", "another entry has the same"},
      {"\"format\": 1", "\"format\": 2", "b.json#/format: 2 is outside"},
      {"\"i8\": 45", "\"i8\": -1", "judged/add/i8: -1 is outside"},
      {"\"policy\": \"numpy\",", "", "the field 'policy' is missing"},
  };
  return wrong;
}

TEST(Baseline, WhatIsWrongIsSaidWithItsPlace) {
  for (const auto& [from, to, why] : Wrong()) {
    EXPECT_THAT([&] { ParseBaseline("b.json", Replaced(from, to)); },
                ThrowsMessage<InputError>(
                    testing::AllOf(HasSubstr("b.json#/"), HasSubstr(why))));
  }
  EXPECT_THAT([] { ReadBaseline("/nonexistent.json"); },
              ThrowsMessage<InputError>(HasSubstr("--update-baseline")));
}

// baseline.schema.json documents the format; it must not describe another one.
TEST(Baseline, TheSchemaAgreesWithTheReader) {
  using nlohmann::json;
  const json schema_text =
      json::parse(ReadFile(ASSAY_SOURCE_DIR "/reports/baseline.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser parser;
  const valijson::adapters::NlohmannJsonAdapter adapter(schema_text);
  parser.populateSchema(adapter, schema);
  const auto is_valid = [&](const std::string& text) {
    const json document = json::parse(text);
    valijson::Validator validator;
    return validator.validate(
        schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  };
  EXPECT_TRUE(is_valid(kText));
  // What a schema cannot say: which end is larger, how many months and days
  // there are, globs, and that a pattern stands once.
  int beyond = 0;
  for (const auto& [from, to, why] : Wrong())
    beyond += is_valid(Replaced(from, to)) ? 1 : 0;
  EXPECT_EQ(beyond, 5);
}

TEST(Baseline, AnEntryExpectsOutcomesAndErrors) {
  BaselineEntry entry;
  entry.outcomes = {Outcome::kFail};
  entry.error_ulps = {1, 128};
  Verdict verdict = MakeVerdict(0, "add/x", Outcome::kFail);
  EXPECT_TRUE(entry.Expects(verdict)) << "no error is known";
  for (const auto& [error, expected] :
       std::vector<std::pair<double, bool>>{{0.5, false},
                                            {1, true},
                                            {128, true},
                                            {129, false},
                                            {INFINITY, false},
                                            {NAN, false}}) {
    verdict.error_ulps = error;
    EXPECT_EQ(entry.Expects(verdict), expected) << error;
  }
  entry.error_ulps->second = INFINITY;
  EXPECT_TRUE(entry.Expects(verdict)) << "NaN is as far off as can be";
  verdict.outcome = Outcome::kCrash;
  EXPECT_FALSE(entry.Expects(verdict));
}

TEST(Baseline, ElementTypes) {
  for (const auto& [type, element] :
       std::vector<std::pair<std::string, std::string>>{
           {"tensor<4xi8>", "i8"},
           {"tensor<i1>", "i1"},
           {"tensor<2x?x3xcomplex<f32>>", "complex<f32>"},
           {"tensor<0xf8E4M3FN>", "f8E4M3FN"},
           {"tuple<tensor<i1>>", "tuple<tensor<i1>>"},
           {"", "none"}})
    EXPECT_EQ(ElementTypeText(type), element) << type;
}

TEST(Baseline, MatcherFindsNamesAndGlobs) {
  std::vector<BaselineEntry> entries(5);
  entries[0].pattern = "add/*";
  entries[1].pattern = "add/x";
  entries[2].pattern = "add/x:tensor<2xi8>";
  entries[3].pattern = "add/y";
  entries[4].pattern = "add\\/x";
  const EntryMatcher matcher(entries);
  std::vector<size_t> found;
  matcher.Find(MakeVerdict(0, "add/x"), &found);
  EXPECT_THAT(found, testing::ElementsAre(0, 1, 2, 4));
  matcher.Find(MakeVerdict(0, "sub/x"), &found);
  EXPECT_THAT(found, testing::IsEmpty());
}

TEST(Baseline, TodayIsADate) {
  EXPECT_THAT(Today(), testing::MatchesRegex("20..-..-.."));
}

}  // namespace
}  // namespace assay
