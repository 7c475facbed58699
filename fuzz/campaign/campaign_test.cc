// Tests campaigns against kernels with planted bugs: the findings are the same
// however they are judged, and the end of a process is a finding like any
// other.
#include "fuzz/campaign/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <thread>

#include "backends/host/fake_device_host.h"
#include "cases/run/verdict.h"
#include "fuzz/fuzz_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

CampaignOptions OptionsFor(const std::string& backend, uint64_t count) {
  CampaignOptions options;
  options.backend = backend;
  options.open.in_process = true;
  options.open.limits.timeout = std::chrono::seconds(20);
  options.policy = &Policy::Find("assay");
  options.seed = 1;
  options.count = count;
  return options;
}

DrawOptions OnlyOps(std::vector<std::string> ops) {
  DrawOptions draw;
  draw.ops = std::move(ops);
  draw.enumerates = false;
  draw.only_pointwise_violations = true;
  return draw;
}

CampaignState Ran(const CampaignOptions& options, Generator* generator) {
  CampaignState state;
  state.next = options.first;
  Campaign(options, generator)
      .Run(
          &state, [](const Finding&) {}, [](const CampaignState&) {});
  return state;
}

std::map<std::string, uint64_t> IndicesOf(const CampaignState& state) {
  std::map<std::string, uint64_t> indices;
  for (const auto& [signature, finding] : state.findings)
    indices[signature] = finding.index;
  return indices;
}

std::set<uint64_t> IndicesWith(Outcome outcome, const CampaignState& state) {
  std::set<uint64_t> indices;
  for (const auto& [signature, finding] : state.findings) {
    if (finding.outcome == outcome) indices.insert(finding.index);
  }
  return indices;
}

uint64_t CountOf(const CampaignState& state) {
  uint64_t count = 0;
  for (const auto& [outcome, number] : state.outcomes) count += number;
  return count;
}

TEST(Campaign, FindsTheSameWithAnyNumberOfJobsInProcessOrNot) {
  Generator generator(OnlyOps({"shift_left"}));
  CampaignOptions options = OptionsFor("broken?bug=SH03", 1100);
  const CampaignState one = Ran(options, &generator);
  EXPECT_GT(one.findings.size(), 5u);
  EXPECT_EQ(one.next, 1100u);
  EXPECT_EQ(one.judged, 1100u);
  EXPECT_EQ(CountOf(one), 1100u);
  EXPECT_EQ(one.deaths, 0);
  for (const auto& [signature, finding] : one.findings) {
    EXPECT_EQ(finding.signature, signature);
    EXPECT_LT(finding.index, 1100u);
    EXPECT_EQ(finding.outcome, Outcome::kFail);
    EXPECT_THAT(finding.case_name,
                HasSubstr("/seed_1_" + std::to_string(finding.index)));
    EXPECT_EQ(finding.variant, generator.Draw(1, finding.index).variant);
  }
  for (const bool in_process : {true, false}) {
    options.open.in_process = in_process;
    options.jobs = 3;
    const CampaignState other = Ran(options, &generator);
    EXPECT_EQ(IndicesOf(other), IndicesOf(one)) << in_process;
    EXPECT_EQ(other.outcomes, one.outcomes) << in_process;
    EXPECT_EQ(other.next, 1100u);
  }
}

TEST(Campaign, FindsTheSameWithCallsTogetherOnADevice) {
  Generator generator(OnlyOps({"shift_left"}));
  CampaignOptions options = OptionsFor("broken?bug=SH03", 1100);
  const CampaignState one = Ran(options, &generator);
  options.open.parts = FakeDeviceHost::Parts({}, /*each=*/false);
  const CampaignState together = Ran(options, &generator);
  EXPECT_EQ(IndicesOf(together), IndicesOf(one));
  EXPECT_EQ(together.outcomes, one.outcomes);
}

TEST(Campaign, TellsOfEachFindingOnceAndOfLesserIndices) {
  Generator generator(OnlyOps({"shift_left"}));
  CampaignOptions options = OptionsFor("broken?bug=SH03", 600);
  options.jobs = 2;
  CampaignState state;
  std::map<std::string, uint64_t> told;
  int progress = 0;
  Campaign(options, &generator)
      .Run(
          &state,
          [&](const Finding& finding) {
            const auto [there, is_new] =
                told.emplace(finding.signature, finding.index);
            EXPECT_TRUE(is_new || finding.index < there->second);
            there->second = finding.index;
          },
          [&](const CampaignState&) { ++progress; });
  EXPECT_EQ(told, IndicesOf(state));
  EXPECT_GT(progress, 0);
  // A campaign that goes on from there finds the rest, and nothing twice.
  CampaignState rest = state;
  options.first = 0;
  options.count = 1100;
  Campaign(options, &generator)
      .Run(
          &rest,
          [&](const Finding& finding) {
            EXPECT_FALSE(told.contains(finding.signature));
          },
          [](const CampaignState&) {});
  EXPECT_GT(rest.findings.size(), state.findings.size());
  EXPECT_EQ(IndicesOf(rest), IndicesOf(Ran(options, &generator)));
  EXPECT_LE(rest.judged - state.judged, 1100u - 512u)
      << "whole blocks are not judged again";
}

