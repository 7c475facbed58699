// The decisions of a search and of the generator are choices.
//
// A case is a function of a stream of small numbers. Engine 1 takes them from a
// counter-based generator, so that (seed, index) is the same case on every
// machine and in every build. Engine 2 records them, changes one, and plays
// them again. Each topic has a stream of its own: a changed shape leaves the
// values and layouts that were drawn after it as they were.
#ifndef ASSAY_CASES_SEARCH_CHOICES_H_
#define ASSAY_CASES_SEARCH_CHOICES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay {

enum class Topic : uint8_t {
  kForm,  // one call, program, violation; profile
  kOp,
  kTypes,
  kShape,
  kAttributes,
  kLayout,
  kValues,
};
inline constexpr size_t kTopics = 7;

// A Recording has the choices of a case, by topic. Each is below the number of
// alternatives that it was chosen from.
struct Recording {
  std::array<std::vector<uint32_t>, kTopics> choices;

  std::vector<uint32_t>& Of(Topic topic) {
    return choices[static_cast<size_t>(topic)];
  }
  // Encode gives bytes, which are few if the choices are few and small. Decode
  // takes any byte string: choices that are missing in it are 0 when they are
  // played.
  std::vector<uint8_t> Encode() const;
  static Recording Decode(std::span<const uint8_t> bytes);
  friend bool operator==(const Recording&, const Recording&) = default;
};

class Choices {
 public:
  // Philox4x32-10 (Random123) is used with key = seed, counter = (index, topic,
  // block), and integer arithmetic only.
  Choices(uint64_t seed, uint64_t index) : seed_(seed), index_(index) {}
  // Choices past the end of the recording are 0, the simplest alternative.
  // `recording` must outlive the object.
  explicit Choices(const Recording* recording) : played_(recording) {}

  // Appends all further choices to `*recording`.
  void Record(Recording* recording) { recorded_ = recording; }

  // Returns a number below `n`, which is 1 or more.
  uint32_t Below(Topic topic, uint32_t n) {
    if (played_ != nullptr || recorded_ != nullptr) return Slowly(topic, n);
    return n == kAny ? Next(topic)
                     : static_cast<uint32_t>(uint64_t{Next(topic)} * n >> 32);
  }
  // Returns true in one of `n` cases, and false when played past the end.
  bool OneIn(Topic topic, uint32_t n) { return Below(topic, n) == n - 1; }
  // Returns 32 or 64 bits, with equal probability.
  uint32_t Word(Topic topic) { return Below(topic, kAny); }
  uint64_t Bits(Topic topic);
  // Returns an element of a list that is not empty.
  template <class List>
  decltype(auto) Of(Topic topic, const List& list) {
    return list[Below(topic, static_cast<uint32_t>(std::size(list)))];
  }

 private:
  static constexpr uint32_t kAny = UINT32_MAX;  // of all 2^32
  struct Stream {
    uint32_t used = 0;  // words of seeded streams, choices of played ones
    std::array<uint32_t, 4> block = {};
  };

  uint32_t Next(Topic topic) {
    Stream& stream = streams_[static_cast<size_t>(topic)];
    const uint32_t place = stream.used++ % 4;
    if (place == 0) Refill(topic, &stream);
    return stream.block[place];
  }
  void Refill(Topic topic, Stream* stream);
  uint32_t Slowly(Topic topic, uint32_t n);

  uint64_t seed_ = 0, index_ = 0;
  const Recording* played_ = nullptr;
  Recording* recorded_ = nullptr;
  std::array<Stream, kTopics> streams_;
};

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_CHOICES_H_
