// Tests that the matrix counts pairs, whatever the order in which verdicts
// come.
#include "reports/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// There is a row for each backend and a letter for each case: passes, fails,
// crashes, unsupported or skipped.
using OutcomeRows = std::vector<std::pair<std::string, std::string>>;

Verdict VerdictAt(const std::string& backend, const std::string& marks,
                  size_t i) {
  const std::map<char, Outcome> outcomes = {{'p', Outcome::kPass},
                                            {'f', Outcome::kFail},
                                            {'c', Outcome::kCrash},
                                            {'u', Outcome::kUnsupported},
                                            {'s', Outcome::kSkipped}};
  Verdict verdict =
      MakeVerdict(static_cast<int64_t>(i), "add/c" + std::to_string(i),
                  outcomes.at(marks[i]));
  verdict.backend = backend;
  return verdict;
}

RunHeader HeaderOf(const OutcomeRows& marks) {
  std::vector<std::string> backends;
  for (const auto& [backend, unused] : marks) backends.push_back(backend);
  return MakeHeader(backends, marks.front().second.size());
}

std::string AgreementOf(const OutcomeRows& marks) {
  Agreement agreement(HeaderOf(marks));
  for (const auto& [backend, row] : marks) {
    for (size_t i = 0; i < row.size(); ++i)
      agreement.Add(VerdictAt(backend, row, i));
  }
  return agreement.ToText();
}

TEST(Agreement, OfOneBackendIsNothing) {
  EXPECT_EQ(AgreementOf({{"simd", "ppf"}}), "");
}

TEST(Agreement, OneLineWhereAllAgree) {
  EXPECT_EQ(AgreementOf({{"simd", "ppfpu"}, {"cuda", "ppcup"}}),
            "Agreement of simd and cuda: all 3 cases judged on both, each "
            "passes both or neither.\n");
  EXPECT_EQ(AgreementOf({{"simd", "pu"}, {"cuda", "sp"}}),
            "Agreement of simd and cuda: no case was judged on both.\n");
  EXPECT_EQ(AgreementOf({{"a", "pf"}, {"b", "pf"}, {"c", "pc"}}),
            "Agreement of a, b and c: all 2 cases judged on two or more, each "
            "passes all of these or none. Judged on both: 2.\n");
  EXPECT_EQ(AgreementOf({{"a", "pu"}, {"b", "up"}, {"c", "uu"}}),
            "Agreement of a, b and c: no case was judged on two of them.\n");
}

// A line which says that all agree must not hide that one backend was not
// asked.
TEST(Agreement, SaysWhichPairsWereJudged) {
  EXPECT_THAT(AgreementOf({{"a", "pp"}, {"b", "pp"}, {"c", "up"}}),
              EndsWith("none. Judged on both: a and b 2, a and c 1, "
                       "b and c 1.\n"));
}

TEST(Agreement, TheRowPassesAndTheColumnDoesNot) {
  EXPECT_EQ(AgreementOf({{"simd", "pppfpuf"}, {"eigen?x=long", "pfcpuff"}}),
            "Agreement of simd and eigen?x=long: cases that pass on the "
            "backend of the row and not on that of the column. Judged on both: "
            "5.\n"
            "                   simd  eigen?x=long\n"
            "  simd                -             2\n"
            "  eigen?x=long        1             -\n"
            "  add/c1: passes on simd, not on eigen?x=long\n"
            "  add/c2: passes on simd, not on eigen?x=long\n"
            "  add/c3: passes on eigen?x=long, not on simd\n");
}

TEST(Agreement, OfThreeCountsEachPair) {
  EXPECT_THAT(AgreementOf({{"a", "pppf"}, {"b", "ppfp"}, {"c", "pfuf"}}),
              EndsWith("Judged on both: a and b 4, a and c 3, b and c 3.\n"
                       "           a        b        c\n"
                       "  a        -        1        1\n"
                       "  b        1        -        2\n"
                       "  c        0        0        -\n"
                       "  add/c1: passes on a and b, not on c\n"
                       "  add/c2: passes on a, not on b\n"
                       "  add/c3: passes on b, not on a and c\n"));
}

TEST(Agreement, NamesTheFirstAndCountsTheRest) {
  const std::string ten = AgreementOf({{"a", std::string(10, 'p')},  //
                                       {"b", std::string(10, 'f')}});
  EXPECT_THAT(ten, HasSubstr("  add/c9: "));
  EXPECT_THAT(ten, Not(HasSubstr("more\n")));
  const std::string more = AgreementOf({{"a", std::string(13, 'p')},
                                        {"b", std::string(13, 'f')},
                                        {"c", std::string(13, 'f')}});
  EXPECT_THAT(more, EndsWith("  add/c9: passes on a, not on b and c\n"
                             "  and 3 more\n"));
}

// --resume adds the earlier verdicts before the rest, and a backend may lack
// all of them.
TEST(Agreement, TheOrderOfVerdictsDoesNotMatter) {
  const OutcomeRows marks = {{"a", "pfpfpfpfpfpfpfpfpu"},
                             {"b", "fpfpfpfpppfpffpfpp"},
                             {"c", "ppppfffsuuffpppppf"}};
  const std::string expected = AgreementOf(marks);
  Agreement interleaved(HeaderOf(marks));
  for (size_t i = marks[0].second.size(); i-- > 0;) {
    for (const size_t backend : {2, 0, 1})
      interleaved.Add(
          VerdictAt(marks[backend].first, marks[backend].second, i));
  }
  EXPECT_EQ(interleaved.ToText(), expected);
  EXPECT_THAT(expected, EndsWith(" more\n"));
}

}  // namespace
}  // namespace assay
