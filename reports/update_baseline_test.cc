// What a recorded run makes of the entries that a baseline had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/baseline_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

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
      RunOnSimd({a, b, MakeVerdict(2, "add/c", Outcome::kCrash),
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
  const Results results = RunOnSimd(
      {MakeVerdict(0, "add/a", Outcome::kFail), MakeVerdict(1, "add/b")});
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
  const Results results = RunOnSimd(
      {MakeVerdict(0, "add/a"), MakeVerdict(1, "add/b", Outcome::kFail),
       MakeVerdict(2, "add/unsupported", Outcome::kUnsupported)});
  const Baseline updated = UpdateBaseline(old, results, "new");
  EXPECT_THAT(Patterns(updated), ElementsAre("add/a", "add/b"));
  for (const BaselineEntry& entry : updated.backends.at("simd").entries)
    EXPECT_THAT(entry.outcomes, ElementsAre(Outcome::kPass, Outcome::kFail));
}

TEST(UpdateBaseline, IsIdempotent) {
  const Results results = RunOnSimd({MakeVerdict(0, "add/a", Outcome::kFail),
                                     MakeVerdict(1, "add/b", Outcome::kCrash)});
  const Baseline once = UpdateBaseline({}, results, "new");
  EXPECT_EQ(BaselineText(once),
            BaselineText(UpdateBaseline(once, results, "other")));
}

Results SelectionOf(const std::string& op, std::vector<Verdict> verdicts) {
  Results results = RunOnSimd(std::move(verdicts));
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
      UpdateBaseline(both, RunOnSimd({MakeVerdict(0, "add/x")}), "new");
  EXPECT_TRUE(whole.backends.at("simd").selection.empty());
  EXPECT_TRUE(Patterns(whole).empty());
}

TEST(UpdateBaseline, OfASelectionLeavesOtherCasesAsTheyAre) {
  const Baseline old = UpdateBaseline(
      MakeBaseline({Entry("*/narrow", {Outcome::kFail}, "wide")}),
      RunOnSimd({MakeVerdict(0, "add/x", Outcome::kFail),
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
  Results results = RunOnSimd({});
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
