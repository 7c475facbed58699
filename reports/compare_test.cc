// Tests that every kind of change is found by case, wherever the case is in the
// file.
#include "reports/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;

Results RunOf(const std::string& file, std::vector<Verdict> verdicts,
              const std::string& backend = "simd") {
  for (Verdict& verdict : verdicts) verdict.backend = backend;
  return MakeResults(file, MakeHeader({backend}, verdicts.size()), verdicts);
}

Verdict Fail(int64_t index, const std::string& name, double error) {
  Verdict verdict = MakeVerdict(index, name, Outcome::kFail);
  verdict.error_ulps = error;
  return verdict;
}

std::vector<std::string> Names(const std::vector<CaseChange>& changes) {
  std::vector<std::string> names;
  for (const CaseChange& change : changes) names.push_back(change.case_name);
  return names;
}

TEST(Compare, EveryKindOfChange) {
  const Results before = RunOf(
      "old.jsonl", {MakeVerdict(0, "add/breaks"), Fail(1, "add/heals", 1),
                    Fail(2, "add/turns", 1), Fail(3, "add/grows", 10),
                    Fail(4, "add/stays", 10), MakeVerdict(5, "add/goes")});
  const Results after = RunOf(
      "new.jsonl", {MakeVerdict(0, "add/comes"), Fail(1, "add/breaks", 1),
                    MakeVerdict(2, "add/heals"),
                    MakeVerdict(3, "add/turns", Outcome::kCrash),
                    Fail(4, "add/grows", 11.1), Fail(5, "add/stays", 11)});
  const Comparison comparison = Compare(before, after);
  using testing::ElementsAre;
  EXPECT_THAT(Names(comparison.worse), ElementsAre("add/breaks"));
  EXPECT_THAT(Names(comparison.better), ElementsAre("add/heals"));
  EXPECT_THAT(Names(comparison.other), ElementsAre("add/turns"));
  EXPECT_THAT(Names(comparison.grown), ElementsAre("add/grows"));
  EXPECT_THAT(Names(comparison.added), ElementsAre("add/comes"));
  EXPECT_THAT(Names(comparison.removed), ElementsAre("add/goes"));
  EXPECT_EQ(comparison.same, 1) << "10 % is not more than 10 %";
  EXPECT_THAT(
      comparison.ToText(),
      HasSubstr("simd add/breaks tensor<2xi8>: pass -> fail (error 1)"));
  EXPECT_THAT(comparison.ToMarkdown(),
              HasSubstr("| simd | add/goes | tensor&lt;2xi8> | pass -> not "
                        "there |"));
}

TEST(Compare, OneBackendEachIsEnough) {
  const Comparison comparison =
      Compare(RunOf("old.jsonl", {MakeVerdict(0, "add/x")}, "old.so"),
              RunOf("new.jsonl", {Fail(0, "add/x", 1)}, "new.so"));
  EXPECT_THAT(Names(comparison.worse), testing::ElementsAre("add/x"));
}

TEST(Compare, NothingInCommonIsAnInputError) {
  const Results before =
      MakeResults("old.jsonl", MakeHeader({"a", "b"}, 0), {});
  EXPECT_THAT([&] { Compare(before, RunOf("new.jsonl", {})); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("old.jsonl: nothing to compare: its backends are "
                            "a, b, those of new.jsonl are simd")));
}

}  // namespace
}  // namespace assay
