// Tests that crashes of a signature are limited, and that the cases skipped for
// it say so.
#include "cases/run/crash_limit.h"

#include <gtest/gtest.h>

#include "cases/run/runner.h"

namespace assay {
namespace {

std::vector<Case> CasesOf(const std::string& type) {
  const std::string json =
      R"({"op": "add", "cases": [{"id": "a{n}",
    "each": {"n": [1, 2, 3, 4, 5]},
    "inputs": {"lhs": {"type": "tensor<{n}x)" +
      type + R"(>", "draw": {"seed": 1, "profile": "uniform"}},
               "rhs": {"type": "tensor<{n}x)" +
      type + R"(>", "draw": {"seed": 2, "profile": "uniform"}}}}]})";
  return ParseCases("test.json", ParseJsonExactly("test.json", json), {});
}

Verdict Judged(const Case& c, Outcome outcome) {
  Verdict verdict = VerdictOf(c, "b");
  verdict.outcome = outcome;
  verdict.message = "signal 11";
  verdict.index = 7;
  return verdict;
}

TEST(CrashLimit, FromTheThirdOnASignatureIsSkipped) {
  CrashLimit limit(3);
  const std::vector<Case> cases = CasesOf("i32"), others = CasesOf("i16");
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(limit.IsSpent(cases[4]));
    Verdict verdict =
        Judged(cases[i], i == 0 ? Outcome::kTimeout : Outcome::kCrash);
    const Outcome outcome = verdict.outcome;
    limit.Take(cases[i], &verdict);
    EXPECT_EQ(verdict.outcome, outcome);
    Verdict pass = Judged(cases[3], Outcome::kPass);
    if (i < 2) limit.Take(cases[3], &pass);
    EXPECT_EQ(pass.outcome, Outcome::kPass);
  }
  EXPECT_TRUE(limit.IsSpent(cases[4]));
  EXPECT_FALSE(limit.IsSpent(others[4])) << "other element types";
  // This case was under way when the limit was reached.
  Verdict verdict = Judged(cases[4], Outcome::kPass);
  limit.Take(cases[4], &verdict);
  EXPECT_EQ(verdict.outcome, Outcome::kSkipped);
  EXPECT_EQ(verdict.message, "timed out like add/a1");
  EXPECT_EQ(verdict.index, 7);
  EXPECT_EQ(verdict.case_name, "add/a5");
  EXPECT_EQ(verdict.elements, 0);
}

TEST(CrashLimit, WithoutALimitNothingIsSkipped) {
  CrashLimit limit;
  const std::vector<Case> cases = CasesOf("i32");
  for (const Case& c : cases) {
    Verdict verdict = Judged(c, Outcome::kCrash);
    limit.Take(c, &verdict);
    EXPECT_EQ(verdict.outcome, Outcome::kCrash);
  }
  EXPECT_FALSE(limit.IsSpent(cases[0]));
}

}  // namespace
}  // namespace assay
