// Tests errors of results: what is read is what was written, a wrong field is
// named, and the tables say what a person looks for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/accuracy_field.h"
#include "reports/accuracy_text.h"
#include "reports/reports_test_support.h"
#include "reports/result_line.h"
#include "reports/results.h"
#include "spec/error.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Accuracy Made() {
  Accuracy accuracy;
  accuracy.type = "complex<f32>";
  accuracy.errors.elements = 12;
  accuracy.errors.worst = 1.0 / 3;
  accuracy.errors.budget = 3.5;
  accuracy.errors.histogram = {5, 4, 3, 0, 0, 0, 0, 0, 0};
  accuracy.errors.notices_up = 0x1.5p-22;
  accuracy.errors.notices_down = 0x1p-23;
  accuracy.worst = "[1]: operand = \"x\" \\ \u00e9";
  accuracy.tiers = {1, 2, 3, 4};
  return accuracy;
}

void ExpectEqual(const Accuracy& a, const Accuracy& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.errors.elements, b.errors.elements);
  EXPECT_EQ(a.errors.worst, b.errors.worst);
  EXPECT_EQ(a.errors.budget, b.errors.budget);
  EXPECT_EQ(a.errors.histogram, b.errors.histogram);
  EXPECT_EQ(a.errors.notices_up, b.errors.notices_up);
  EXPECT_EQ(a.errors.notices_down, b.errors.notices_down);
  EXPECT_EQ(a.worst, b.worst);
  EXPECT_EQ(a.tiers, b.tiers);
}

TEST(AccuracyField, ComesBackFromAFileAsItWas) {
  Verdict plain = MakeVerdict(0, "add/x"), finite = MakeVerdict(1, "tanh/x"),
          infinite = MakeVerdict(2, "tanh/y");
  finite.accuracy = Made();
  infinite.accuracy = Made();
  infinite.accuracy->errors.worst = INFINITY;
  infinite.accuracy->errors.notices_up = INFINITY;
  infinite.accuracy->errors.notices_down = INFINITY;
  const std::string path = FreshPath("r.jsonl");
  WriteRun(path, MakeHeader({"simd"}, 3), {plain, finite, infinite});
  const Results results = ReadResults(path);
  ASSERT_EQ(results.size(), 3u);
  Verdict read;
  results.Get(2, &read);
  ASSERT_TRUE(read.accuracy.has_value());
  ExpectEqual(*read.accuracy, *infinite.accuracy);
  results.Get(1, &read);
  ASSERT_TRUE(read.accuracy.has_value());
  ExpectEqual(*read.accuracy, *finite.accuracy);
  // Storage that is used again keeps nothing.
  results.Get(0, &read);
  EXPECT_FALSE(read.accuracy.has_value());
}

constexpr const char* kFields[][2] = {
    {"type", "\"f32\""},    {"elements", "1"},
    {"worst", "0.5"},       {"budget", "2"},
    {"up", "0.25"},         {"down", "0.25"},
    {"tiers", "[0,1,0,0]"}, {"histogram", "[1,0,0,0,0,0,0,0,0]"},
    {"index", "3"},         {"at", "\"somewhere\""}};

// Returns the reason for which a field is refused, or "" if it is accepted.
// `field` has the text `value`, or is left out if that is empty.
std::string Refusal(const std::string& field, const std::string& value) {
  std::string json = "{";
  for (const auto& [name, usual] : kFields) {
    const std::string text = name == field ? value : usual;
    if (text.empty()) continue;
    if (json.size() > 1) json += ',';
    json += "\"" + std::string(name) + "\":" + text;
  }
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  EXPECT_EQ(parser.parse(json + "}").get(element), simdjson::SUCCESS) << json;
  try {
    ParseAccuracy(element);
  } catch (const LineError& e) {
    return e.reason;
  }
  return "";
}

