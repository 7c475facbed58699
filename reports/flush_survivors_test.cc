// Tests what a run says about flushing: the ways that all observations of an op
// and type have in common, in whatever order and from however many shards they
// come.
#include "reports/flush_survivors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/gate.h"
#include "reports/reports_test_support.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Verdict Observing(const std::string& case_name,
                  std::vector<FlushObservation> observations,
                  const std::string& backend = "simd") {
  Verdict verdict = MakeVerdict(0, case_name);
  verdict.backend = backend;
  for (const FlushObservation& observation : observations)
    verdict.flush.push_back(observation.Text());
  return verdict;
}

std::string Text(const std::vector<Verdict>& verdicts, bool contradicts) {
  FlushSurvivors survivors;
  for (const Verdict& verdict : verdicts) survivors.Add(verdict);
  EXPECT_EQ(survivors.contradictions() > 0, contradicts);
  EXPECT_EQ(survivors.ContradictionsOf("simd"), survivors.contradictions());
  EXPECT_EQ(survivors.ContradictionsOf("another"), 0);
  return survivors.ToText();
}

TEST(FlushSurvivors, WithoutObservationsThereIsNothingToSay) {
  EXPECT_EQ(Text({MakeVerdict(0, "add/a")}, false), "");
  Verdict other = MakeVerdict(0, "add/a");
  other.flush = {"no observation"};
  EXPECT_EQ(Text({other}, false), "");
}

TEST(FlushSurvivors, AreWhatAllElementsHaveInCommon) {
  std::vector<Verdict> verdicts = {
      Observing("multiply/a", {{"multiply f32", 0b1110, "[0]"}}),
      Observing("multiply/b", {{"multiply f32", 0b1011, "[7]"},
                               {"multiply f32", 0b1111, "[8]"}}),
      Observing("multiply/c", {{"multiply f64", 0b0100, "[1]"}})};
  // The observations come in any order, as they do when shards are merged.
  std::vector<size_t> order = {0, 1, 2};
  do {
    const std::string text = Text(
        {verdicts[order[0]], verdicts[order[1]], verdicts[order[2]]}, false);
    EXPECT_EQ(text,
              "Flushing by simd, multiply f32: 2 of 23 ways explain "
              "every element: " +
                  FlushSetText(0b1010) +
                  "\nFlushing by simd, multiply f64: 1 of 23 ways "
                  "explain every element: " +
                  FlushSetText(0b0100) + "\n");
  } while (std::ranges::next_permutation(order).found);
}

TEST(FlushSurvivors, OpsThatNeedNoFlushingAreCounted) {
  EXPECT_EQ(Text({Observing("multiply/a", {{"multiply f32", 0b11, "[0]"}}),
                  Observing("add/a", {{"add f32", 0b01, "[0]"}}),
                  Observing("add/a", {{"add f32", 0b01, "[0]"}}, "eigen")},
                 false),
            "Flushing by eigen: none is needed to explain 1 op and type.\n"
            "Flushing by simd: none is needed to explain 2 ops and types.\n");
  EXPECT_THAT(Text({Observing("multiply/a", {{"multiply f32", 0b10, "[0]"}}),
                    Observing("add/a", {{"add f32", 0b01, "[0]"}})},
                   false),
              HasSubstr("\nFlushing by simd: none is needed to explain 1 other "
                        "op and type.\n"));
}

// Each case by itself has an explanation; together they have none.
TEST(FlushSurvivors, AContradictionShowsTheElementsThatMakeIt) {
  const std::vector<Verdict> verdicts = {
      Observing("multiply/any", {{"multiply f32", 0b1111, "[0]: nothing"}}),
      Observing("multiply/body", {{"multiply f32", 0b1100, "[1]: flushed"}}),
      Observing("multiply/more", {{"multiply f32", 0b1000, "[2]: flushed"}}),
      Observing("multiply/tail", {{"multiply f32", 0b0001, "[3]: kept"}}),
      Observing("add/fine", {{"add f32", 0b0010, "[4]"}})};
  const std::string text = Text(verdicts, true);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("Flushing by simd, multiply f32: no one way explains "
                      "these elements together:\n  multiply/tail [3]: kept\n"
                      "    agrees with: operands kept, results kept\n"),
            HasSubstr("[1]: flushed"), Not(HasSubstr("nothing")),
            HasSubstr("Flushing by simd, add f32: 1 of 23 ways")));
}

// Each two of the three elements agree.
TEST(FlushSurvivors, AContradictionOfThreeShowsAllThree) {
  const std::string text =
      Text({Observing("multiply/a", {{"multiply f32", 0b0110, "[0]"}}),
            Observing("multiply/b", {{"multiply f32", 0b1010, "[1]"}}),
            Observing("multiply/c", {{"multiply f32", 0b1100, "[2]"}})},
           true);
  EXPECT_THAT(text,
              AllOf(HasSubstr("multiply/a [0]"), HasSubstr("multiply/b [1]"),
                    HasSubstr("multiply/c [2]")));
}

