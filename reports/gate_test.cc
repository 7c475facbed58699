// Every way in which a run differs from its baseline has its exit code.
#include "reports/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;
using Kind = Expectedness::Kind;

BaselineEntry Entry(const std::string& pattern, std::set<Outcome> outcomes,
                    const std::string& reason = "known") {
  BaselineEntry entry;
  entry.pattern = pattern;
  entry.outcomes = std::move(outcomes);
  entry.reason = reason;
  return entry;
}

Baseline MakeBaseline(std::vector<BaselineEntry> entries,
                      JudgedCounts judged = {}) {
  return {"b.json",
          {{"simd", {"numpy", std::move(judged), std::move(entries)}}}};
}

Results RunOf(std::vector<Verdict> verdicts) {
  return MakeResults("r.jsonl", MakeHeader({"simd"}, verdicts.size()),
                     verdicts);
}

GateResult Check(const Baseline& baseline, const Results& results,
                 std::vector<std::string> require = {}) {
  return RunGate({&baseline, std::move(require), "2026-06-01"}, results);
}

TEST(Gate, WithoutABaselineEverythingJudgedMustPass) {
  const auto exit_code = [](std::vector<Verdict> verdicts) {
    return RunGate({}, RunOf(std::move(verdicts))).exit_code();
  };
  const Verdict skipped = MakeVerdict(1, "add/y", Outcome::kSkipped);
  EXPECT_EQ(exit_code({MakeVerdict(0, "add/x"), skipped}), kExitOk);
  EXPECT_EQ(exit_code({skipped}), kExitNothingJudged);
  EXPECT_EQ(exit_code({MakeVerdict(0, "add/x", Outcome::kCrash)}),
            kExitFindings);
  EXPECT_EQ(exit_code({MakeVerdict(0, "add/x", Outcome::kOracleSuspect)}),
            kExitFindings);
  EXPECT_EQ(RunGate({}, RunOf({skipped})).text, "");
}

TEST(Gate, AContradictionIsAFinding) {
  GateResult result = RunGate({}, RunOf({MakeVerdict(0, "add/x")}));
  EXPECT_EQ(result.Headline(), "as expected");
  result.contradictions = 2;
  EXPECT_EQ(result.exit_code(), kExitFindings);
  EXPECT_THAT(result.Headline(), HasSubstr("2 ops and types that no one way"));
}

TEST(Gate, AShardWithoutCasesIsAsExpected) {
  Results results = RunOf({});
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
  const GateResult same =
      Check(baseline, RunOf({fails, VariantVerdict(1, "gaps", Outcome::kFail),
                             VariantVerdict(2, "element", Outcome::kPass)}));
  EXPECT_EQ(same.exit_code(), kExitOk) << same.text;
  EXPECT_EQ(same.expected, 2);
  EXPECT_EQ(same.unexpected_passes, 0);
  const GateResult worse = Check(
      baseline, RunOf({fails, VariantVerdict(1, "gaps", Outcome::kCrash)}));
  EXPECT_EQ(worse.unexpected, 1);
  BaselineEntry between = Entry("add/x", {Outcome::kFail});
  between.error_ulps = {2, 5};
  for (const auto& [error, unexpected] :
       {std::pair{1.0, 0}, {5.0, 0}, {6.0, 1}}) {
    Verdict of_a_part = VariantVerdict(0, "element", Outcome::kFail);
    of_a_part.error_ulps = error;
    EXPECT_EQ(Check(MakeBaseline({between}), RunOf({of_a_part})).unexpected,
              unexpected)
        << error;
  }
  const GateResult only =
      Check(MakeBaseline({Entry("add/x@gaps", {Outcome::kFail})}),
            RunOf({VariantVerdict(0, "gaps", Outcome::kFail),
                   VariantVerdict(1, "step2", Outcome::kFail)}));
  EXPECT_EQ(only.expected, 1);
  EXPECT_EQ(only.unexpected, 1);
}

