// Tests that a cell says how a backend does on an op, and that names are text.
#include "reports/page/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;
using Kind = Expectedness::Kind;

const Expectedness kPasses{Kind::kPass, nullptr};
const Expectedness kFails{Kind::kUnexpected, nullptr};

TEST(Matrix, ACellHasSymbolRatioAndColor) {
  Matrix matrix;
  matrix.Add(MakeVerdict(0, "add/x"), kPasses);
  matrix.Add(MakeVerdict(1, "add/y", Outcome::kFail), kFails);
  matrix.Add(MakeVerdict(2, "add/z", Outcome::kUnsupported),
             {Kind::kNotJudged, nullptr});
  matrix.Add(MakeVerdict(3, "negate/x"), kPasses);
  matrix.Add(MakeVerdict(4, "sign/x", Outcome::kUnsupported),
             {Kind::kNotJudged, nullptr});
  BaselineEntry entry;
  matrix.Add(MakeVerdict(5, "abs/x", Outcome::kFail),
             {Kind::kExpected, &entry});
  const std::string html = matrix.ToHtml(MakeHeader({"simd"}, 6));
  EXPECT_THAT(html, HasSubstr("<td class=\"cell fail deep2\" "
                              "data-sort=\"0.5\" title=\"1 passed, 1 "
                              "failed, 1 not judged\"><a class=\"to-causes\" "
                              "href=\"#causes\" data-op=\"add\" "
                              "data-backend=\"simd\"><span class=\"sym\">✗"
                              "</span> 1/2</a></td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"cell pass\" data-sort=\"1\"><span "
                              "class=\"sym\">✓</span> "
                              "1/1</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"cell none\""));
  EXPECT_THAT(html, HasSubstr("<td class=\"cell known deep3\""));
  EXPECT_THAT(html, HasSubstr("policy numpy"));
  EXPECT_THAT(html, HasSubstr("shift_overflow = saturate"));
  EXPECT_EQ(matrix.TotalOf("simd").cases(), 6);
  EXPECT_EQ(matrix.TotalOf("simd").known, 1);
}

TEST(Matrix, RowsThatDifferBetweenBackendsAreMarked) {
  Matrix matrix;
  for (const char* backend : {"simd", "eigen"}) {
    const bool is_eigen = backend == std::string("eigen");
    Verdict same = MakeVerdict(0, "add/x");
    same.backend = backend;
    matrix.Add(same, kPasses);
    Verdict other =
        MakeVerdict(1, "negate/x", is_eigen ? Outcome::kFail : Outcome::kPass);
    other.backend = backend;
    matrix.Add(other, is_eigen ? kFails : kPasses);
  }
  const std::string html = matrix.ToHtml(MakeHeader({"simd", "eigen"}, 2));
  EXPECT_THAT(html, HasSubstr("data-find=\"add pass\" data-state=\"pass\">"));
  EXPECT_THAT(html, HasSubstr("data-find=\"negate fail\" data-state=\"fail\" "
                              "data-differs>"));
}

TEST(Matrix, OpsAreInGroupsAndLeadToTheirSentences) {
  Matrix matrix;
  matrix.Add(MakeVerdict(0, "transpose/x"), kPasses);
  matrix.Add(MakeVerdict(1, "add/x"), kPasses);
  const std::string html = matrix.ToHtml(MakeHeader({"simd"}, 2));
  EXPECT_LT(html.find("exact elementwise"), html.find("movement of data"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#spec-add\">add</a>"));
}

TEST(Matrix, NamesAreText) {
  Matrix matrix;
  Verdict verdict = MakeVerdict(0, "x/y", Outcome::kFail);
  verdict.op = "<img src=x onerror=alert(1)>";
  verdict.backend = "\"><script>alert(2)</script>";
  matrix.Add(verdict, kFails);
  RunHeader header = MakeHeader({verdict.backend}, 1);
  header.backends[0].policy = "</li><script>";
  header.backends[0].policy_values = {{"a\u202e", "<b>"}};
  const std::string html = matrix.ToHtml(header);
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("a\\u{202e} = &lt;b&gt;"));
}

TEST(Matrix, OfVeryManyOpsTheRestIsCounted) {
  Matrix matrix;
  for (int i = 0; i < 3000; ++i)
    matrix.Add(MakeVerdict(i, fmt::format("op{}/x", i)), kPasses);
  const std::string html = matrix.ToHtml(MakeHeader({"simd"}, 3000));
  EXPECT_LT(html.size(), size_t{410'000});
  EXPECT_THAT(html, HasSubstr("more rows are left out"));
}

}  // namespace
}  // namespace assay
