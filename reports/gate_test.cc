// Every way in which a run differs from its baseline has its exit code.
#include "reports/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/baseline_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Kind = Expectedness::Kind;

TEST(Gate, WithoutABaselineEverythingJudgedMustPass) {
  const auto exit_code = [](std::vector<Verdict> verdicts) {
    return RunGate({}, RunOnSimd(std::move(verdicts))).exit_code();
  };
  const Verdict skipped = MakeVerdict(1, "add/y", Outcome::kSkipped);
  EXPECT_EQ(exit_code({MakeVerdict(0, "add/x"), skipped}), kExitOk);
  EXPECT_EQ(exit_code({skipped}), kExitNothingJudged);
  EXPECT_EQ(exit_code({MakeVerdict(0, "add/x", Outcome::kCrash)}),
            kExitFindings);
  EXPECT_EQ(exit_code({MakeVerdict(0, "add/x", Outcome::kOracleSuspect)}),
            kExitFindings);
  EXPECT_EQ(RunGate({}, RunOnSimd({skipped})).text, "");
}

TEST(Gate, AContradictionIsAFinding) {
  GateResult result = RunGate({}, RunOnSimd({MakeVerdict(0, "add/x")}));
  EXPECT_EQ(result.Headline(), "as expected");
  result.contradictions = 2;
  EXPECT_EQ(result.exit_code(), kExitFindings);
  EXPECT_THAT(result.Headline(), HasSubstr("2 ops and types that no one way"));
}

TEST(Gate, AShardWithoutCasesIsAsExpected) {
  Results results = RunOnSimd({});
  EXPECT_EQ(RunGate({}, results).exit_code(), kExitNothingJudged);
  results.header.shard = {2, 4};
  EXPECT_EQ(RunGate({}, results).exit_code(), kExitOk);
}

Verdict VariantVerdict(int64_t index, const std::string& layout,
                       Outcome outcome) {
  Verdict verdict = MakeVerdict(index, "add/x@" + layout, outcome);
  verdict.variant = layout;
  return verdict;
}

TEST(Gate, AnEntryHoldsForItsCaseInEveryLayout) {
  const Baseline baseline = MakeBaseline({Entry("add/x", {Outcome::kFail})});
  const Verdict fails = MakeVerdict(0, "add/x", Outcome::kFail);
  const GateResult same = Check(
      baseline, RunOnSimd({fails, VariantVerdict(1, "gaps", Outcome::kFail),
                           VariantVerdict(2, "element", Outcome::kPass)}));
  EXPECT_EQ(same.exit_code(), kExitOk) << same.text;
  EXPECT_EQ(same.expected, 2);
  EXPECT_EQ(same.unexpected_passes, 0);
  const GateResult worse = Check(
      baseline, RunOnSimd({fails, VariantVerdict(1, "gaps", Outcome::kCrash)}));
  EXPECT_EQ(worse.unexpected, 1);
  BaselineEntry between = Entry("add/x", {Outcome::kFail});
  between.error_ulps = {2, 5};
  for (const auto& [error, unexpected] :
       {std::pair{1.0, 0}, {5.0, 0}, {6.0, 1}}) {
    Verdict of_a_part = VariantVerdict(0, "element", Outcome::kFail);
    of_a_part.error_ulps = error;
    EXPECT_EQ(Check(MakeBaseline({between}), RunOnSimd({of_a_part})).unexpected,
              unexpected)
        << error;
  }
  const GateResult only =
      Check(MakeBaseline({Entry("add/x@gaps", {Outcome::kFail})}),
            RunOnSimd({VariantVerdict(0, "gaps", Outcome::kFail),
                       VariantVerdict(1, "step2", Outcome::kFail)}));
  EXPECT_EQ(only.expected, 1);
  EXPECT_EQ(only.unexpected, 1);
}

TEST(Gate, AnEntryForALayoutIsStaleOnlyWhereLayoutsAreSwept) {
  const Baseline baseline =
      MakeBaseline({Entry("add/*@gaps", {Outcome::kFail})});
  const Verdict plain = MakeVerdict(0, "add/x", Outcome::kPass);
  EXPECT_EQ(Check(baseline, RunOnSimd({plain})).stale, 0);
  EXPECT_EQ(Check(baseline,
                  RunOnSimd({plain, VariantVerdict(1, "gaps", Outcome::kFail)}))
                .stale,
            0);
  EXPECT_EQ(
      Check(baseline,
            RunOnSimd({plain, VariantVerdict(1, "step2", Outcome::kPass)}))
          .stale,
      1);
}