TEST(Gate, AnEntryForALayoutIsStaleOnlyWhereLayoutsAreSwept) {
  const Baseline baseline =
      MakeBaseline({Entry("add/*@gaps", {Outcome::kFail})});
  const Verdict plain = MakeVerdict(0, "add/x", Outcome::kPass);
  EXPECT_EQ(Check(baseline, RunOf({plain})).stale, 0);
  EXPECT_EQ(
      Check(baseline, RunOf({plain, VariantVerdict(1, "gaps", Outcome::kFail)}))
          .stale,
      0);
  EXPECT_EQ(Check(baseline,
                  RunOf({plain, VariantVerdict(1, "step2", Outcome::kPass)}))
                .stale,
            1);
}

TEST(Gate, AnEntryExpectsItsOutcomesAndNoOthers) {
  const Baseline baseline = MakeBaseline({Entry("add/*", {Outcome::kFail})});
  const GateResult good =
      Check(baseline, RunOf({MakeVerdict(0, "add/x", Outcome::kFail)}));
  EXPECT_EQ(good.exit_code(), kExitOk) << good.text;
  EXPECT_EQ(good.expected, 1);
  const GateResult crash =
      Check(baseline, RunOf({MakeVerdict(0, "add/x", Outcome::kFail),
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
  EXPECT_EQ(Check(baseline, RunOf({fail})).exit_code(), kExitOk);
  fail.error_ulps = 3;
  EXPECT_EQ(Check(baseline, RunOf({fail})).exit_code(), kExitFindings);
}

TEST(Gate, AWaivedFailureThatPassesIsAFinding) {
  BaselineEntry flaky = Entry("add/f*", {Outcome::kFail, Outcome::kPass});
  const Baseline baseline =
      MakeBaseline({Entry("add/x", {Outcome::kFail}), flaky});
  const GateResult result = Check(
      baseline, RunOf({MakeVerdict(0, "add/x"), MakeVerdict(1, "add/f1")}));
  EXPECT_EQ(result.exit_code(), kExitFindings);
  EXPECT_EQ(result.unexpected_passes, 1) << "an entry that lists pass is met";
  EXPECT_THAT(result.text, HasSubstr("simd: add/x:tensor<2xi8> passes"));
  EXPECT_THAT(result.text, HasSubstr("(known)"));
}

TEST(Gate, ExpiredAndUnmatchedEntriesAreStale) {
  BaselineEntry entry = Entry("add/x", {Outcome::kFail});
  entry.expires = "2026-06-01";
  const Results results = RunOf({MakeVerdict(0, "add/x", Outcome::kFail)});
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
            RunOf({MakeVerdict(0, "add/x", Outcome::kFail)}));
  EXPECT_EQ(result.stale, 1);
  EXPECT_EQ(result.exit_code(), kExitFindings);
}

TEST(Gate, FewerJudgedThanRecordedIsAFinding) {
  const Baseline baseline = MakeBaseline({}, {{"add", {{"i8", 2}}}});
  const Verdict pass = MakeVerdict(0, "add/x");
  EXPECT_EQ(Check(baseline, RunOf({pass, MakeVerdict(1, "add/y")})).exit_code(),
            kExitOk);
  const GateResult lost = Check(
      baseline, RunOf({pass, MakeVerdict(1, "add/y", Outcome::kUnsupported)}));
  EXPECT_EQ(lost.exit_code(), kExitFindings);
  EXPECT_THAT(lost.text,
              HasSubstr("add on i8: 1 cases judged, the baseline records 2"));
  const GateResult gone =
      Check(baseline,
            RunOf({MakeVerdict(0, "add/x", Outcome::kPass, "tensor<2xi4>")}));
  EXPECT_EQ(gone.lost, 1);
}

TEST(Gate, APartOfARunSaysWhatItDidNotCheck) {
  const Baseline baseline =
      MakeBaseline({Entry("sub/*", {Outcome::kFail})}, {{"add", {{"i8", 2}}}});
  Results results = RunOf({MakeVerdict(0, "add/x")});
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
                   RunOf(std::move(verdicts)));
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
  Results shard = RunOf({partly});
  shard.header.shard = {1, 2};
  const GateResult of_part = RunGate({nullptr, {}, "", 100.0}, shard);
  EXPECT_EQ(of_part.exit_code(), kExitOk) << "other shards make up for it";
  EXPECT_THAT(of_part.text, HasSubstr("checked on all shards together"));
}

TEST(Gate, WhatIsRequiredMustBeJudgedAndBeThere) {
  const Results results =
      RunOf({MakeVerdict(0, "add/x"),
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
  Results shard = RunOf({MakeVerdict(0, "add/x")});
  shard.header.shard = {1, 2};
  EXPECT_EQ(RunGate({nullptr, {"sub/*"}, ""}, shard).exit_code(), kExitOk)
      << "another shard may have it";
}

TEST(Gate, AnotherPolicyIsAnInputError) {
  Baseline baseline = MakeBaseline({});
  baseline.backends.at("simd").policy = "mask";
  EXPECT_THAT([&] { Check(baseline, RunOf({})); },
              ThrowsMessage<InputError>(
                  HasSubstr("b.json: was recorded for backend 'simd' under "
                            "policy 'mask'")));
}

TEST(Gate, ABackendThatIsNotInTheBaselineIsNamed) {
  Baseline baseline;
  const GateResult result = Check(baseline, RunOf({MakeVerdict(0, "add/x")}));
  EXPECT_EQ(result.exit_code(), kExitOk);
  EXPECT_THAT(result.text, HasSubstr("Backend simd is not in the baseline"));
  baseline.backends["mine"].policy = "assay";
  EXPECT_EQ(Check(baseline, RunOf({MakeVerdict(0, "add/x")})).exit_code(),
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
    return RunGate(options, RunOf({MakeVerdict(0, "add/x"), verdict}))
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
      Check(MakeBaseline(entries), RunOf({MakeVerdict(0, "add/x")}));
  EXPECT_THAT(result.text, HasSubstr("  and 5 more\n"));
}

std::vector<std::string> Patterns(const Baseline& baseline) {
  std::vector<std::string> patterns;
  for (const BaselineEntry& entry : baseline.backends.at("simd").entries)
    patterns.push_back(entry.pattern);
  return patterns;
}

TEST(UpdateBaseline, WhatStaysKeepsItsWordsAndWhatIsNewIsUnexplained) {
  BaselineEntry stays = Entry("add/*", {Outcome::kFail, Outcome::kTimeout});
  stays.error_ulps = {1, 1000};
  stays.issue = "issue";
  stays.owner = "owner";
  stays.expires = "2026-12-31";
  Baseline old = MakeBaseline({stays, Entry("sub/all_pass", {Outcome::kFail}),
                               Entry("sub/gone", {Outcome::kFail})});
  old.backends["cuda"] = {"numpy", {{"add", {{"i8", 7}}}}, {}};
  Verdict a = MakeVerdict(0, "add/a", Outcome::kFail);
  a.error_ulps = 3;
  Verdict b = MakeVerdict(1, "add/b", Outcome::kFail);
  b.error_ulps = 5;
  Verdict odd = MakeVerdict(4, "xor/[o]*", Outcome::kFail);
  odd.error_ulps = 8;
  const Results results =
      RunOf({a, b, MakeVerdict(2, "add/c", Outcome::kCrash),
             MakeVerdict(3, "sub/all_pass"), odd,
             MakeVerdict(5, "xor/no", Outcome::kUnsupported)});
  const Baseline updated = UpdateBaseline(old, results, "not yet explained");
  EXPECT_THAT(Patterns(updated), ElementsAre("add/*", "add/c", "xor/\\[o]\\*"));
  const std::vector<BaselineEntry>& entries =
      updated.backends.at("simd").entries;
  EXPECT_THAT(entries[0].outcomes, ElementsAre(Outcome::kFail));
  EXPECT_EQ(entries[0].error_ulps, std::make_pair(3.0, 5.0));
  EXPECT_EQ(entries[0].reason, "known");
  EXPECT_EQ(entries[0].issue, "issue");
  EXPECT_EQ(entries[0].owner, "owner");
  EXPECT_EQ(entries[0].expires, "2026-12-31");
  EXPECT_THAT(entries[1].outcomes, ElementsAre(Outcome::kCrash));
  EXPECT_EQ(entries[1].reason, "not yet explained");
  EXPECT_EQ(entries[1].error_ulps, std::nullopt);
  EXPECT_EQ(entries[2].error_ulps, std::make_pair(8.0, 8.0));
  EXPECT_EQ(updated.backends.at("simd").judged.at("add").at("i8"), 3);
  EXPECT_EQ(updated.backends.at("simd").judged.at("xor").at("i8"), 1)
      << "what is unsupported is not judged";
  EXPECT_EQ(updated.backends.at("cuda").judged.at("add").at("i8"), 7)
      << "did not run, and stays";
  const GateResult gate = Check(updated, results);
  EXPECT_EQ(gate.exit_code(), kExitOk) << gate.text;
}

TEST(UpdateBaseline, AWaiverOverCasesThatPassSaysSo) {
  const Baseline old = MakeBaseline({Entry("add/*", {Outcome::kFail})});
  const Results results =
      RunOf({MakeVerdict(0, "add/a", Outcome::kFail), MakeVerdict(1, "add/b")});
  const Baseline updated = UpdateBaseline(old, results, "new");
  EXPECT_THAT(updated.backends.at("simd").entries[0].outcomes,
              ElementsAre(Outcome::kPass, Outcome::kFail));
  EXPECT_EQ(Check(updated, results).exit_code(), kExitOk);
}

// One case that may pass and may fail does so on two machines.
TEST(UpdateBaseline, WhatFailsOnAnotherMachineStays) {
  const Baseline old = MakeBaseline(
      {Entry("add/a", {Outcome::kPass, Outcome::kFail}),
       Entry("add/b", {Outcome::kPass, Outcome::kFail}),
       Entry("add/gone", {Outcome::kPass, Outcome::kFail}),
       Entry("add/unsupported", {Outcome::kPass, Outcome::kFail})});
  const Results results =
      RunOf({MakeVerdict(0, "add/a"), MakeVerdict(1, "add/b", Outcome::kFail),
             MakeVerdict(2, "add/unsupported", Outcome::kUnsupported)});
  const Baseline updated = UpdateBaseline(old, results, "new");
  EXPECT_THAT(Patterns(updated), ElementsAre("add/a", "add/b"));
  for (const BaselineEntry& entry : updated.backends.at("simd").entries)
    EXPECT_THAT(entry.outcomes, ElementsAre(Outcome::kPass, Outcome::kFail));
}

TEST(UpdateBaseline, IsIdempotent) {
  const Results results = RunOf({MakeVerdict(0, "add/a", Outcome::kFail),
                                 MakeVerdict(1, "add/b", Outcome::kCrash)});
  const Baseline once = UpdateBaseline({}, results, "new");
  EXPECT_EQ(BaselineText(once),
            BaselineText(UpdateBaseline(once, results, "other")));
}

Results SelectionOf(const std::string& op, std::vector<Verdict> verdicts) {
  Results results = RunOf(std::move(verdicts));
  results.header.ops = {op};
  return results;
}

TEST(UpdateBaseline, OfASelectionIsRecordedAsThat) {
  const Results add = SelectionOf(
      "add",
      {MakeVerdict(0, "add/x", Outcome::kFail), MakeVerdict(1, "add/y")});
  const Baseline first = UpdateBaseline({}, add, "new");
  EXPECT_THAT(first.backends.at("simd").selection, ElementsAre("add"));
  // The same selection, and the suite, are compared with all of the baseline.
  EXPECT_EQ(Check(first, add).exit_code(), kExitOk);
  const Results less = SelectionOf("add", {MakeVerdict(1, "add/y")});
  EXPECT_EQ(Check(first, less).stale, 1);
  EXPECT_EQ(Check(first, less).lost, 1);
  EXPECT_THAT(Check(first, less).text, Not(HasSubstr("Not checked")));
  const Results sub =
      SelectionOf("sub*", {MakeVerdict(0, "sub/x", Outcome::kCrash)});
  EXPECT_THAT(Check(first, sub).text, HasSubstr("another one than the"));
  EXPECT_EQ(Check(first, sub).stale, 0);
  const Baseline both = UpdateBaseline(first, sub, "new");
  EXPECT_THAT(both.backends.at("simd").selection, ElementsAre("add", "sub*"));
  EXPECT_THAT(Patterns(both), ElementsAre("add/x", "sub/x"));
  EXPECT_EQ(both.backends.at("simd").judged.at("add").at("i8"), 2);
  const Baseline whole =
      UpdateBaseline(both, RunOf({MakeVerdict(0, "add/x")}), "new");
  EXPECT_TRUE(whole.backends.at("simd").selection.empty());
  EXPECT_TRUE(Patterns(whole).empty());
}

TEST(UpdateBaseline, OfASelectionLeavesOtherCasesAsTheyAre) {
  const Baseline old = UpdateBaseline(
      MakeBaseline({Entry("*/narrow", {Outcome::kFail}, "wide")}),
      RunOf({MakeVerdict(0, "add/x", Outcome::kFail),
             MakeVerdict(1, "add/narrow", Outcome::kFail),
             MakeVerdict(2, "sub/narrow", Outcome::kFail),
             MakeVerdict(3, "sub/y", Outcome::kFail)}),
      "new");
  EXPECT_THAT(Patterns(old), ElementsAre("*/narrow", "add/x", "sub/y"));
  const Baseline updated = UpdateBaseline(
      old,
      SelectionOf("add", {MakeVerdict(0, "add/x"),
                          MakeVerdict(1, "add/narrow", Outcome::kCrash)}),
      "new");
  EXPECT_THAT(Patterns(updated),
              ElementsAre("*/narrow", "add/narrow", "sub/y"));
  EXPECT_THAT(updated.backends.at("simd").entries[0].outcomes,
              ElementsAre(Outcome::kFail));
  EXPECT_TRUE(updated.backends.at("simd").selection.empty());
  // Part of an op cannot show that less of it is judged; all of it can.
  const auto judged = [&](const std::string& op) {
    return UpdateBaseline(old, SelectionOf(op, {MakeVerdict(0, "add/x")}), "")
        .backends.at("simd")
        .judged.at("add")
        .at("i8");
  };
  EXPECT_EQ(judged("add/x"), 2);
  EXPECT_EQ(judged("add"), 1);
}

TEST(UpdateBaseline, OfASelectionUnderAnotherPolicyIsRefused) {
  Baseline old = MakeBaseline({Entry("sub/x", {Outcome::kFail})});
  old.backends.at("simd").policy = "mask";
  EXPECT_THAT(
      [&] {
        UpdateBaseline(old, SelectionOf("add", {MakeVerdict(0, "add/x")}), "");
      },
      ThrowsMessage<InputError>(HasSubstr("run without --op")));
}

TEST(UpdateBaseline, NotOfAShardOrOfCasesOfItsOwn) {
  Results results = RunOf({});
  results.header.shard = {1, 2};
  EXPECT_THAT([&] { UpdateBaseline({}, results, ""); },
              ThrowsMessage<InputError>(HasSubstr("this is one shard")));
  results.header.shard = {};
  results.header.cases_are_named = true;
  EXPECT_THAT([&] { UpdateBaseline({}, results, ""); },
              ThrowsMessage<InputError>(HasSubstr("leave out --cases")));
}

}  // namespace
}  // namespace assay
