// Tests that changes are put together by cause.
#include "reports/page/change_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdict Failed(int64_t index, const std::string& name) {
  Verdict verdict = MakeVerdict(index, name, Outcome::kFail);
  verdict.clauses = {"add/S2"};
  return verdict;
}

TEST(ChangeSection, ChangesOfOneCauseAreARow) {
  std::vector<Verdict> before, after;
  for (int i = 0; i < 9; ++i) {
    before.push_back(MakeVerdict(i, fmt::format("add/c{}", i)));
    after.push_back(Failed(i, fmt::format("add/c{}", i)));
  }
  before.push_back(Failed(9, "sign/x"));
  after.push_back(MakeVerdict(9, "sign/x"));
  after.push_back(MakeVerdict(10, "abs/<new>"));
  const PageSection section = ChangeSection(
      Compare(MakeResults("<old>.jsonl", MakeHeader({"simd"}, 10), before),
              MakeResults("new.jsonl", MakeHeader({"simd"}, 11), after)));
  EXPECT_THAT(section.html, HasSubstr("Compared with &lt;old&gt;.jsonl:"));
  EXPECT_THAT(section.html, HasSubstr("✗ passed before: 9"));
  EXPECT_THAT(
      section.html,
      HasSubstr(
          "✗ passed before</span></td><td class=\"number\">9</td><td>"
          "simd</td><th scope=\"row\">add</th><td>add/S2</td><td>pass → "
          "fail</td><td class=\"by\">add/c0, add/c1, add/c2, and 6 more</td>"));
  // What was wrong before is named by the older run.
  EXPECT_THAT(section.html, HasSubstr("data-find=\"better simd sign add/S2\""));
  EXPECT_THAT(section.html, HasSubstr("not there → pass"));
  EXPECT_THAT(section.html, HasSubstr("abs/&lt;new&gt;"));
}

TEST(ChangeSection, AnotherSuiteIsSaidToBeOne) {
  RunHeader other = MakeHeader({"simd"}, 1);
  other.suite_sha256 = "07e4";
  const std::vector<Verdict> verdicts = {MakeVerdict(0, "add/x")};
  const Results now = MakeResults("n", MakeHeader({"simd"}, 1), verdicts);
  EXPECT_THAT(
      ChangeSection(Compare(MakeResults("o", other, verdicts), now)).html,
      HasSubstr("a run of another suite"));
  EXPECT_THAT(ChangeSection(Compare(now, now)).html,
              Not(HasSubstr("a run of another suite")));
}

TEST(ChangeSection, WhatDoesNotFitIsCounted) {
  std::vector<Verdict> after;
  for (int i = 0; i < 2000; ++i) {
    Verdict verdict = Failed(i, fmt::format("add/c{}", i));
    verdict.clauses = {fmt::format("add/X{}", i)};
    after.push_back(verdict);
  }
  const PageSection section =
      ChangeSection(Compare(MakeResults("o", MakeHeader({"simd"}, 0), {}),
                            MakeResults("n", MakeHeader({"simd"}, 1), after)));
  EXPECT_LT(section.html.size(), size_t{165'000});
  EXPECT_THAT(section.html, HasSubstr("more causes are left out"));
}

}  // namespace
}  // namespace assay
