// Tests that every case has one verdict, in order, whatever happens to the
// executors.
#include "cases/run/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <thread>

#include "spec/error.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Case> Suite() {
  const char* json = R"({"op": "add", "cases": [{"id": "a{n}",
    "each": {"n": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]},
    "inputs": {"lhs": {"type": "tensor<{n}xi32>", "draw": {"seed": 1, "profile": "uniform"}},
               "rhs": {"type": "tensor<{n}xi32>", "draw": {"seed": 2, "profile": "uniform"}}}}]})";
  return ParseCases("test.json", ParseJsonExactly("test.json", json), {});
}

// A FakeExecutor answers as `respond` says, by the number of the call; the
// result is left as it is, so a call that is ok is `not_written`.
class FakeExecutor : public Executor {
 public:
  using Respond = std::function<Answer(int)>;
  explicit FakeExecutor(Respond respond, size_t window = 8)
      : respond_(std::move(respond)), window_(window) {
    info_.spec = "fake";
  }
  size_t window() const override { return window_; }
  int restarts() const override { return 2; }
  void Submit(const PlacedCall&) override { ++submitted_; }
  Answer Next() override {
    EXPECT_LT(answered_, submitted_);
    return respond_(answered_++);
  }

 private:
  Respond respond_;
  size_t window_;
  int submitted_ = 0, answered_ = 0;
};

Answer Declined() { return {CallStatus::kUnsupported, "no", {}, false}; }

class GuardsOfCalls : public FakeExecutor {
 public:
  GuardsOfCalls() : FakeExecutor([](int) { return Declined(); }) {}
  void Submit(const PlacedCall& call) override {
    guards.push_back(call.guard_bytes);
    FakeExecutor::Submit(call);
  }
  std::vector<size_t> guards;
};

// The memory that is copied to a device and back is the memory that is checked.
TEST(Runner, SaysOfACallHowMuchBesideItIsLookedAt) {
  GuardsOfCalls executor;
  Runner runner(&executor, Policy::Find("assay"));
  Case c = Suite()[0];
  c.runs_twice = true;
  runner.Run(c);
  c.runs_twice = false;
  runner.Run(c);
  EXPECT_THAT(executor.guards, ElementsAre(4096, 4096, 512));
}

class SessionTest : public testing::Test {
 protected:
  SessionResult Judge(const FakeExecutor::Respond& respond,
                      SessionOptions options = {}) {
    const auto open = [&] { return std::make_unique<FakeExecutor>(respond); };
    return JudgeSuite(suite_, cases_, Policy::Find("assay"), open(), open,
                      options,
                      [&](Verdict v) { verdicts_.push_back(std::move(v)); });
  }
  void ExpectOneEach() {
    ASSERT_EQ(verdicts_.size(), cases_.size());
    for (size_t i = 0; i < cases_.size(); ++i) {
      EXPECT_EQ(verdicts_[i].index, static_cast<int64_t>(cases_[i]));
      EXPECT_EQ(verdicts_[i].case_name, suite_[cases_[i]].name);
    }
  }

  std::vector<Case> suite_ = Suite();
  std::vector<size_t> cases_ = {0, 1, 3, 4, 5, 8, 11};
  std::vector<Verdict> verdicts_;
};

TEST_F(SessionTest, VerdictsComeInTheOrderOfTheSuite) {
  for (int jobs : {1, 4}) {
    verdicts_.clear();
    std::atomic<int> calls = 0;
    const SessionResult result = Judge(
        [&](int) {
          // The first calls take longest.
          std::this_thread::sleep_for(
              std::chrono::milliseconds(calls < 3 ? 20 : 1));
          ++calls;
          return Declined();
        },
        {jobs, 1, "", nullptr});
    EXPECT_EQ(result.error, "");
    EXPECT_FALSE(result.stopped);
    EXPECT_EQ(result.restarts, 2 * jobs);
    ExpectOneEach();
  }
}

TEST_F(SessionTest, LostCallsAreAskedAgain) {
  std::atomic<int> lost = 0;
  Judge([&](int call) {
    if (call % 3 != 0 || lost == 5) return Declined();
    ++lost;
    return Answer{CallStatus::kLost, "", {}, false};
  });
  EXPECT_EQ(lost, 5);
  ExpectOneEach();
  for (const Verdict& verdict : verdicts_)
    EXPECT_EQ(verdict.outcome, Outcome::kUnsupported) << verdict.message;
}

// The answer of run A is lost, that of run B is a crash. The verdict is the
// crash, once run A has been asked again.
TEST_F(SessionTest, ACrashOfRunBWhenRunAWasLost) {
  Judge([&](int call) {
    if (call == 0) return Answer{CallStatus::kLost, "", {}, false};
    if (call == 1) return Answer{CallStatus::kCrash, "signal 11", {}, false};
    return Answer{};
  });
  ExpectOneEach();
  EXPECT_EQ(verdicts_[0].outcome, Outcome::kCrash);
  EXPECT_THAT(verdicts_[0].message, HasSubstr("run B: signal 11"));
  for (size_t i = 1; i < verdicts_.size(); ++i)
    EXPECT_EQ(verdicts_[i].outcome, Outcome::kNotWritten);
}