TEST(Gate, AnEntryExpectsItsOutcomesAndNoOthers) {
  const Baseline baseline = MakeBaseline({Entry("add/*", {Outcome::kFail})});
  const GateResult good =
      Check(baseline, RunOnSimd({MakeVerdict(0, "add/x", Outcome::kFail)}));
  EXPECT_EQ(good.exit_code(), kExitOk) << good.text;
  EXPECT_EQ(good.expected, 1);
  const GateResult crash =
      Check(baseline, RunOnSimd({MakeVerdict(0, "add/x", Outcome::kFail),
                                 MakeVerdict(1, "add/y", Outcome::kCrash)}));
  EXPECT_EQ(crash.exit_code(), kExitFindings);
  EXPECT_EQ(crash.unexpected, 1);
}

TEST(Gate, AnErrorOutsideOfItsRangeIsUnexpected) {
  BaselineEntry entry = Entry("add/x", {Outcome::kFail});
  entry.error_ulps = {1, 2};
  const Baseline baseline = MakeBaseline({entry});
  Verdict fail = MakeVerdict(0, "add/x", Outcome::kFail);
  fail.error_ulps = 2;
  EXPECT_EQ(Check(baseline, RunOnSimd({fail})).exit_code(), kExitOk);
  fail.error_ulps = 3;
  EXPECT_EQ(Check(baseline, RunOnSimd({fail})).exit_code(), kExitFindings);
}

TEST(Gate, AWaivedFailureThatPassesIsAFinding) {
  BaselineEntry flaky = Entry("add/f*", {Outcome::kFail, Outcome::kPass});
  const Baseline baseline =
      MakeBaseline({Entry("add/x", {Outcome::kFail}), flaky});
  const GateResult result = Check(
      baseline, RunOnSimd({MakeVerdict(0, "add/x"), MakeVerdict(1, "add/f1")}));
  EXPECT_EQ(result.exit_code(), kExitFindings);
  EXPECT_EQ(result.unexpected_passes, 1) << "an entry that lists pass is met";
  EXPECT_THAT(result.text, HasSubstr("simd: add/x:tensor<2xi8> passes"));
  EXPECT_THAT(result.text, HasSubstr("(known)"));
}

TEST(Gate, ExpiredAndUnmatchedEntriesAreStale) {
  BaselineEntry entry = Entry("add/x", {Outcome::kFail});
  entry.expires = "2026-06-01";
  const Results results = RunOnSimd({MakeVerdict(0, "add/x", Outcome::kFail)});
  EXPECT_EQ(Check(MakeBaseline({entry}), results).exit_code(), kExitOk)
      << "the last day";
  entry.expires = "2026-05-31";
  const GateResult expired = Check(MakeBaseline({entry}), results);
  EXPECT_EQ(expired.exit_code(), kExitStale);
  EXPECT_THAT(expired.text, HasSubstr("add/x (known) on 2026-05-31"));
  const GateResult stale =
      Check(MakeBaseline({Entry("add/x", {Outcome::kFail}),
                          Entry("sub/*", {Outcome::kFail})}),
            results);
  EXPECT_EQ(stale.exit_code(), kExitStale);
  EXPECT_THAT(stale.text, HasSubstr("simd: sub/* (known)"));
}

TEST(Gate, AFindingComesBeforeAStaleEntry) {
  const GateResult result =
      Check(MakeBaseline({Entry("sub/*", {Outcome::kFail})}),
            RunOnSimd({MakeVerdict(0, "add/x", Outcome::kFail)}));
  EXPECT_EQ(result.stale, 1);
  EXPECT_EQ(result.exit_code(), kExitFindings);
}

TEST(Gate, FewerJudgedThanRecordedIsAFinding) {
  const Baseline baseline = MakeBaseline({}, {{"add", {{"i8", 2}}}});
  const Verdict pass = MakeVerdict(0, "add/x");
  EXPECT_EQ(
      Check(baseline, RunOnSimd({pass, MakeVerdict(1, "add/y")})).exit_code(),
      kExitOk);
  const GateResult lost =
      Check(baseline,
            RunOnSimd({pass, MakeVerdict(1, "add/y", Outcome::kUnsupported)}));
  EXPECT_EQ(lost.exit_code(), kExitFindings);
  EXPECT_THAT(lost.text,
              HasSubstr("add on i8: 1 cases judged, the baseline records 2"));
  const GateResult gone = Check(
      baseline,
      RunOnSimd({MakeVerdict(0, "add/x", Outcome::kPass, "tensor<2xi4>")}));
  EXPECT_EQ(gone.lost, 1);
}