// Returns the least index of a case for which the predicate is true.
template <class F>
uint64_t FirstCase(Generator* generator, uint64_t from, F is_it) {
  for (uint64_t index = from;; ++index) {
    if (is_it(ToJudge(generator->Draw(1, index)))) return index;
  }
}

bool HasThirtySeven(const Case& c) {
  if (!c.violates.empty()) return false;
  const Tensor values = c.inputs[0].data.Materialise();
  for (int64_t i = 0; i < values.size(); ++i) {
    if (ValueOf(values.element_type(), values.Bits(i)) == 37) return true;
  }
  return false;
}

TEST(Campaign, GoesOnBehindACrash) {
  Generator generator(OnlyOps({"popcnt"}));
  for (const bool in_process : {true, false}) {
    CampaignOptions options = OptionsFor("broken?bug=CRASH01", 600);
    options.open.in_process = in_process;
    const CampaignState state = Ran(options, &generator);
    const std::set<uint64_t> crashes = IndicesWith(Outcome::kCrash, state);
    ASSERT_THAT(crashes, Not(IsEmpty())) << in_process;
    EXPECT_EQ(*crashes.begin(), FirstCase(&generator, 0, HasThirtySeven));
    EXPECT_EQ(state.findings.size(), crashes.size());
    EXPECT_EQ(state.next, 600u);
    EXPECT_EQ(CountOf(state), 600u);
    EXPECT_GT(state.outcomes.at(Outcome::kPass), 400u);
  }
}

// Kills a process that this one has started.
void KillAChild() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    int pid = 0, parent = 0;
    std::string name, state;
    if (stat >> pid >> name >> state >> parent && parent == getpid()) {
      kill(pid, SIGKILL);
      return;
    }
  }
  ADD_FAILURE() << "there is no process that judges";
}

// With a worker, several blocks are under way.
TEST(Campaign, WhatAProcessWasJudgingWhenItWasKilledIsJudgedAgain) {
  Generator generator(OnlyOps({"popcnt"}));
  CampaignOptions options = OptionsFor("broken", 40000);
  options.open.in_process = false;
  CampaignState state;
  bool is_killed = false;
  Campaign(options, &generator)
      .Run(
          &state, [](const Finding&) {},
          [&](const CampaignState& now) {
            if (is_killed || now.judged == 0) return;
            KillAChild();
            is_killed = true;
          });
  EXPECT_TRUE(is_killed);
  EXPECT_EQ(state.deaths, 1);
  EXPECT_EQ(state.next, 40000u);
  EXPECT_EQ(CountOf(state), 40000u) << "no case twice, and none left out";
  ASSERT_THAT(state.findings, testing::SizeIs(1));
  const Finding& finding = state.findings.begin()->second;
  EXPECT_EQ(finding.signature, "process ended, not again");
  EXPECT_EQ(finding.index % Campaign::kBlock, 0u);
  EXPECT_THAT(finding.message, HasSubstr("signal 9"));
}

bool EndsWithThirteen(const Case& c) {
  const Shape& shape = c.program.main().body[0].outputs[0].type.tensor().shape;
  return !shape.empty() && shape.back() == 13 && ElementCount(shape) > 0;
}

// In this process, a device has many calls under way, and a fault of it has no
// culprit until they are judged again.
TEST(Campaign, GoesOnBehindAFaultOfADevice) {
  Generator generator(OnlyOps({"popcnt"}));
  const uint64_t at = FirstCase(&generator, 50, EndsWithThirteen);
  CampaignOptions options = OptionsFor("simd", 600);
  options.open.parts = FakeDeviceHost::Parts({}, /*each=*/false);
  FakeDeviceHost::before_call = [](const AssayCall& call) {
    const DLTensor& result = call.outputs[0].tensor;
    const std::span<const int64_t> shape(result.shape,
                                         static_cast<size_t>(result.ndim));
    if (!shape.empty() && shape.back() == 13 &&
        std::ranges::find(shape, 0) == shape.end())
      FakeDeviceHost::device->Fail("SOME_FAULT");
  };
  const CampaignState state = Ran(options, &generator);
  EXPECT_THAT(IndicesWith(Outcome::kCrash, state), testing::Contains(at));
  EXPECT_EQ(state.next, 600u);
  EXPECT_EQ(CountOf(state), 600u);
  const int faults = static_cast<int>(state.outcomes.at(Outcome::kCrash));
  EXPECT_GE(state.deaths, faults + 1) << "together, then each alone";
  for (const auto& [signature, finding] : state.findings) {
    EXPECT_TRUE(
        EndsWithThirteen(ToJudge(generator.Draw(options.seed, finding.index))))
        << finding.index;
    EXPECT_THAT(finding.message, HasSubstr("SOME_FAULT"));
  }
  FakeDeviceHost::before_call = [](const AssayCall&) {};
}