TEST_F(SessionTest, ABackendThatIsGivenUpSkipsTheRest) {
  const SessionResult result = Judge([&](int call) {
    if (call == 4) throw BackendError("given up");
    return Declined();
  });
  EXPECT_EQ(result.error, "given up");
  EXPECT_EQ(verdicts_[0].outcome, Outcome::kUnsupported);
  EXPECT_FALSE(result.left_out.empty());
  for (const Verdict& verdict : result.left_out) {
    EXPECT_EQ(verdict.outcome, Outcome::kSkipped);
    EXPECT_EQ(verdict.message, "the backend was given up");
    verdicts_.push_back(verdict);
  }
  ExpectOneEach();
}

TEST_F(SessionTest, AnExceptionOfTheSinkReachesTheCaller) {
  const auto open = [] {
    return std::make_unique<FakeExecutor>([](int) { return Declined(); });
  };
  for (int jobs : {1, 4}) {
    EXPECT_THROW(
        JudgeSuite(suite_, cases_, Policy::Find("assay"), open(), open,
                   {jobs, 1, "", nullptr},
                   [](const Verdict&) { throw InputError("out", "full"); }),
        InputError);
  }
}

// A slow disk or terminal does not stop the workers.
TEST_F(SessionTest, CasesAreJudgedWhileTheSinkIsBusy) {
  std::atomic<int> calls = 0;
  const auto open = [&] {
    return std::make_unique<FakeExecutor>(
        [&](int) {
          ++calls;
          return Declined();
        },
        1);
  };
  const int all = static_cast<int>(cases_.size());
  bool all_were_judged = true;
  JudgeSuite(suite_, cases_, Policy::Find("assay"), open(), open, {},
             [&](const Verdict&) {
               for (int i = 0; i < 2000 && calls < all; ++i)
                 std::this_thread::sleep_for(std::chrono::milliseconds(5));
               all_were_judged &= calls >= all;
             });
  EXPECT_TRUE(all_were_judged);
}

TEST_F(SessionTest, AStoppedSessionHasNoVerdictsForTheRest) {
  std::atomic<bool> stop = false;
  int answered = 0;
  const SessionResult result = Judge(
      [&](int) {
        stop = ++answered == 3;
        return Declined();
      },
      {1, 1, "", &stop});
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(answered, 3) << "what was under way was waited for";
  EXPECT_GT(verdicts_.size(), 0);
  EXPECT_LT(verdicts_.size(), cases_.size());
}

TEST_F(SessionTest, RepetitionsThatDifferAreCounted) {
  Judge(
      [&](int call) {
        if (call == 2) return Answer{CallStatus::kCrash, "once", {}, false};
        return Declined();
      },
      {1, 3, "", nullptr});
  ExpectOneEach();
  EXPECT_EQ(verdicts_[0].repeats.size(), 2);
  EXPECT_EQ(verdicts_[0].repeats.at(Outcome::kCrash), 1);
  EXPECT_TRUE(verdicts_[1].repeats.empty());
}

// Which cases are skipped does not depend on how many were under way.
TEST_F(SessionTest, ACrashOfASignatureIsPaidForSoOften) {
  for (const int jobs : {1, 4}) {
    verdicts_.clear();
    std::atomic<int> calls = 0;
    SessionOptions options;
    options.jobs = jobs;
    options.crashes = CrashLimit(3);
    Judge(
        [&](int) {
          ++calls;
          return Answer{CallStatus::kCrash, "signal 11", {}, false};
        },
        options);
    ExpectOneEach();
    for (size_t i = 0; i < verdicts_.size(); ++i) {
      EXPECT_EQ(verdicts_[i].outcome,
                i < 3 ? Outcome::kCrash : Outcome::kSkipped);
      if (i >= 3) {
        EXPECT_EQ(verdicts_[i].message, "crashed like add/a1");
      }
    }
  }
}

TEST(Precedence, HasEveryOutcomeOnce) {
  std::set<Outcome> outcomes(kPrecedence.begin(), kPrecedence.end());
  EXPECT_EQ(outcomes.size(), kOutcomeNames.size());
}

TEST(MergeRepeats, TheWorstStandsForAll) {
  Verdict pass, fail, crash;
  fail.outcome = Outcome::kFail;
  crash.outcome = Outcome::kCrash;
  fail.error_ulps = 2;
  Verdict worse = fail, unsupported;
  worse.error_ulps = 7;
  unsupported.outcome = Outcome::kUnsupported;
  const Verdict merged = MergeRepeats({pass, fail, crash, pass});
  EXPECT_EQ(merged.outcome, Outcome::kCrash);
  EXPECT_THAT(merged.message, HasSubstr("of 4 repetitions: 2 pass 1 fail"));
  EXPECT_EQ(MergeRepeats({fail, worse, fail}).error_ulps, 7);
  EXPECT_EQ(MergeRepeats({unsupported, fail}).outcome, Outcome::kFail);
  EXPECT_EQ(merged.repeats.at(Outcome::kPass), 2);
  EXPECT_EQ(MergeRepeats({pass, pass}).outcome, Outcome::kPass);
  EXPECT_TRUE(MergeRepeats({crash, crash}).repeats.empty());
}

}  // namespace
}  // namespace assay