TEST(Gate, APartOfARunSaysWhatItDidNotCheck) {
  const Baseline baseline =
      MakeBaseline({Entry("sub/*", {Outcome::kFail})}, {{"add", {{"i8", 2}}}});
  Results results = RunOnSimd({MakeVerdict(0, "add/x")});
  results.header.shard = {1, 2};
  GateResult result = Check(baseline, results);
  EXPECT_EQ(result.exit_code(), kExitOk);
  EXPECT_THAT(result.text, HasSubstr("Not checked, because this is one shard"));
  results.header.shard = {};
  results.header.ops = {"add"};
  result = Check(baseline, results);
  EXPECT_EQ(result.exit_code(), kExitOk);
  EXPECT_THAT(result.text, HasSubstr("because this is a selection"));
}

TEST(Gate, SoManyElementsMustBeJudgedOfEachBackend) {
  Verdict seen = MakeVerdict(0, "add/x"), partly = MakeVerdict(1, "add/y");
  seen.elements = 600;
  partly.elements = 400;
  partly.open = 1;
  Verdict declined = MakeVerdict(2, "add/z", Outcome::kUnsupported);
  declined.elements = declined.open = 5000;  // nothing was judged
  const auto check = [&](double percent, std::vector<Verdict> verdicts) {
    return RunGate({nullptr, {}, "2026-06-01", percent},
                   RunOnSimd(std::move(verdicts)));
  };
  const GateResult met = check(99.9, {seen, partly, declined});
  EXPECT_EQ(met.exit_code(), kExitOk);
  EXPECT_THAT(met.text, HasSubstr("simd: 999 of 1000 elements were judged, "
                                  "99.9000 %, and --require-judged asks for "
                                  "99.9 %.\n"));
  const GateResult missed = check(99.91, {seen, partly, declined});
  EXPECT_EQ(missed.unseen, 1);
  EXPECT_EQ(missed.exit_code(), kExitFindings);
  EXPECT_THAT(missed.text, HasSubstr("for 99.91 %: not met.\n"));
  EXPECT_EQ(check(100, {seen}).exit_code(), kExitOk);
  EXPECT_EQ(check(100, {partly}).exit_code(), kExitFindings);
  EXPECT_EQ(check(0, {partly}).exit_code(), kExitOk);
  Verdict failed = MakeVerdict(3, "add/w", Outcome::kFail);
  failed.elements = 10;
  EXPECT_EQ(check(100, {seen, failed}).unseen, 0);
  Verdict other = partly;
  other.backend = "cuda";
  other.elements = other.open = 1;
  const Results both =
      MakeResults("r.jsonl", MakeHeader({"simd", "cuda"}, 2), {seen, other});
  EXPECT_EQ(RunGate({nullptr, {}, "", 50.0}, both).unseen, 1);
  Results shard = RunOnSimd({partly});
  shard.header.shard = {1, 2};
  const GateResult of_part = RunGate({nullptr, {}, "", 100.0}, shard);
  EXPECT_EQ(of_part.exit_code(), kExitOk) << "other shards make up for it";
  EXPECT_THAT(of_part.text, HasSubstr("checked on all shards together"));
}

TEST(Gate, WhatIsRequiredMustBeJudgedAndBeThere) {
  const Results results =
      RunOnSimd({MakeVerdict(0, "add/x"),
                 MakeVerdict(1, "add/y", Outcome::kUnsupported)});
  const auto check = [&](const std::string& pattern) {
    return RunGate({nullptr, {pattern}, "2026-06-01"}, results);
  };
  EXPECT_EQ(check("add/x").exit_code(), kExitOk);
  EXPECT_THAT(check("add/x").text, HasSubstr("Everything that --require"));
  EXPECT_EQ(check("add/*").exit_code(), kExitFindings);
  EXPECT_THAT(check("add/*").text,
              HasSubstr("add/y:tensor<2xi8> is unsupported: declined"));
  EXPECT_EQ(check("sub/*").exit_code(), kExitFindings);
  EXPECT_THAT(check("sub/*").text,
              HasSubstr("no case that can be judged matches:\n  sub/*"));
  EXPECT_THAT([&] { check("add/["); },
              ThrowsMessage<InputError>(HasSubstr("--require: 'add/['")));
  Results shard = RunOnSimd({MakeVerdict(0, "add/x")});
  shard.header.shard = {1, 2};
  EXPECT_EQ(RunGate({nullptr, {"sub/*"}, ""}, shard).exit_code(), kExitOk)
      << "another shard may have it";
}

