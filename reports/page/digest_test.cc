// Tests that a digest has what the page shows, has a bound, and that a wrong
// one is refused with its place.
#include "reports/page/digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/markdown.h"
#include "reports/page/page.h"
#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string FileOf(const std::string& name, const std::string& text) {
  const std::string file = TestPath(name);
  WriteText(file, text);
  return file;
}

std::string DigestOf(const std::vector<Verdict>& verdicts, RunHeader header) {
  Page page;
  Summary summary;
  for (const Verdict& verdict : verdicts) {
    page.Add(verdict, WithoutBaseline(verdict));
    summary.Add(verdict);
  }
  PageFacts facts{header, RunCounts::Of(summary)};
  facts.seconds = 2;
  facts.verdicts = {
      {PageVerdict::Kind::kBad, header.backends[0].spec, "DOES NOT CONFORM"}};
  return page.ToDigest(facts);
}

std::string PageOfFiles(const std::vector<std::string>& files) {
  Page page;
  PageFacts facts;
  for (const std::string& file : files) page.AddDigest(file, &facts);
  return page.ToHtml(facts);
}

Verdict Failure(int64_t index, const std::string& name, int64_t elements,
                const std::string& backend) {
  Verdict verdict = MakeVerdict(index, name, Outcome::kFail);
  verdict.backend = backend;
  verdict.clauses = {"add/S3"};
  verdict.basis = "text";
  verdict.elements = elements;
  verdict.message = "1 of 4 elements differ\n  expected 1\n  actual 2";
  return verdict;
}

TEST(Digest, SeveralAreOnePage) {
  Verdict passed = MakeVerdict(2, "add/z");
  passed.backend = "simd";
  Verdict declined = MakeVerdict(3, "add/v", Outcome::kUnsupported);
  declined.backend = "simd";
  const std::string one =
      DigestOf({Failure(0, "add/large", 9, "simd"),
                Failure(1, "add/small", 4, "simd"), passed, declined},
               MakeHeader({"simd"}, 4));
  const std::string other =
      DigestOf({Failure(0, "add/other", 4, "eigen")}, MakeHeader({"eigen"}, 1));
  EXPECT_LT(one.size(), kMostDigestBytes);
  const std::string html =
      PageOfFiles({FileOf("one.jsonl", one), FileOf("other.jsonl", other)});
  for (const char* shown :
       {"<th scope=\"row\">simd</th>", "<th scope=\"row\">eigen</th>",
        "Smallest case: add/small", "Smallest case: add/other", "1/3", "0/1",
        "Not judged: 1 of 5 cases", "unsupported: declined",
        "<span class=\"expected\">  expected 1</span>", "simd ✗ 2 (add/large)"})
    EXPECT_THAT(html, HasSubstr(shown));
  EXPECT_THAT(html, HasSubstr("3 cases fail, of 2 causes"));
}

TEST(Digest, NamesNoFolderOfTheMachine) {
  RunHeader header = MakeHeader({"simd"}, 1);
  header.suite = {"/somewhere/cases/conformance"};
  header.backends[0].path = "/somewhere/simd.so";
  header.backends[0].spec = "pjrt:/somewhere/x.so?a=b/c";
  header.files = {{"conformance/add.json", "0123"}};
  Verdict verdict = Failure(0, "add/x", 1, header.backends[0].spec);
  verdict.message =
      "run A: /somewhere/x.cc:3: add/S2 of 1/2\\x0a/somewhere/y.py\n  more";
  EXPECT_THAT(
      DigestOf({verdict}, header),
      testing::AllOf(HasSubstr("\"conformance\""),
                     HasSubstr("\"pjrt:x.so?a=b/c\""),
                     HasSubstr("run A: x.cc:3: add/S2 of 1/2\\n  more"),
                     Not(HasSubstr("somewhere")), Not(HasSubstr("add.json"))));
}

TEST(Digest, WhatDoesNotFitIsCounted) {
  std::vector<Verdict> verdicts;
  for (int i = 0; i < 3000; ++i) {
    verdicts.push_back(Failure(i, fmt::format("add/{}", i), 1, "simd"));
    verdicts.back().clauses = {fmt::format("add/S{}", i)};
    verdicts.back().message = std::string(5000, '"');
  }
  const std::string text = DigestOf(verdicts, MakeHeader({"simd"}, 3000));
  EXPECT_LE(text.size(), kMostDigestBytes);
  EXPECT_GT(text.size(), kMostDigestBytes / 2);
  EXPECT_THAT(PageOfFiles({FileOf("many.jsonl", text)}),
              testing::AllOf(HasSubstr("3000 cases fail, of 3000 causes"),
                             HasSubstr("more causes are left out")));
}

TEST(Digest, TextsOfOthersAreText) {
  Verdict verdict = Failure(0, "add/x", 1, "<script>alert(1)</script>");
  verdict.message = "<svg onload=alert(2)>";
  const std::string file =
      FileOf("hostile.jsonl",
             DigestOf({verdict}, MakeHeader({"<script>alert(1)</script>"}, 1)));
  EXPECT_THAT(PageOfFiles({file}), testing::AllOf(Not(HasSubstr("<script>al")),
                                                  Not(HasSubstr("<svg onl"))));
}

TEST(Digest, WhatIsWrongIsSaidWithItsPlace) {
  const std::string text =
      DigestOf({Failure(0, "add/x", 1, "simd")}, MakeHeader({"simd"}, 1));
  const auto changed = [&](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return std::string(text).replace(at, from.size(), to);
  };
  const std::pair<std::string, std::string> wrong[] = {
      {text.substr(0, text.rfind("{\"kind\"")), "is truncated"},
      {text.substr(0, text.size() - 1), "is truncated"},
      {text + text.substr(text.rfind("{\"kind\"")), "follows the last line"},
      {changed("{\"kind\":\"ops\"", "{\"kind\":\"digest\""), "wrong.jsonl:2"},
      {changed("\"kind\":\"cause\"", "\"kind\":\"x\""), "is no kind of line"},
      {changed("\"outcome\":\"fail\"", "\"outcome\":\"bad\""), "/outcome"},
      {changed("\"cases\":1", "\"cases\":-1"), "/cases"},
      {changed("\"kind\":\"bad\"", "\"kind\":\"x\""), "is no verdict"},
      {changed("[0,1,0,0,0]", "[0,1]"), "is too short"},
      {changed("\"format\":1", "\"format\":9"), "/format"}};
  for (const auto& [contents, message] : wrong) {
    const std::string file = FileOf("wrong.jsonl", contents);
    try {
      PageOfFiles({file});
      ADD_FAILURE() << message;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), HasSubstr("wrong.jsonl"));
    }
  }
  const std::string file = FileOf("right.jsonl", text);
  EXPECT_THROW(PageOfFiles({file, file}), InputError);
}

TEST(Digest, IsToldFromResults) {
  EXPECT_TRUE(IsDigest(FileOf("a.jsonl", "{\"kind\":\"digest\"}\n")));
  for (const char* text : {"", "\n", "[]\n", "{\"kind\":\"header\"}\n", "{"})
    EXPECT_FALSE(IsDigest(FileOf("a.jsonl", text))) << text;
}

}  // namespace
}  // namespace assay