// Elements of a failed case are not among those that the ways explain.
TEST(FlushSurvivors, AResultThatNoWayExplainsIsSaidBesideTheOthers) {
  EXPECT_EQ(
      Text({Observing("multiply/a", {{"multiply f32", 0b0110, "[0]"}}),
            Observing("multiply/b", {{"multiply f32", 0, "[1]: wrong"}}),
            Observing("multiply/c", {{"multiply f32", 0, "[2]: wrong"}}),
            Observing("add/a", {{"add f32", 0, "[3]: wrong"}})},
           false),
      "Flushing by simd, add f32: no way explains 1 result of cases that fail, "
      "the first add/a [3]: wrong; none is needed to explain every element of "
      "the others\n"
      "Flushing by simd, multiply f32: no way explains 2 results of cases that "
      "fail, the first multiply/b [1]: wrong; 2 of 23 ways explain every "
      "element of the others: " +
          FlushSetText(0b0110) + "\n");
}

TEST(FlushSurvivors, BackendsAreApart) {
  EXPECT_THAT(
      Text({Observing("multiply/a", {{"multiply f32", 0b0010, "[0]"}}, "a"),
            Observing("multiply/a", {{"multiply f32", 0b0100, "[0]"}}, "b")},
           false),
      AllOf(HasSubstr("Flushing by a, multiply f32: 1 of 23"),
            HasSubstr("Flushing by b, multiply f32: 1 of 23")));
}

// The observations are read from a file of results.
TEST(FlushSurvivors, ObservationsSurviveAResultsFile) {
  const std::string path = FreshPath("r.jsonl");
  const Verdict verdict =
      Observing("multiply/a", {{"multiply f32", 0b100, "[0]: a; \"b\""}});
  WriteRun(path, MakeHeader({"simd"}, 1), {verdict});
  const Results results = ReadResults(path);
  Verdict back;
  results.Get(0, &back);
  EXPECT_EQ(back.flush, verdict.flush);
}

TEST(FlushSurvivors, ABaselineKnowsAContradiction) {
  const std::vector<Verdict> verdicts = {
      Observing("multiply/a", {{"multiply f32", 0b0110, "[0]"}}),
      Observing("multiply/b", {{"multiply f32", 0b1000, "[1]"}})};
  FlushSurvivors survivors;
  for (const Verdict& verdict : verdicts) survivors.Add(verdict);
  EXPECT_THAT(survivors.Contradicted("simd"),
              testing::ElementsAre("multiply f32"));
  Baseline old;
  BaselineUpdate update(old, MakeHeader({"simd"}, 2), "half of it flushes");
  for (const Verdict& verdict : verdicts) update.Add(verdict);
  Baseline baseline = update.Finish(survivors);
  EXPECT_EQ(baseline.backends.at("simd").flush.at("multiply f32"),
            "half of it flushes");
  baseline = ParseBaseline("b.json", BaselineText(baseline));
  EXPECT_EQ(baseline.backends.at("simd").flush.size(), 1U);

  const auto result_with = [&](const FlushSurvivors& flush) {
    GateOptions options;
    options.baseline = &baseline;
    Gate gate(options, MakeHeader({"simd"}, 2));
    for (const Verdict& verdict : verdicts) gate.Add(verdict);
    return gate.Finish(flush);
  };
  EXPECT_EQ(result_with(survivors).contradictions, 1);
  survivors.Waive("simd", "multiply f32");
  EXPECT_EQ(survivors.contradictions(), 0);
  EXPECT_EQ(survivors.ContradictionsOf("simd"), 0);
  EXPECT_THAT(survivors.ToText(), HasSubstr("together, which is known:\n"));
  EXPECT_EQ(result_with(survivors).exit_code(), kExitOk);
  // A reason for what is no contradiction any more is stale.
  const GateResult stale = result_with({});
  EXPECT_EQ(stale.stale, 1);
  EXPECT_THAT(stale.text, HasSubstr("flushing of multiply f32 (half of it"));
  // A new baseline keeps the reason, and drops one that is stale.
  BaselineUpdate again(baseline, MakeHeader({"simd"}, 2), "another");
  for (const Verdict& verdict : verdicts) again.Add(verdict);
  EXPECT_EQ(
      again.Finish(survivors).backends.at("simd").flush.at("multiply f32"),
      "half of it flushes");
  EXPECT_TRUE(again.Finish().backends.at("simd").flush.empty());
}

}  // namespace
}  // namespace assay
