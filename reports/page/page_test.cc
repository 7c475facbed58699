// Tests that the page needs nothing else, has a bound, and quotes as text.
#include "reports/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;
using Kind = Expectedness::Kind;

std::string PageOf(const std::vector<Verdict>& verdicts, RunHeader header) {
  Page page;
  Summary summary;
  for (const Verdict& verdict : verdicts) {
    page.Add(verdict, WithoutBaseline(verdict));
    summary.Add(verdict);
  }
  PageFacts facts{header, RunCounts::Of(summary), &summary.accuracies()};
  facts.verdicts = {
      {PageVerdict::Kind::kBad, header.backends[0].spec, "DOES NOT CONFORM"}};
  facts.exit_code = kExitFindings;
  facts.headline = "1 of 2 judged cases fail";
  return page.ToHtml(facts);
}

TEST(Page, NeedsNoOtherFileAndAllowsNothingElse) {
  const std::string html =
      PageOf({MakeVerdict(0, "add/x"), MakeVerdict(1, "add/y", Outcome::kFail)},
             MakeHeader({"simd"}, 2));
  EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html,
              testing::ContainsRegex("content=\"default-src 'none'; style-src "
                                     "'sha256-[A-Za-z0-9+/]*='; script-src "
                                     "'sha256-[A-Za-z0-9+/]*=';"));
  for (const char* outside :
       {"=\"http", "src=\"", "<link", "@import", "url(", "style=\"", "onclick"})
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  EXPECT_THAT(html, HasSubstr("✗ 1 of 2 judged cases fail"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">simd</th>"));
  EXPECT_THAT(html, HasSubstr("✗ DOES NOT CONFORM"));
}

TEST(Page, TheSectionsAreThere) {
  const std::string html =
      PageOf({MakeVerdict(0, "add/x", Outcome::kUnsupported)},
             MakeHeader({"simd"}, 1));
  for (const char* id : {"overview", "matrix", "causes", "specification"}) {
    EXPECT_THAT(html, HasSubstr(fmt::format("<section id=\"{}\">", id)));
    EXPECT_THAT(html, HasSubstr(fmt::format("<a href=\"#{}\">", id)));
  }
  EXPECT_THAT(html, HasSubstr("Not judged: 1 of 1 cases"));
  EXPECT_THAT(html, HasSubstr("unsupported: declined"));
}

TEST(Page, HostsAreInWords) {
  RunHeader header = MakeHeader({"simd"}, 1);
  header.hosts = {
      R"({"cpu":"<A>","cores":2,"system":"Linux 6","compiler":"12.2.0"})",
      R"({"cores":"many"})", "[1, 2]", "by hand"};
  EXPECT_THAT(PageOf({MakeVerdict(0, "x/y")}, header),
              HasSubstr("&lt;A&gt;, 2 cores, Linux 6, compiler 12.2.0; many "
                        "cores; [1, 2]; by hand"));
}

TEST(Page, TextsOfOthersAreText) {
  RunHeader header = MakeHeader({"</title><script>alert(1)</script>"}, 1);
  header.backends[0].name = "<img src=x onerror=alert(2)>";
  header.backends[0].version = "\" onload=alert(3) '";
  header.command = {"</dd><script>"};
  header.hosts = {"<iframe>"};
  Verdict verdict = MakeVerdict(0, "x/y", Outcome::kUnsupported);
  verdict.message = "<svg onload=alert(4)>";
  verdict.backend = header.backends[0].spec;
  const std::string html = PageOf({verdict}, header);
  for (const char* tag : {"<script>alert", "<img", "<iframe", "<svg onload"})
    EXPECT_THAT(html, Not(HasSubstr(tag)));
  // The one script is ours.
  EXPECT_EQ(html.find("<script>"), html.rfind("<script>"));
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>"));
}

TEST(Page, IsSmallerThanTwoMegabytesWhateverItShows) {
  Page page;
  Summary summary;
  RunHeader header = MakeHeader({}, 0);
  for (int b = 0; b < 60; ++b) {
    RunHeader::BackendInfo backend = MakeHeader({"b"}, 0).backends[0];
    backend.spec = fmt::format("{}{}", b, std::string(2000, '"'));
    backend.policy = backend.spec;
    backend.policy_values = {{"key", std::string(5000, '"')}};
    header.backends.push_back(backend);
  }
  for (int i = 0; i < 3000; ++i) {
    Verdict verdict =
        MakeVerdict(i, fmt::format("add{}/{}", i % 400, std::string(500, '\'')),
                    Outcome::kFail);
    verdict.backend = header.backends[static_cast<size_t>(i) % 60].spec;
    verdict.clauses = {fmt::format("add/S{}", i)};
    verdict.message = std::string(5000, '"');
    verdict.accuracy.emplace();
    verdict.accuracy->type = "f32";
    verdict.accuracy->errors.elements = 1;
    verdict.accuracy->errors.budget = 1;
    verdict.accuracy->worst = std::string(5000, '"');
    page.Add(verdict, {Kind::kUnexpected, nullptr});
    summary.Add(verdict);
    verdict.outcome = Outcome::kUnsupported;
    summary.Add(verdict);
  }
  PageFacts facts{header, RunCounts::Of(summary), &summary.accuracies()};
  for (const RunHeader::BackendInfo& backend : header.backends)
    facts.verdicts.push_back(
        {PageVerdict::Kind::kBad, backend.spec, std::string(2000, '"')});
  facts.gate = std::string(100'000, '"');
  for (const char* id : {"changes", "history"})
    facts.more.push_back({id, id, std::string(150'000, 'x')});
  const std::string html = page.ToHtml(facts);
  EXPECT_LT(html.size(), size_t{2'000'000});
  EXPECT_GT(html.size(), size_t{1'000'000});
  EXPECT_EQ(html.find("the page would be too large"), std::string::npos);
  for (const char* id : {"overview", "matrix", "causes", "specification"})
    EXPECT_NE(html.find(fmt::format("<section id=\"{}\">", id)),
              std::string::npos);
}

TEST(Page, AnEntryOfTheBaselineHasItsReasonAndOwner) {
  KnownFailures known;
  BaselineEntry entry;
  entry.pattern = "add/<x>";
  entry.reason = "<b>known</b>";
  entry.owner = "kernels";
  entry.expires = "2027-01-31";
  known.Add({Kind::kExpected, &entry}, false);
  known.Add({Kind::kExpected, &entry}, true);  // listed as a pass: no news
  known.Add({Kind::kUnexpectedPass, &entry}, true);
  known.Add({Kind::kPass, nullptr}, true);
  const std::string html = known.ToHtml();
  EXPECT_THAT(html,
              HasSubstr("add/&lt;x&gt;</th><td class=\"number\">1</td><td "
                        "class=\"number\">✗ 1</td><td>&lt;b&gt;known"));
  EXPECT_THAT(html, HasSubstr("<td>kernels</td><td>2027-01-31</td>"));
  EXPECT_EQ(KnownFailures().ToHtml(), "");
}

}  // namespace
}  // namespace assay