TEST(AccuracyField, AWrongFieldIsNamed) {
  EXPECT_EQ(Refusal("", ""), "");
  const std::pair<const char*, const char*> wrong[] = {
      {"type", "\"f31\""},
      {"type", "7"},
      {"type", ""},
      {"elements", "-1"},
      {"elements", "0.5"},
      {"elements", ""},
      {"worst", "\"nan\""},
      {"worst", "[]"},
      {"worst", ""},
      {"budget", "\"2\""},
      {"budget", ""},
      {"budget", "-0.0"},
      {"worst", "-1"},
      {"up", "\"much\""},
      {"down", "null"},
      {"histogram", "[1,2]"},
      {"histogram", "[1,0,0,0,0,0,0,0,0,0]"},
      {"histogram", "[1,0,0,0,0,0,0,0,\"0\"]"},
      {"histogram", ""},
      {"tiers", "[1,2,3]"},
      {"tiers", "{}"},
      {"tiers", ""},
      {"at", "1"},
      {"at", ""}};
  for (const auto& [field, value] : wrong) {
    EXPECT_THAT(Refusal(field, value), HasSubstr("'accuracy' has no valid '" +
                                                 std::string(field) + "'"))
        << value;
  }
  // An error that no element would notice has no field.
  EXPECT_EQ(Refusal("up", ""), "");
  EXPECT_EQ(Refusal("worst", "\"inf\""), "");
}

TEST(AccuracyField, AFileWithAWrongFieldNamesIt) {
  const std::string path = FreshPath("r.jsonl");
  Verdict verdict = MakeVerdict(0, "tanh/x");
  verdict.accuracy = Made();
  WriteRun(path, MakeHeader({"simd"}, 1), {verdict});
  std::string text = ReadFile(path);
  const size_t at = text.find("\"elements\":12");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 13, "\"elements\":-2");
  WriteFile(path, Summed(text));
  try {
    ReadResults(path);
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("'accuracy'"),
                                HasSubstr("'elements'"), HasSubstr("2")));
  }
}

TEST(AccuracyText, HasARowForEachOpAndTypeThatWasMeasured) {
  Accuracy tanh = Made(), none;
  tanh.errors.worst = 1.75;
  none.type = "f64";
  none.tiers = {10, 0, 0, 0};
  Accuracy deaf = Made();
  deaf.errors.notices_up = INFINITY;
  const std::string text = AccuracyText("simd", {{{"tanh", "f32"}, tanh},
                                                 {{"sine", "f64"}, none},
                                                 {{"log", "f32"}, deaf}});
  EXPECT_THAT(text, AllOf(HasSubstr("Errors of simd"), HasSubstr("  tanh"),
                          HasSubstr("1.7500    3.50          0.50"),
                          HasSubstr("2^-21.6"), HasSubstr("nothing"),
                          Not(HasSubstr("sine"))));
  EXPECT_THAT(text,
              HasSubstr("12 exact, 4 by libm in double, 6 in long double, 8 "
                        "by ball arithmetic"));
  for (size_t i = 0, end; i < text.size(); i = end + 1) {
    end = text.find('\n', i);
    EXPECT_LE(end - i, 120u) << text.substr(i, end - i);
  }
}

TEST(SweepText, HasTheClassesThatAreNotEmpty) {
  Verdict verdict = MakeVerdict(0, "exponential/every_f32");
  verdict.accuracy = Made();
  verdict.accuracy->errors.histogram = {6, 3, 0, 0, 0, 0, 0, 0, 3};
  verdict.chunks = {4096, 64};
  const std::string text = SweepText(verdict);
  EXPECT_THAT(text, AllOf(HasSubstr(verdict.accuracy->worst),
                          HasSubstr("in 4096 chunks"), HasSubstr("0 to 0.5 "),
                          HasSubstr("50.00000 %"), HasSubstr("0.5 to 0.75 "),
                          HasSubstr("25.00000 %"), HasSubstr("8 to  "),
                          Not(HasSubstr("0.75 to 1 "))));
}

TEST(Accuracy, MergesTheWordsOfTheWorst) {
  Accuracy sum, first = Made(), second = Made();
  first.worst = "first";
  second.worst = "second";
  sum.Merge(first);
  EXPECT_EQ(sum.type, "complex<f32>");
  EXPECT_EQ(sum.worst, "first");
  sum.Merge(second);  // as far off: the first one stays
  EXPECT_EQ(sum.worst, "first");
  second.errors.worst = 2;
  sum.Merge(second);
  EXPECT_EQ(sum.worst, "second");
  EXPECT_EQ(sum.errors.elements, 36);
  EXPECT_EQ(sum.tiers, (std::array<int64_t, 4>{3, 6, 9, 12}));
  sum.Merge(Accuracy());
  EXPECT_EQ(sum.worst, "second");
}

}  // namespace
}  // namespace assay
