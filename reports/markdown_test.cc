// Tests that the page begins with what needs a person, and shows names as they
// are.
#include "reports/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;
using Kind = Expectedness::Kind;

TEST(Markdown, NamesAreShownAsTheyAre) {
  EXPECT_EQ(MarkdownText("a|b`c<d>&*_[x]\n"),
            "a\\|b\\`c&lt;d>&amp;\\*\\_\\[x\\] ");
  EXPECT_EQ(MarkdownCode("x\n````\ny"), "`````text\nx\n````\ny\n`````\n");
}

TEST(Markdown, UnexpectedResultsComeFirst) {
  MarkdownReport report;
  Verdict fail = MakeVerdict(0, "add/|x", Outcome::kFail);
  fail.message = "6 of 12 elements differ";
  fail.replay = "assay run --op 'add/|x'";
  BaselineEntry entry;
  entry.reason = "known";
  report.Add(fail, {Kind::kUnexpected, nullptr});
  report.Add(MakeVerdict(1, "add/known", Outcome::kFail),
             {Kind::kExpected, &entry});
  report.Add(MakeVerdict(2, "add/fixed"), {Kind::kUnexpectedPass, &entry});
  report.Add(MakeVerdict(3, "add/y", Outcome::kUnsupported),
             {Kind::kNotJudged, nullptr});
  GateResult gate;
  gate.unexpected = gate.unexpected_passes = gate.judged = 1;
  gate.text = "Baseline b.json: as it is\n";
  const std::string text = report.Text(MakeHeader({"simd"}, 4), gate);
  EXPECT_THAT(text, testing::StartsWith("## assay: not as expected: 1 "));
  EXPECT_THAT(text, HasSubstr("**2 fail** · 1 pass · 1 unsupported"));
  EXPECT_THAT(text, HasSubstr("### Failures: 1 cases of 1 causes"));
  EXPECT_THAT(text, HasSubstr("| 1 | simd | add | integer | fail |  |  | "
                              "add/\\|x |"));
  EXPECT_THAT(text, HasSubstr("### Unexpected passes: 1"));
  EXPECT_THAT(text, HasSubstr("**fail** add/\\|x tensor&lt;2xi8> on simd"));
  EXPECT_THAT(text, HasSubstr("```text\n6 of 12 elements differ\n"
                              "replay: assay run --op 'add/|x'\n"
                              "explain: assay explain 'add/|x' --policy "
                              "'numpy'\n```"));
  EXPECT_THAT(text, HasSubstr("**unexpected pass** add/fixed"));
  EXPECT_THAT(text, Not(HasSubstr("add/known")));
  EXPECT_THAT(text, HasSubstr("| add | 1 | 2 | 1 | 0 | 0 |"));
  EXPECT_THAT(text, HasSubstr("### Not judged: 1 of 4 cases"));
  EXPECT_THAT(text, HasSubstr("| 1 | unsupported: declined |"));
  EXPECT_THAT(text, HasSubstr("Baseline b.json: as it is"));
  EXPECT_LT(text.find("Failures"), text.find("| op |"));
}

TEST(Markdown, WhatIsLongIsCutAndCounted) {
  MarkdownReport report;
  Verdict fail = MakeVerdict(0, "add/x", Outcome::kFail);
  for (int i = 0; i < 5000; ++i) fail.message += "\u00e9";
  for (int i = 0; i < 60; ++i) {
    fail.op = "op" + std::to_string(i);
    report.Add(fail, {Kind::kUnexpected, nullptr});
  }
  GateResult gate;
  gate.unexpected = 60;
  const std::string text = report.Text(MakeHeader({"simd"}, 60), gate);
  EXPECT_THAT(text, HasSubstr("\u00e9\n... 6000 more bytes"));
  EXPECT_THAT(text, HasSubstr("and 10 cases of 10 more causes; the results"));
  EXPECT_LT(text.size(), 1u << 20);
}

TEST(Markdown, TheHeadlineIsTheExitCode) {
  const MarkdownReport report;
  const RunHeader header = MakeHeader({"simd"}, 0);
  GateResult gate;
  EXPECT_THAT(report.Text(header, gate), HasSubstr("nothing was judged"));
  gate.judged = 1;
  EXPECT_THAT(report.Text(header, gate), HasSubstr("## assay: as expected"));
  gate.stale = 1;
  EXPECT_THAT(report.Text(header, gate), HasSubstr("the baseline is stale"));
}

TEST(Markdown, APlaceThatCannotBeWrittenIsAnInputError) {
  EXPECT_THROW(WriteText("/nonexistent/m.md", "x"), InputError);
  EXPECT_THROW(WriteText("/dev/full", "x"), InputError);
}

}  // namespace
}  // namespace assay
