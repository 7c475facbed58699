#include "fuzz/campaign/mutate.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

// One topic of `chance` decides everything here.
uint32_t ChanceBelow(Choices* chance, size_t n) {
  return chance->Below(Topic::kForm, static_cast<uint32_t>(n));
}

// Small numbers are drawn as often as large ones, because the number of
// alternatives is not known, and playing takes the number modulo it.
uint32_t AnyChoice(Choices* chance) {
  const auto bits = static_cast<uint32_t>(chance->Bits(Topic::kForm));
  return bits >> ChanceBelow(chance, 32);
}

Recording FreshRecording(Generator* generator, Choices* chance) {
  const uint64_t seed = chance->Bits(Topic::kForm);
  Choices choices(seed, chance->Bits(Topic::kForm));
  Recording recording;
  choices.Record(&recording);
  generator->Draw(&choices);
  return recording;
}

using TopicChoices = std::vector<uint32_t>;

// Changes the list at an existing choice.
void ChangeAt(size_t at, Choices* chance, TopicChoices* list) {
  constexpr uint32_t kMostErased = 4, kMostDoubled = 8;
  const auto place = list->begin() + static_cast<std::ptrdiff_t>(at);
  const auto up_to = [&](uint32_t most) {
    const size_t left = list->size() - at;
    return static_cast<std::ptrdiff_t>(std::min<size_t>(
        left, 1 + ChanceBelow(chance, std::min<size_t>(left, most))));
  };
  switch (ChanceBelow(chance, 8)) {
    case 0:
      list->erase(place, place + up_to(kMostErased));
      return;
    case 1: {
      const TopicChoices doubled(place, place + up_to(kMostDoubled));
      list->insert(place, doubled.begin(), doubled.end());
      return;
    }
    case 2:
      list->insert(place, AnyChoice(chance));
      return;
    case 3:
      ++*place;
      return;
    case 4:
      *place -= *place > 0;
      return;
    default:
      *place = AnyChoice(chance);
  }
}

void ChangeOnce(Generator* generator, Choices* chance, Recording* recording) {
  // In an empty topic there is nothing to change but the whole.
  std::vector<size_t> topics;
  for (size_t topic = 0; topic < kTopics; ++topic) {
    if (!recording->choices[topic].empty()) topics.push_back(topic);
  }
  const uint32_t kind = ChanceBelow(chance, 8);
  if (kind == 0 || topics.empty()) {
    const size_t topic = ChanceBelow(chance, kTopics);
    recording->choices[topic] =
        FreshRecording(generator, chance).choices[topic];
    return;
  }
  TopicChoices& list =
      recording->choices[topics[ChanceBelow(chance, topics.size())]];
  if (kind == 1 && ChanceBelow(chance, 2) == 0) {
    list.clear();
  } else {
    ChangeAt(ChanceBelow(chance, list.size()), chance, &list);
  }
}

}  // namespace

Recording Played(const Recording& recording, Generator* generator) {
  Choices choices(&recording);
  Recording played;
  choices.Record(&played);
  generator->Draw(&choices);
  return played;
}

Recording Mutated(const Recording& recording, Generator* generator,
                  Choices* chance) {
  if (chance->OneIn(Topic::kForm, 20)) return FreshRecording(generator, chance);
  Recording mutated = recording;
  for (uint32_t left = 1 + ChanceBelow(chance, 3); left > 0; --left)
    ChangeOnce(generator, chance, &mutated);
  return Played(mutated, generator);
}

Recording Crossed(const Recording& a, const Recording& b, Generator* generator,
                  Choices* chance) {
  Recording crossed = a;
  for (size_t topic = 0; topic < kTopics; ++topic) {
    if (ChanceBelow(chance, 2) == 0) crossed.choices[topic] = b.choices[topic];
  }
  return Played(crossed, generator);
}

std::vector<uint8_t> EncodeWithin(Recording recording, size_t most) {
  constexpr size_t kBytesOfAChoice = 5;  // and no more
  std::vector<uint8_t> bytes = recording.Encode();
  for (size_t topic = kTopics; topic > 0 && bytes.size() > most;) {
    TopicChoices& list = recording.choices[topic - 1];
    const size_t excess = bytes.size() - most;
    list.resize(list.size() -
                std::min(list.size(), excess / kBytesOfAChoice + 1));
    if (list.empty()) --topic;
    bytes = recording.Encode();
  }
  bytes.resize(std::min(bytes.size(), most));
  return bytes;
}

}  // namespace assay
