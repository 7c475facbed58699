// Tests that failures of one cause are one line, whatever their number.
#include "reports/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdict Failure(const std::string& name, const std::string& type,
                const std::string& clause = "S1",
                Outcome outcome = Outcome::kFail) {
  Verdict verdict = MakeVerdict(0, name, outcome, type);
  verdict.clauses = {verdict.op + "/" + clause};
  verdict.basis = "text";
  verdict.message = "1 of 2 elements differ";
  verdict.replay = "assay run --op " + name;
  return verdict;
}

int64_t Lines(const std::string& text) {
  return std::ranges::count(text, '\n');
}

TEST(Causes, WhatFailuresHaveInCommon) {
  Causes causes;
  EXPECT_EQ(causes.Add(Failure("add/a", "tensor<2xf32>")), 0u);
  EXPECT_EQ(causes.Add(Failure("add/b", "tensor<9x9xbf16>")), 0u);
  Verdict other = Failure("add/a", "tensor<2xf32>");
  size_t number = 0;
  const auto is_another = [&](const Verdict& verdict) {
    EXPECT_EQ(causes.Add(verdict), ++number);
  };
  is_another(Failure("add/c", "tensor<2xi8>"));
  is_another(Failure("add/c", "tensor<2xf32>", "S2"));
  is_another(Failure("add/c", "tensor<2xf32>", "S1", Outcome::kCrash));
  is_another(Failure("sub/c", "tensor<2xf32>"));
  other.basis = "budget";
  is_another(other);
  other.result_type = "i32";
  is_another(other);
  other.backend = "cuda";
  is_another(other);
  EXPECT_EQ(causes.failures(), 9);
  EXPECT_EQ(causes[0].cases, 2);
  EXPECT_EQ(causes[0].Text(), "fail add/S1 text, float");
  EXPECT_EQ(causes[6].Text(), "fail add/S1 budget, float to integer");
}

TEST(Causes, FewAreExplainedEach) {
  Causes causes;
  for (const char* name : {"add/a", "add/b", "sub/c"})
    causes.Add(Failure(name, "tensor<2xf32>"));
  const std::string text = causes.ToText(MakeHeader({"simd"}, 9), false);
  EXPECT_THAT(text,
              HasSubstr("fail add/a tensor<2xf32>  backend simd\n"
                        "  1 of 2 elements differ\n"
                        "  replay: assay run --op add/a\n"
                        "  explain: assay explain 'add/a' --policy 'numpy'\n"
                        "  and 1 more cases like it\nfail sub/c"));
  EXPECT_THAT(text, Not(HasSubstr("add/b")));
}

TEST(Causes, ManyAreATableWithTheLargestFirst) {
  Causes causes;
  for (int cause = 0; cause < 34; ++cause) {
    for (int i = 0; i < 10 + cause; ++i)
      causes.Add(Failure(fmt::format("op{}/c{}", cause, i), "tensor<2xf32>"));
  }
  const RunHeader header = MakeHeader({"simd"}, 9);
  const std::string text = causes.ToText(header, false);
  EXPECT_LE(Lines(text), 40);
  EXPECT_THAT(text, testing::StartsWith("fail op33/c0"));
  EXPECT_THAT(text, HasSubstr("901 cases failed, of 34 causes:\n"));
  EXPECT_THAT(text, HasSubstr("    43  fail     op33  float  op33/S1  text   "
                              "assay explain 'op33/c0' --policy 'numpy'\n"));
  EXPECT_LT(text.find("op32/c0"), text.find("op31/c0"));
  EXPECT_THAT(text, HasSubstr("and 231 cases of 14 more causes; -v"));
  const std::string all = causes.ToText(header, true);
  EXPECT_THAT(all, HasSubstr("fail op0/c0"));
  EXPECT_THAT(all, Not(HasSubstr("more causes")));
}

TEST(Causes, AMessageHasAnEnd) {
  Causes causes;
  Verdict verdict = Failure("add/a", "tensor<2xf32>");
  for (int i = 0; i < 5000; ++i) verdict.message += "\nmore";
  causes.Add(verdict);
  const std::string text = causes.ToText(MakeHeader({"simd"}, 1), false);
  EXPECT_LE(Lines(text), 20);
  EXPECT_THAT(text, HasSubstr("more lines\n  replay: assay run"));
}

TEST(Causes, AnExplanationNamesWhereTheCaseIs) {
  RunHeader header = MakeHeader({"simd"}, 1);
  header.cases_are_named = true;
  header.suite = {"a b.json"};
  EXPECT_EQ(ExplainCommand(header, Failure("add/a", "tensor<f32>")),
            "assay explain 'add/a' --policy 'numpy' --cases 'a b.json'");
}

}  // namespace
}  // namespace assay
