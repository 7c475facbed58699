// Tests that a sentence is colored by what the run says of it.
#include "reports/page/clause_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr size_t kRoom = 500'000;

// Returns the element of a sentence.
std::string Sentence(const std::string& html, const std::string& id) {
  const size_t at = html.find("id=\"" + id + "\"");
  if (at == std::string::npos) return "";
  const size_t begin = html.rfind("<li", at);
  return html.substr(begin, html.find("</li>", at) - begin);
}

TEST(ClauseList, ASentenceIsTestedFailedOpenOrNotYetJudged) {
  ClauseList clauses;
  Verdict pass = MakeVerdict(0, "add/passes");
  pass.covered = {"S2", "S6"};
  clauses.Add(pass);
  clauses.Add(pass);
  Verdict fail = MakeVerdict(1, "add/fails", Outcome::kFail);
  fail.covered = {"S2", "S3"};
  fail.clauses = {"add/S3"};
  fail.backend = "<eigen>";
  clauses.Add(fail);
  const std::string html = clauses.ToHtml(nullptr, kRoom);
  EXPECT_THAT(Sentence(html, "s-add:2fS1"), HasSubstr("class=\"clause none\""));
  const std::string tested = Sentence(html, "s-add:2fS2");
  EXPECT_THAT(tested, HasSubstr("class=\"clause pass\""));
  EXPECT_THAT(tested, HasSubstr("<q>For integers: integer addition.</q>"));
  EXPECT_THAT(tested, HasSubstr("simd ✓ 2 (add/passes)"));
  const std::string failed = Sentence(html, "s-add:2fS3");
  EXPECT_THAT(failed, HasSubstr("class=\"clause fail\""));
  EXPECT_THAT(failed, HasSubstr("&lt;eigen&gt; ✗ 1 (add/fails)"));
  const std::string open = Sentence(html, "s-add:2fS6");
  EXPECT_THAT(open, HasSubstr("class=\"clause open\""));
  EXPECT_THAT(open, HasSubstr("policy key integer_overflow"));
}

TEST(ClauseList, WhatWasNotJudgedTestsNothing) {
  ClauseList clauses;
  Verdict verdict = MakeVerdict(0, "add/x", Outcome::kUnsupported);
  verdict.covered = {"S2"};
  clauses.Add(verdict);
  EXPECT_THAT(Sentence(clauses.ToHtml(nullptr, kRoom), "s-add:2fS2"),
              HasSubstr("class=\"clause none\""));
}

TEST(ClauseList, LabelsThatNoOpHasAreLeftOut) {
  ClauseList clauses;
  Verdict verdict = MakeVerdict(0, "add/x");
  verdict.covered = {"<script>", "no/op"};
  clauses.Add(verdict);
  EXPECT_THAT(clauses.ToHtml(nullptr, kRoom), Not(HasSubstr("<script>")));
}

TEST(ClauseList, ConstraintsAreShownByTheBackendSpec) {
  ClauseList clauses;
  EXPECT_THAT(clauses.ToHtml(nullptr, kRoom),
              HasSubstr("this run has no results of it"));
  Verdict holds = MakeVerdict(0, "add/x");
  holds.backend = "spec";
  clauses.Add(holds);
  Verdict violates = MakeVerdict(1, "add/y");
  violates.backend = "spec";
  violates.violated = {"C1"};
  clauses.Add(violates);
  const std::string html = clauses.ToHtml(nullptr, kRoom);
  EXPECT_THAT(Sentence(html, "s-add:2fC1"),
              HasSubstr("shown true, and violated alone"));
  EXPECT_THAT(Sentence(html, "s-add:2fC1"), HasSubstr("class=\"clause pass\""));
}

TEST(ClauseList, WithCoverageASentenceHasWhatMeasuresIt) {
  ClauseList clauses;
  Evidence evidence;
  evidence.has_power = true;
  evidence.power["add/S2"] = {3, "add/<x>", "fail"};
  const Coverage coverage(evidence);
  const std::string html = clauses.ToHtml(&coverage, kRoom);
  EXPECT_THAT(Sentence(html, "s-add:2fS2"),
              HasSubstr("breaking it changes add/&lt;x&gt; (fail)"));
  EXPECT_THAT(Sentence(html, "s-add:2fS1"), HasSubstr("no case executes it"));
  EXPECT_THAT(html, HasSubstr("Covered by measurement: 1 of "));
}

TEST(ClauseList, WithManyBackendsTheSentencesStayAndCasesAreLeftOut) {
  ClauseList clauses;
  const auto add = [&](const std::string& backend) {
    for (const OpSpec& op : Ops()) {
      Verdict verdict = MakeVerdict(0, op.id + "/" + std::string(30, 'x'));
      verdict.backend = backend;
      for (const ClauseSpec& clause : op.semantics)
        verdict.covered.push_back(clause.label);
      clauses.Add(verdict);
    }
  };
  add("first");
  EXPECT_THAT(clauses.ToHtml(nullptr, kRoom),
              Not(HasSubstr("class=\"left-out\"")));
  for (int i = 0; i < 3; ++i) add(fmt::format("second{}", i));
  EXPECT_THAT(clauses.ToHtml(nullptr, kRoom),
              HasSubstr("Names of cases that pass are left out."));
  for (int i = 0; i < 30; ++i) add(fmt::format("backend{}", i));
  const std::string html = clauses.ToHtml(nullptr, kRoom);
  EXPECT_THAT(html,
              HasSubstr("and backends on which a sentence only passes, are "
                        "left out."));
  EXPECT_THAT(html, Not(HasSubstr("more ops are left out")));
  EXPECT_LT(html.size(), size_t{505'000});
}

}  // namespace
}  // namespace assay
