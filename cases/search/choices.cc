#include "cases/search/choices.h"

#include <Random123/philox.h>

#include <algorithm>

namespace assay {
namespace {

// Appends the value as LEB128.
void Append(uint32_t value, std::vector<uint8_t>* bytes) {
  for (; value >= 0x80; value >>= 7)
    bytes->push_back(static_cast<uint8_t>(value | 0x80));
  bytes->push_back(static_cast<uint8_t>(value));
}

uint32_t Take(std::span<const uint8_t>* bytes) {
  uint32_t value = 0;
  for (int shift = 0; shift < 32 && !bytes->empty(); shift += 7) {
    const uint8_t byte = bytes->front();
    *bytes = bytes->subspan(1);
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

}  // namespace

std::vector<uint8_t> Recording::Encode() const {
  std::vector<uint8_t> bytes;
  for (const std::vector<uint32_t>& topic : choices) {
    // Zeros at the end are left out, because they are played there anyway.
    size_t size = topic.size();
    while (size > 0 && topic[size - 1] == 0) --size;
    Append(static_cast<uint32_t>(size), &bytes);
    for (size_t i = 0; i < size; ++i) Append(topic[i], &bytes);
  }
  return bytes;
}

Recording Recording::Decode(std::span<const uint8_t> bytes) {
  Recording recording;
  for (std::vector<uint32_t>& topic : recording.choices) {
    const size_t size = std::min<size_t>(Take(&bytes), bytes.size());
    for (size_t i = 0; i < size && !bytes.empty(); ++i)
      topic.push_back(Take(&bytes));
    while (!topic.empty() && topic.back() == 0) topic.pop_back();
  }
  return recording;
}

void Choices::Refill(Topic topic, Stream* stream) {
  const auto drawn = r123::Philox4x32()(
      {{static_cast<uint32_t>(index_), static_cast<uint32_t>(index_ >> 32),
        static_cast<uint32_t>(topic), stream->used / 4}},
      {{static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)}});
  std::copy_n(drawn.begin(), 4, stream->block.begin());
}

uint32_t Choices::Slowly(Topic topic, uint32_t n) {
  uint32_t choice = 0;
  if (played_ != nullptr) {
    const std::vector<uint32_t>& list =
        played_->choices[static_cast<size_t>(topic)];
    Stream& stream = streams_[static_cast<size_t>(topic)];
    if (stream.used < list.size()) choice = list[stream.used++];
    if (n != kAny) choice %= n;
  } else {
    choice = Next(topic);
    if (n != kAny) choice = static_cast<uint32_t>(uint64_t{choice} * n >> 32);
  }
  if (recorded_ != nullptr) recorded_->Of(topic).push_back(choice);
  return choice;
}

uint64_t Choices::Bits(Topic topic) {
  const uint64_t low = Word(topic);
  return uint64_t{Word(topic)} << 32 | low;
}

}  // namespace assay