TEST(Gate, AnotherPolicyIsAnInputError) {
  Baseline baseline = MakeBaseline({});
  baseline.backends.at("simd").policy = "mask";
  EXPECT_THAT([&] { Check(baseline, RunOnSimd({})); },
              ThrowsMessage<InputError>(
                  HasSubstr("b.json: was recorded for backend 'simd' under "
                            "policy 'mask'")));
}

TEST(Gate, ABackendThatIsNotInTheBaselineIsNamed) {
  Baseline baseline;
  const GateResult result =
      Check(baseline, RunOnSimd({MakeVerdict(0, "add/x")}));
  EXPECT_EQ(result.exit_code(), kExitOk);
  EXPECT_THAT(result.text, HasSubstr("Backend simd is not in the baseline"));
  baseline.backends["mine"].policy = "assay";
  EXPECT_EQ(Check(baseline, RunOnSimd({MakeVerdict(0, "add/x")})).exit_code(),
            kExitStale);
}

TEST(Gate, EveryOutcomeOfRepetitionsMustBeExpected) {
  const Baseline baseline = MakeBaseline({Entry("add/*", {Outcome::kFail})});
  const Gate gate({&baseline, {}, "2026-06-01"}, MakeHeader({"simd"}, 4));
  Verdict verdict = MakeVerdict(0, "add/x", Outcome::kFail);
  verdict.repeats = {{Outcome::kPass, 1}, {Outcome::kFail, 2}};
  EXPECT_EQ(gate.Of(verdict).kind, Kind::kExpected);
  verdict.repeats[Outcome::kCrash] = 1;
  EXPECT_EQ(gate.Of(verdict).kind, Kind::kUnexpected);
}

// A backend cannot be asked for cases that the suite does not give to it, but
// it can for those that it declines, or before which it was given up.
TEST(Gate, RequiredIsWhatCouldBeJudged) {
  const auto check = [](Outcome outcome, const char* message) {
    Verdict verdict = MakeVerdict(1, "add/y", outcome);
    verdict.message = message;
    GateOptions options;
    options.require = {"add/*"};
    return RunGate(options, RunOnSimd({MakeVerdict(0, "add/x"), verdict}))
        .exit_code();
  };
  EXPECT_EQ(check(Outcome::kSkipped, "does not validate"), kExitOk);
  EXPECT_EQ(check(Outcome::kSkipped, kGivenUpMessage), kExitFindings);
  EXPECT_EQ(check(Outcome::kUnsupported, "no"), kExitFindings);
}

TEST(Gate, SaysOfEachVerdictWhatWasExpected) {
  const Baseline baseline = MakeBaseline({Entry("add/*", {Outcome::kFail})});
  const Gate gate({&baseline, {}, "2026-06-01"}, MakeHeader({"simd"}, 4));
  EXPECT_EQ(gate.Of(MakeVerdict(0, "add/x", Outcome::kFail)).kind,
            Kind::kExpected);
  EXPECT_EQ(gate.Of(MakeVerdict(0, "add/x", Outcome::kFail)).entry->reason,
            "known");
  EXPECT_EQ(gate.Of(MakeVerdict(0, "add/x")).kind, Kind::kUnexpectedPass);
  EXPECT_EQ(gate.Of(MakeVerdict(0, "sub/x")).kind, Kind::kPass);
  EXPECT_EQ(gate.Of(MakeVerdict(0, "sub/x", Outcome::kFail)).kind,
            Kind::kUnexpected);
  EXPECT_EQ(gate.Of(MakeVerdict(0, "add/x", Outcome::kSkipped)).kind,
            Kind::kNotJudged);
}

TEST(Gate, ListsAreCut) {
  std::vector<BaselineEntry> entries;
  for (int i = 0; i < 25; ++i)
    entries.push_back(Entry("sub/" + std::to_string(i), {Outcome::kFail}));
  const GateResult result =
      Check(MakeBaseline(entries), RunOnSimd({MakeVerdict(0, "add/x")}));
  EXPECT_THAT(result.text, HasSubstr("  and 5 more\n"));
}

}  // namespace
}  // namespace assay
