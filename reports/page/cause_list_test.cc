// Tests that a cause shows its smallest case, and that the list has a bound.
#include "reports/page/cause_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdict Failure(int64_t index, const std::string& name, int64_t elements) {
  Verdict verdict = MakeVerdict(index, name, Outcome::kFail);
  verdict.elements = elements;
  verdict.basis = "text";
  verdict.clauses = {"add/S2"};
  verdict.message = "1 of 2 elements differ\n    expected 3\n    actual   4";
  verdict.replay = "assay run --op '" + name + "'";
  return verdict;
}

TEST(CauseList, ShowsTheSmallestCaseOfACause) {
  CauseList causes;
  causes.Add(Failure(0, "add/large", 100));
  causes.Add(Failure(1, "add/small", 2));
  causes.Add(Failure(2, "add/medium", 10));
  const std::string html =
      causes.ToHtml(MakeHeader({"simd"}, 3), [](const auto& verdicts) {
        return std::vector<std::string>(
            verdicts.size(), "{\"id\": \"" + verdicts[0]->case_name + "\"}");
      });
  EXPECT_EQ(causes.size(), 1U);
  EXPECT_THAT(html, HasSubstr("3 cases fail, of 1 causes"));
  EXPECT_THAT(html, HasSubstr("<h3>Smallest case: add/small tensor&lt;2xi8&gt;"
                              "</h3>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"expected\">    expected 3</span>\n"
                              "<span class=\"actual\">    actual   4</span>"));
  EXPECT_THAT(html, HasSubstr("<code id=\"c1-replay\">assay run --op "
                              "&#39;add/small&#39;</code>"));
  EXPECT_THAT(html, HasSubstr("assay explain &#39;add/small&#39;"));
  EXPECT_THAT(html, HasSubstr("{&quot;id&quot;: &quot;add/small&quot;}</pre>"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#s-add:2fS2\">add/S2</a> <q>For "
                              "integers: integer addition.</q>"));
  EXPECT_THAT(html, HasSubstr("<li>add/large</li>"));
}

TEST(CauseList, ACaseThatIsNotAtHandIsSaidToBe) {
  CauseList causes;
  causes.Add(Failure(0, "add/x", 2));
  EXPECT_THAT(causes.ToHtml(MakeHeader({"simd"}, 1),
                            [](const auto& verdicts) {
                              return std::vector<std::string>(verdicts.size());
                            }),
              HasSubstr("The case as JSON is not at hand"));
  EXPECT_THAT(causes.ToHtml(MakeHeader({"simd"}, 1),
                            [](const auto&) {
                              return std::vector{std::string(7000, ' ')};
                            }),
              HasSubstr("The case as JSON has 7000 bytes, and is left out"));
}

TEST(CauseList, TextsOfOthersAreText) {
  CauseList causes;
  Verdict verdict = Failure(0, "</script><img onerror=alert(1)>", 1);
  using namespace std::string_literals;
  verdict.message = "</pre><script>alert(1)</script>\0\xff\u202e"s;
  verdict.replay = "\"' onclick=x <b>";
  verdict.backend = "<i>";
  verdict.basis = "policy:<u>";
  verdict.clauses = {"<s>/S1", "no slash"};
  verdict.type = "tensor<\"'>";
  causes.Add(verdict);
  const std::string html = causes.ToHtml(
      MakeHeader({"<i>"}, 1),
      [](const auto&) { return std::vector<std::string>{"</pre><script>"}; });
  for (const char* tag :
       {"<script", "<img", "</script", "<i>", "<u>", "<s>", "<b>\"", "\xff"})
    EXPECT_THAT(html, Not(HasSubstr(tag)));
  EXPECT_THAT(html, HasSubstr("\\x00\\xff\\u{202e}"));
  EXPECT_EQ(html.find('\0'), std::string::npos);
}

TEST(CauseList, WhatDoesNotFitIsCounted) {
  CauseList causes;
  constexpr int kCauses = 5000;
  for (int i = 0; i < kCauses; ++i) {
    Verdict verdict = Failure(2 * i, fmt::format("add/c{}", i), 2);
    verdict.clauses = {fmt::format("add/X{}", i)};
    verdict.message = std::string(10'000, 'x');
    causes.Add(verdict);
    if (i == 7) causes.Add(verdict);
  }
  const std::string html = causes.ToHtml(MakeHeader({"simd"}, 10), nullptr);
  EXPECT_LT(html.size(), size_t{555'000});
  EXPECT_THAT(html, HasSubstr("more bytes"));
  // The largest comes first.
  EXPECT_LT(html.find("data-cases=\"2\""), html.find("data-cases=\"1\""));
  size_t shown = 0;
  for (size_t at = html.find("class=\"cause "); at != std::string::npos;
       at = html.find("class=\"cause ", at + 1))
    ++shown;
  EXPECT_THAT(html, HasSubstr(fmt::format("{0} cases of {0} more causes are "
                                          "left out",
                                          kCauses - shown)));
}

TEST(CauseList, WithoutFailuresItSaysSo) {
  EXPECT_THAT(CauseList().ToHtml(MakeHeader({"simd"}, 0), nullptr),
              HasSubstr("Nothing fails that is not known."));
}

TEST(CauseList, SaysWhatKindOfFailureItIs) {
  Verdict verdict = MakeVerdict(0, "add/x", Outcome::kCrash);
  EXPECT_THAT(TriageText(verdict), HasSubstr("process"));
  verdict.outcome = Outcome::kFail;
  verdict.basis = "policy:shift_overflow = saturate";
  EXPECT_EQ(TriageText(verdict),
            "Open in the text, decided by the policy: shift_overflow = "
            "saturate.");
  verdict.basis = "budget";
  EXPECT_THAT(TriageText(verdict), HasSubstr("less accurate"));
}

}  // namespace
}  // namespace assay