TEST(Campaign, GoesOnBehindAHang) {
  Generator generator(OnlyOps({"popcnt"}));
  const uint64_t at = FirstCase(&generator, 50, EndsWithThirteen);
  for (const bool in_process : {true, false}) {
    CampaignOptions options = OptionsFor("broken?bug=HANG01", 30);
    options.first = at - 10;
    options.count =
        FirstCase(&generator, at + 1, EndsWithThirteen) - options.first;
    options.open.in_process = in_process;
    options.open.limits.timeout = std::chrono::milliseconds(300);
    const CampaignState state = Ran(options, &generator);
    EXPECT_EQ(IndicesWith(Outcome::kTimeout, state), std::set<uint64_t>{at})
        << in_process;
    EXPECT_EQ(state.findings.size(), 1u);
    EXPECT_EQ(state.next, options.first + *options.count);
    EXPECT_EQ(CountOf(state), *options.count);
    EXPECT_EQ(state.deaths > 0, in_process) << "a worker is another process";
  }
}

// A mistake of the generator is told like one of a backend, and costs one case.
TEST(Campaign, GoesOnBehindACaseThatCannotBeDrawn) {
  constexpr uint64_t kSlot = 77;
  Generator generator(OnlyOps({"popcnt"}));
  for (const bool in_process : {true, false}) {
    CampaignOptions options = OptionsFor("broken", 600);
    options.open.in_process = in_process;
    options.before_case = [](uint64_t slot) {
      if (slot == kSlot) kill(getpid(), SIGKILL);
    };
    const CampaignState state = Ran(options, &generator);
    EXPECT_EQ(IndicesWith(Outcome::kOracleSuspect, state),
              std::set<uint64_t>{kSlot});
    ASSERT_THAT(state.findings, testing::SizeIs(1));
    const Finding& finding = state.findings.begin()->second;
    EXPECT_EQ(finding.signature, kNotDrawn);
    EXPECT_THAT(finding.message, HasSubstr("signal 9"));
    EXPECT_EQ(state.next, 600u);
    EXPECT_EQ(CountOf(state), 600u);
  }
}

