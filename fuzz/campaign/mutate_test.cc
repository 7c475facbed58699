// Tests that the same chance makes the same changes of recordings, and that
// these are playable, small, and of every kind that the search needs.
#include "fuzz/campaign/mutate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cases/run/runner.h"
#include "spec/policy.h"

namespace assay {
namespace {

using testing::Each;
using testing::Gt;
using testing::Le;
using testing::SizeIs;

DrawOptions PlayedOptions() {
  DrawOptions options;
  options.enumerates = false;
  options.only_pointwise_violations = true;
  return options;
}

Generator& SharedGenerator() {
  static Generator generator(PlayedOptions());
  return generator;
}

Recording RecordingOf(uint64_t index) {
  Choices choices(0, index);
  Recording recording;
  choices.Record(&recording);
  SharedGenerator().Draw(&choices);
  return recording;
}

Recording MutatedBy(const Recording& recording, uint64_t seed) {
  Choices chance(seed, UINT64_MAX);
  return Mutated(recording, &SharedGenerator(), &chance);
}

TEST(Mutate, PlayingARecordedCaseChangesNothing) {
  for (uint64_t index = 0; index < 200; ++index) {
    const Recording recording = RecordingOf(index);
    EXPECT_EQ(Played(recording, &SharedGenerator()), recording) << index;
  }
}

TEST(Mutate, DependsOnTheChanceAlone) {
  const Recording recording = RecordingOf(7);
  int changed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_EQ(MutatedBy(recording, seed), MutatedBy(recording, seed));
    changed += MutatedBy(recording, seed) != recording;
  }
  EXPECT_GT(changed, 150);
}

TEST(Mutate, MakesCasesThatAreAsTheySay) {
  Recording recording;  // the empty input of a fuzzer
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    recording = MutatedBy(recording, seed);
    Choices choices(&recording);
    const Drawn drawn = SharedGenerator().Draw(&choices);
    const Verdict verdict =
        JudgeConstraints(drawn.c, Policy::Find("assay"), "");
    ASSERT_EQ(verdict.outcome, Outcome::kPass) << seed << verdict.message;
    EXPECT_EQ(Played(recording, &SharedGenerator()), recording) << seed;
  }
}

TEST(Mutate, ChangesEveryTopicAndOftenOneAlone) {
  const Recording recording = RecordingOf(7);
  std::array<int, kTopics> alone = {};
  std::set<std::string> ops;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Recording mutated = MutatedBy(recording, seed);
    std::vector<size_t> changed;
    for (size_t topic = 0; topic < kTopics; ++topic) {
      if (mutated.choices[topic] != recording.choices[topic])
        changed.push_back(topic);
    }
    if (changed.size() == 1) ++alone[changed[0]];
    Choices choices(&mutated);
    ops.insert(SharedGenerator().Draw(&choices).c.op);
  }
  // Another op makes other choices in every topic.
  for (const Topic topic : {Topic::kForm, Topic::kTypes, Topic::kShape,
                            Topic::kLayout, Topic::kValues})
    EXPECT_GT(alone[static_cast<size_t>(topic)], 0) << static_cast<int>(topic);
  EXPECT_THAT(ops, SizeIs(Gt(30u)));
}

TEST(Mutate, CrossesWholeTopics) {
  const Recording a = RecordingOf(7), b = RecordingOf(8);
  std::set<std::vector<uint8_t>> children;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Choices chance(seed, UINT64_MAX);
    const Recording crossed = Crossed(a, b, &SharedGenerator(), &chance);
    EXPECT_EQ(Played(crossed, &SharedGenerator()), crossed);
    children.insert(crossed.Encode());
  }
  EXPECT_TRUE(children.contains(a.Encode()));
  EXPECT_TRUE(children.contains(b.Encode()));
  EXPECT_THAT(children, SizeIs(Gt(20u)));
}

TEST(Mutate, ShortensValuesFirst) {
  Recording recording;
  for (std::vector<uint32_t>& topic : recording.choices) topic = {1, 2, 300};
  recording.Of(Topic::kValues).assign(1000, UINT32_MAX);
  const size_t whole = recording.Encode().size();
  EXPECT_EQ(EncodeWithin(recording, whole), recording.Encode());
  for (size_t most = 0; most < whole; most += most < 100 ? 1 : 97) {
    const std::vector<uint8_t> bytes = EncodeWithin(recording, most);
    ASSERT_THAT(bytes, SizeIs(Le(most)));
    const Recording decoded = Recording::Decode(bytes);
    if (most < 40) continue;
    EXPECT_GE(bytes.size() + 10, most);
    for (size_t topic = 0; topic + 1 < kTopics; ++topic)
      EXPECT_EQ(decoded.choices[topic], recording.choices[topic]) << most;
    EXPECT_THAT(decoded.choices.back(), Each(UINT32_MAX));
  }
}

}  // namespace
}  // namespace assay
