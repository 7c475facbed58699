// Tests that coverage counts what was measured, and names what was not.
#include "reports/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

Evidence Read(const std::string& name, const std::string& text) {
  WriteFile(TestPath(name), text);
  EXPECT_TRUE(IsEvidence(TestPath(name)));
  Evidence evidence;
  ReadEvidence(TestPath(name), &evidence);
  return evidence;
}

constexpr char kPower[] =
    R"({"kind":"clause_power","format":1}
{"clause":"add/S1","status":"defined","marked_by":4,"breaks":null,"outcome":null}
{"clause":"add/S2","status":"defined","marked_by":9,"breaks":"add/x","outcome":"fail"}
)";
constexpr char kMutants[] =
    R"({"kind":"mutants","format":1}
{"kind":"mutant","bug":"SH03","arm":"suite","killed":true,"by":"add/x","how":"fail","clauses":["add/S2"],"cases":1}
{"kind":"mutant","bug":"SH04","arm":"suite","killed":false,"by":null,"how":null,"clauses":["add/S2"],"cases":9}
{"kind":"mutant","bug":"SH05","arm":"uniform","killed":true,"by":"add/y","how":"crash","clauses":["add/S2"],"cases":2}
)";

Verdict Covering(int64_t index, std::vector<std::string> covered,
                 const std::string& type = "tensor<2xi8>") {
  Verdict verdict =
      MakeVerdict(index, "add/" + std::to_string(index), Outcome::kPass, type);
  verdict.covered = std::move(covered);
  verdict.layouts = {"row_major"};
  return verdict;
}

TEST(Coverage, APowerFileMeasures) {
  Coverage coverage(Read("power.jsonl", kPower));
  coverage.Add(Covering(0, {"S1", "S2", "S6"}));
  coverage.Add(Covering(1, {"S2"}, "tensor<2xui8>"));
  const Coverage::Totals totals = coverage.Count();
  EXPECT_EQ(totals.measured, 1) << "add/S2";
  EXPECT_THAT(totals.missing,
              Contains("add/S1: NOT DETECTED: breaking it changes no verdict"));
  EXPECT_THAT(totals.missing, Contains("subtract/S1: no case executes it"));
  EXPECT_THAT(totals.open,
              Contains(HasSubstr("add/S6: implementation_defined, policy "
                                 "integer_overflow: marked")));
  EXPECT_THAT(totals.needs, Contains("add/S5: needs quantized types"));
  EXPECT_THAT(totals.elsewhere, Contains(HasSubstr("oracle/numpy_test.py")));
  const std::string text = coverage.ToText();
  EXPECT_THAT(text,
              HasSubstr("  S2     defined      breaking it changes add/x (fail)"
                        "\n         2 cases: 2 pass; types i8 ui8; layouts "
                        "row_major\n"));
}

TEST(Coverage, WithoutAPowerFileAClauseIsMarked) {
  Coverage coverage({});
  coverage.Add(Covering(0, {"S2"}));
  EXPECT_EQ(coverage.Count().measured, 0);
  EXPECT_THAT(coverage.Count().marked,
              Contains("add/S2: marked, power not measured"));
}

TEST(Coverage, WhatWasNotJudgedCoversNothing) {
  Coverage coverage({});
  Verdict verdict = Covering(0, {"S2"});
  verdict.outcome = Outcome::kUnsupported;
  coverage.Add(verdict);
  EXPECT_THAT(coverage.Count().missing,
              Contains("add/S2: no case executes it"));
}

TEST(Coverage, AClauseThatNamesItsCaseIsMeasuredByIt) {
  Coverage coverage({});
  const std::string missing =
      "paddle.bitwise_right_shift/SH-17: case "
      "paddle.bitwise_right_shift/example_1 passes nowhere";
  EXPECT_THAT(coverage.Count().missing, Contains(missing));
  coverage.Add(MakeVerdict(0, "paddle.bitwise_right_shift/example_1"));
  EXPECT_THAT(coverage.Count().missing, Not(Contains(missing)));
  EXPECT_EQ(coverage.Count().measured, 1);
}

TEST(Coverage, ConstraintsNeedTheBackendSpecBothWays) {
  Coverage coverage({});
  EXPECT_THAT(coverage.Count().missing,
              Contains("add/C1: no results of the backend spec, which judges "
                       "constraints"));
  Verdict holds = MakeVerdict(0, "add/x");
  holds.backend = "spec";
  coverage.Add(holds);
  EXPECT_THAT(coverage.Count().missing,
              Contains("add/C1: never violated alone"));
  Verdict violates = MakeVerdict(1, "add/violates");
  violates.backend = "spec";
  violates.violated = {"C1"};
  coverage.Add(violates);
  EXPECT_EQ(coverage.Count().measured, 1);
  EXPECT_THAT(coverage.ToText(),
              HasSubstr("C1     constraint   shown true, and violated alone"));
}

TEST(Coverage, PlantedBugsStandAtTheirClauses) {
  Coverage coverage(Read("mutants.jsonl", kMutants));
  EXPECT_THAT(coverage.ToText(),
              HasSubstr("planted bugs killed: SH03 SH05 (uniform)\n"));
}

TEST(Evidence, WhatIsWrongIsSaidWithItsLine) {
  const auto expect = [](const std::string& text, const std::string& why) {
    EXPECT_THAT([&] { Read("e.jsonl", text); },
                ThrowsMessage<InputError>(HasSubstr(why)))
        << text;
  };
  expect("{\"kind\":\"clause_power\",\"format\":2}\n", "e.jsonl:1#/format: 2");
  expect("{\"kind\":\"clause_power\",\"format\":1}\n{}\n",
         "e.jsonl:2#: the field 'clause' is missing");
  expect(std::string(kMutants) + "{\"kind\":\"x\"}\n",
         "e.jsonl:5#/kind: expected 'mutant'");
  expect(std::string(kMutants) + "{\n", "e.jsonl:5: parse error");
  EXPECT_THROW(IsEvidence("/nonexistent.jsonl"), InputError);
}

TEST(Evidence, ResultsAreNone) {
  WriteRun(FreshPath("r.jsonl"), MakeHeader({"simd"}, 0), {});
  EXPECT_FALSE(IsEvidence(TestPath("r.jsonl")));
}

}  // namespace
}  // namespace assay