TEST(Campaign, WhatTheJudgeTakesIsNoHangOfTheBackend) {
  Generator generator(OnlyOps({"popcnt"}));
  CampaignOptions options = OptionsFor("broken", 60);
  options.open.limits.timeout = std::chrono::milliseconds(300);
  options.before_case = [](uint64_t slot) {
    if (slot == 30) std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  const CampaignState state = Ran(options, &generator);
  EXPECT_THAT(state.findings, IsEmpty())
      << state.findings.begin()->second.message;
  EXPECT_EQ(CountOf(state), 60u);
}

TEST(Campaign, FindsNothingWrongWithWhatIsRight) {
  DrawOptions draw = OnlyOps({});
  Generator generator(draw);
  for (const char* backend : {"simd", "broken", "spec"}) {
    CampaignOptions options = OptionsFor(backend, 700);
    options.jobs = 2;
    const CampaignState state = Ran(options, &generator);
    EXPECT_THAT(state.findings, IsEmpty())
        << backend << ": " << state.findings.begin()->second.message;
    EXPECT_GT(state.outcomes.at(Outcome::kPass), 600u) << backend;
    EXPECT_EQ(CountOf(state), 700u);
  }
}

TEST(Campaign, EndsAtItsTimeOrWhenItIsToldTo) {
  Generator generator(OnlyOps({"popcnt"}));
  CampaignOptions options = OptionsFor("broken", 1);
  options.count.reset();
  options.time = std::chrono::milliseconds(250);
  const CampaignState timed = Ran(options, &generator);
  EXPECT_GT(timed.judged, 0u);
  EXPECT_EQ(timed.judged, timed.next) << "whole blocks";
  EXPECT_EQ(timed.judged % Campaign::kBlock, 0u);
  const std::atomic<bool> stop = true;
  options.time.reset();
  options.stop = &stop;
  EXPECT_EQ(Ran(options, &generator).next % Campaign::kBlock, 0u);
  options = OptionsFor("broken?bug=CRASH01", 1 << 20);
  options.most_findings = 1;
  const CampaignState first = Ran(options, &generator);
  EXPECT_THAT(first.findings, Not(IsEmpty()));
  EXPECT_LT(first.judged, 1000u);
}

// The process of this backend starts slowly, and ends at a call whose last
// dimension is 13.
class SlowAndFatal {
 public:
  SlowAndFatal() {
    FakeDeviceHost::before_call = [](const AssayCall& call) {
      const DLTensor& result = call.outputs[0].tensor;
      if (result.ndim > 0 && result.shape[result.ndim - 1] == 13) _exit(9);
    };
  }
  ~SlowAndFatal() {
    FakeDeviceHost::before_call = [](const AssayCall&) {};
  }

  CampaignOptions OptionsFor(uint64_t count) const {
    CampaignOptions options = assay::OptionsFor("simd", count);
    options.open.parts = FakeDeviceHost::Parts({}, /*each=*/false);
    options.open.parts.load =
        [load = options.open.parts.load](const std::string& spec) {
          usleep(2'400'000);
          return load(spec);
        };
    return options;
  }
};

// The time that a process takes to start does not count as the time of a case.
TEST(Campaign, ACaseIsNotBlamedForTheStartOfAnotherProcess) {
  Generator generator(OnlyOps({"popcnt"}));
  const uint64_t at = FirstCase(&generator, 50, EndsWithThirteen);
  const SlowAndFatal plugin;
  CampaignOptions options = plugin.OptionsFor(1);
  options.first = at;
  options.open.limits.timeout = std::chrono::milliseconds(2000);
  const CampaignState state = Ran(options, &generator);
  EXPECT_EQ(IndicesWith(Outcome::kCrash, state), std::set<uint64_t>{at});
  EXPECT_THAT(state.outcomes,
              testing::ElementsAre(testing::Pair(Outcome::kCrash, 1)));
  EXPECT_EQ(state.deaths, 2) << "together, then alone";
}

// A count that is no whole number of blocks goes on in the middle of one.
TEST(Campaign, WhatGoesOnCountsEachCaseOnce) {
  Generator generator(OnlyOps({"popcnt"}));
  const CampaignState whole = Ran(OptionsFor("simd", 1100), &generator);
  CampaignState state = Ran(OptionsFor("simd", 700), &generator);
  EXPECT_EQ(state.next, 700u);
  for (const uint64_t count : {1100, 1100}) {
    const CampaignOptions options = OptionsFor("simd", count);
    Campaign(options, &generator)
        .Run(
            &state, [](const Finding&) {}, [](const CampaignState&) {});
    EXPECT_EQ(state.next, 1100u);
    EXPECT_EQ(state.outcomes, whole.outcomes);
    EXPECT_EQ(state.elements, whole.elements);
  }
}

TEST(Campaign, WhatIsInterruptedStartsNothingMore) {
  Generator generator(OnlyOps({"popcnt"}));
  const SlowAndFatal plugin;
  CampaignOptions options = plugin.OptionsFor(1 << 20);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  CampaignState state;
  Campaign(options, &generator)
      .Run(
          &state, [&](const Finding&) { stop = true; },
          [](const CampaignState&) {});
  EXPECT_EQ(state.deaths, 2);
  EXPECT_THAT(state.findings, testing::SizeIs(1));
}

TEST(Campaign, WhatDiesBeforeItsFirstCaseIsGivenUp) {
  Generator generator(OnlyOps({"popcnt"}));
  CampaignOptions options = OptionsFor("broken", 10);
  options.open.parts.load = [](const std::string&) -> std::unique_ptr<Backend> {
    _exit(7);
  };
  EXPECT_THAT([&] { Ran(options, &generator); },
              ThrowsMessage<BackendError>(HasSubstr("ended 3 processes")));
}

TEST(Campaign, OfWhatDoesNotStartSaysWhy) {
  Generator generator(OnlyOps({"popcnt"}));
  const auto run = [&](const char* backend) {
    return [&generator, backend] { Ran(OptionsFor(backend, 10), &generator); };
  };
  EXPECT_THAT(run("nosuch"), ThrowsMessage<BackendError>(HasSubstr("nosuch")));
  EXPECT_THAT(run("broken?bug=NOSUCH"),
              ThrowsMessage<BackendError>(HasSubstr("has no bug 'NOSUCH'")));
}

}  // namespace
}  // namespace assay
