// Tests that the summary counts everything, and gives reasons for everything
// that was not judged.
#include "reports/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdict Make(Outcome outcome, const std::string& message = "") {
  Verdict verdict;
  verdict.backend = "b";
  verdict.op = "add";
  verdict.outcome = outcome;
  verdict.message = message;
  verdict.elements = 10;
  return verdict;
}

TEST(Summary, CountsAndReasons) {
  Summary summary;
  Verdict open = Make(Outcome::kPass);
  open.open = 3;
  summary.Add(open);
  summary.Add(Make(Outcome::kSkipped, "does not validate"));
  summary.Add(Make(Outcome::kSkipped, "does not validate"));
  summary.Add(Make(Outcome::kUnsupported, "no i2"));
  EXPECT_TRUE(summary.conforms());
  EXPECT_EQ(summary.judged(), 1);
  const std::string text = summary.NotJudgedText() + summary.TotalText();
  EXPECT_THAT(text,
              HasSubstr("\nAccepted unseen: 3 of 40 elements, whole or in "
                        "part, because an open clause"));
  EXPECT_THAT(text, HasSubstr("Not judged: 3 of 4 cases."));
  EXPECT_THAT(text, HasSubstr("2  skipped: does not validate"));
  EXPECT_THAT(text, HasSubstr("1  unsupported: no i2"));
  EXPECT_THAT(text, HasSubstr("1 passed, 0 failed, 3 skipped"));
}

TEST(Summary, SaysThatNothingWasAcceptedUnseen) {
  Summary summary;
  EXPECT_THAT(summary.NotJudgedText(), Not(HasSubstr("unseen")));
  summary.Add(Make(Outcome::kPass));
  EXPECT_THAT(summary.NotJudgedText(),
              HasSubstr("Accepted unseen: 0 of 10 elements"));
}

TEST(Summary, EveryOutcomeButAPassDoesNotConform) {
  for (size_t i = 0; i < kOutcomeNames.size(); ++i) {
    const Outcome outcome = static_cast<Outcome>(i);
    Summary summary;
    summary.Add(Make(outcome, "why"));
    EXPECT_EQ(summary.conforms(),
              outcome == Outcome::kPass || !IsJudged(outcome))
        << Name(outcome);
    EXPECT_THAT(summary.OpTables() + summary.NotJudgedText(),
                HasSubstr(Name(outcome)));
  }
}

TEST(Summary, WithoutACaseNothingWasJudged) {
  const std::string text = Summary().NotJudgedText();
  EXPECT_THAT(text, HasSubstr("Nothing was judged"));
  EXPECT_THAT(text, Not(HasSubstr("Every case")));
}

TEST(Summary, TablesHaveTheOpsThatWereJudged) {
  Summary summary;
  summary.Add(Make(Outcome::kPass));
  Verdict declined = Make(Outcome::kUnsupported, "no");
  for (const char* op : {"sine", "tan"}) {
    declined.op = op;
    summary.Add(declined);
  }
  const std::string text = summary.OpTables();
  EXPECT_THAT(text, HasSubstr("\n  add "));
  EXPECT_THAT(text, Not(HasSubstr("\n  sine")));
  EXPECT_THAT(text, HasSubstr("b: of 2 of 3 ops nothing was judged: sine tan"));
}

}  // namespace
}  // namespace assay
