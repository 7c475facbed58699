// Tests that streams of choices are the same on every machine, independent by
// topic, and can be encoded and decoded.
#include "cases/search/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<uint32_t> Drawn100(Choices choices, Topic topic, int count) {
  std::vector<uint32_t> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(choices.Below(topic, 100));
  return drawn;
}

// These values come from an implementation of Philox4x32-10 in another
// language, which gives the known answers of Random123 for zeros.
TEST(Choices, AreThoseOfPhilox) {
  EXPECT_THAT(Drawn100({1, 2}, Topic::kForm, 6),
              ElementsAre(24, 55, 71, 92, 23, 58));
  EXPECT_THAT(Drawn100({1, 2}, Topic::kValues, 6),
              ElementsAre(31, 93, 44, 48, 26, 75));
  const uint64_t seed = (uint64_t{1} << 40) + 5,
                 index = (uint64_t{3} << 33) + 7;
  EXPECT_THAT(Drawn100({seed, index}, Topic::kShape, 6),
              ElementsAre(4, 50, 47, 9, 51, 28));
  Choices bits(1, 2);
  EXPECT_EQ(bits.Bits(Topic::kForm), 0x8e76cc9d3f55b3f0u);
  EXPECT_EQ(bits.Bits(Topic::kForm), 0xebed3676b68faa8eu);
  EXPECT_EQ(bits.Bits(Topic::kForm), 0x970994fd3d4141deu);
}

TEST(Choices, DifferBySeedIndexAndTopic) {
  std::set<std::vector<uint32_t>> streams;
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 32}) {
    for (const uint64_t index : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 32}) {
      for (size_t topic = 0; topic < kTopics; ++topic)
        streams.insert(Drawn100({seed, index}, static_cast<Topic>(topic), 9));
    }
  }
  EXPECT_EQ(streams.size(), 9 * kTopics);
}

TEST(Choices, OfATopicDoNotDependOnThoseOfOthers) {
  const std::vector<uint32_t> alone = Drawn100({3, 4}, Topic::kLayout, 20);
  Choices mixed(3, 4);
  std::vector<uint32_t> among;
  for (int i = 0; i < 20; ++i) {
    for (int more = 0; more < i; ++more) mixed.Below(Topic::kShape, 7);
    mixed.Bits(Topic::kValues);
    among.push_back(mixed.Below(Topic::kLayout, 100));
  }
  EXPECT_EQ(among, alone);
}

TEST(Choices, ReachEveryNumberBelowAndNoOther) {
  for (const uint32_t n : {1u, 2u, 3u, 6u, 25u}) {
    Choices choices(5, n);
    std::vector<int> count(n);
    for (uint32_t i = 0; i < 1000 * n; ++i)
      ++count.at(choices.Below(Topic::kOp, n));
    EXPECT_THAT(count, testing::Each(testing::AllOf(testing::Gt(850),
                                                    testing::Lt(1150))));
  }
  Choices choices(5, 0);
  int ones = 0;
  for (int i = 0; i < 6000; ++i) ones += choices.OneIn(Topic::kOp, 6);
  EXPECT_NEAR(ones, 1000, 120);
  const std::vector<char> list = {'a', 'b'};
  std::set<char> elements;
  for (int i = 0; i < 50; ++i) elements.insert(choices.Of(Topic::kOp, list));
  EXPECT_THAT(elements, ElementsAre('a', 'b'));
}

// Draws one choice of every kind and topic.
std::vector<uint64_t> EveryKind(Choices* choices) {
  std::vector<uint64_t> drawn;
  for (size_t t = 0; t < kTopics; ++t) {
    const auto topic = static_cast<Topic>(t);
    for (const uint32_t n : {1u, 2u, 300u, 1u << 30})
      drawn.push_back(choices->Below(topic, n));
    drawn.push_back(choices->OneIn(topic, 3) ? 1 : 0);
    drawn.push_back(choices->Bits(topic));
  }
  return drawn;
}

TEST(Choices, RecordedAndPlayedAreTheSame) {
  for (uint64_t index = 0; index < 50; ++index) {
    Choices plain(9, index), recorded(9, index);
    Recording recording, again;
    recorded.Record(&recording);
    const std::vector<uint64_t> drawn = EveryKind(&plain);
    EXPECT_EQ(EveryKind(&recorded), drawn) << "recording changes nothing";
    Choices played(&recording);
    played.Record(&again);
    EXPECT_EQ(EveryKind(&played), drawn);
    EXPECT_EQ(again, recording);
    const Recording decoded = Recording::Decode(recording.Encode());
    Choices played_from_bytes(&decoded);
    EXPECT_EQ(EveryKind(&played_from_bytes), drawn);
  }
}

TEST(Choices, PlayedPastTheEndAreZero) {
  Recording recording;
  recording.Of(Topic::kShape) = {7, 12};
  Choices choices(&recording);
  EXPECT_EQ(choices.Below(Topic::kShape, 10), 7u);
  EXPECT_EQ(choices.Below(Topic::kShape, 10), 2u) << "12 modulo 10";
  EXPECT_EQ(choices.Below(Topic::kShape, 10), 0u);
  EXPECT_EQ(choices.Bits(Topic::kShape), 0u);
  EXPECT_FALSE(choices.OneIn(Topic::kShape, 2));
  EXPECT_EQ(choices.Below(Topic::kForm, 10), 0u);
}

TEST(Recording, IsAsItWasAfterBytesButForZerosAtTheEnd) {
  Recording recording;
  recording.Of(Topic::kForm) = {0, 1, 127, 128, 16383, 16384, UINT32_MAX};
  recording.Of(Topic::kTypes) = {0, 0, 3, 0, 0};
  recording.Of(Topic::kValues).assign(300, 5);
  Recording without = recording;
  without.Of(Topic::kTypes) = {0, 0, 3};
  const std::vector<uint8_t> bytes = recording.Encode();
  EXPECT_EQ(Recording::Decode(bytes), without);
  EXPECT_EQ(without.Encode(), bytes);
  // There is a length for each topic and a byte for each small choice.
  EXPECT_EQ(bytes.size(), 1 + (1 + 1 + 1 + 2 + 2 + 3 + 5) + 1 + (1 + 3) + 1 +
                              1 + 1 + (2 + 300));
  EXPECT_EQ(Recording().Encode(), std::vector<uint8_t>(kTopics, 0));
}

TEST(Recording, IsWhateverBytesAre) {
  EXPECT_EQ(Recording::Decode({}), Recording());
  Choices noise(1, 1);
  for (int round = 0; round < 5000; ++round) {
    std::vector<uint8_t> bytes(noise.Below(Topic::kForm, 40));
    const bool is_high = noise.OneIn(Topic::kForm, 2);
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(noise.Below(Topic::kValues, 256) |
                                  (is_high ? 0x80u : 0u));
    const Recording decoded = Recording::Decode(bytes);
    size_t count = 0;
    for (const std::vector<uint32_t>& topic : decoded.choices)
      count += topic.size();
    EXPECT_LE(count, bytes.size()) << "a length says no more than there is";
    EXPECT_EQ(Recording::Decode(decoded.Encode()), decoded);
  }
  const std::vector<uint8_t> cut = {2, 5};
  const Recording decoded = Recording::Decode(cut);
  EXPECT_THAT(decoded.choices[0], ElementsAre(5));
  EXPECT_THAT(decoded.choices[1], IsEmpty());
}

}  // namespace
}  // namespace assay
