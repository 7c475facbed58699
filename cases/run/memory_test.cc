// Tests that buffers notice every changed byte that is not theirs, on both
// sides and in gaps, and that slots do not share what they hold.
#include "cases/run/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

using testing::HasSubstr;

const TensorType kType{{3}, ElementType::kI32};

Tensor Iota(const TensorType& type) {
  Tensor tensor(type);
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.SetBits(i, static_cast<uint64_t>(i + 1));
  return tensor;
}

class MemoryTest : public testing::TestWithParam<Side> {
 protected:
  GuardedBuffer Place(const TensorType& type, const Layout& layout,
                      size_t over_read = 0) {
    return GuardedBuffer(&arena_, type, layout, GetParam(), over_read);
  }
  Arena arena_;
};

TEST_P(MemoryTest, HoldsWhatIsWrittenInEveryLayout) {
  const TensorType type{{2, 3}, ElementType::kI16};
  for (const Layout& layout :
       {Layout{{3, 1}, 0}, Layout{{1, 2}, 0}, Layout{{-3, -1}, 5},
        Layout{{7, 2}, 3}, Layout{{3, 1}, 4}}) {
    GuardedBuffer buffer = Place(type, layout);
    const Tensor tensor = Iota(type);
    buffer.Write(tensor);
    EXPECT_TRUE(buffer.Holds(tensor));
    EXPECT_EQ(buffer.CheckGuards(), "");
    const Tensor read = buffer.Read();
    EXPECT_EQ(std::memcmp(read.data(), tensor.data(), 12), 0);
    *buffer.element0() ^= std::byte{1};
    EXPECT_FALSE(buffer.Holds(tensor));
    EXPECT_EQ(buffer.CheckGuards(), "");
  }
}

TEST_P(MemoryTest, EveryByteOfTheOpenGuardIsSeen) {
  GuardedBuffer buffer = Place(kType, Layout::RowMajor(kType.shape));
  buffer.Write(Iota(kType));
  const bool is_behind = GetParam() == Side::kTightInFront;
  for (ptrdiff_t distance : {1, 2, 64, 4095, 4096}) {
    std::byte* at = is_behind ? buffer.element0() + 11 + distance
                              : buffer.element0() - distance;
    const std::byte before = *at;
    *at ^= std::byte{4};
    EXPECT_THAT(
        buffer.CheckGuards(),
        HasSubstr(is_behind ? "behind the buffer" : "in front of the buffer"))
        << distance;
    *at = before;
    EXPECT_EQ(buffer.CheckGuards(), "");
  }
}

TEST_P(MemoryTest, GapsAndTheBytesBeforeAnOffsetAreGuarded) {
  GuardedBuffer gaps = Place(kType, {{2}, 0});
  gaps.Write(Iota(kType));
  gaps.element0()[4] = std::byte{0};
  EXPECT_THAT(gaps.CheckGuards(), HasSubstr("wrote into a gap, 4 byte(s)"));
  GuardedBuffer offset = Place(kType, {{1}, 2});
  offset.Write(Iota(kType));
  offset.element0()[-1] = std::byte{0};
  EXPECT_THAT(offset.CheckGuards(), HasSubstr("wrote into a gap, 7 byte(s)"));
}

// Every byte belongs to an element, or is guarded.
TEST_P(MemoryTest, EveryByteBetweenElementsIsSeen) {
  const Layout layouts[] = {
      {{12, 4, 1}, 0},
      {{1, 2, 6}, 0},
      // These have runs of neighbours, and the second is reversed.
      {{40, 8, 1}, 5},
      {{-40, 8, -1}, 43},
      // These repeat elements.
      {{0, 4, 1}, 2},
      {{9, 0, 2}, 0},
      // In these, elements of a dimension lie between those of another.
      {{1, 5, 2}, 0},
      {{3, 7, 2}, 1},
      {{40, 8, 2}, 0},
      {{1000, 100, 9}, 3}};
  for (const ElementType element :
       {ElementType::kI8, ElementType::kF16, ElementType::kI32,
        ElementType::kComplexF32, ElementType::kComplexF64}) {
    const TensorType type{{2, 3, 4}, element};
    const auto size = static_cast<size_t>(Info(element).bytes);
    for (const Layout& layout : layouts) {
      GuardedBuffer buffer = Place(type, layout);
      buffer.Fill(GuardedBuffer::kFillA);
      EXPECT_EQ(buffer.CheckGuards(), "");
      const Tensor filled = buffer.Read();
      std::byte* const begin =
          buffer.element0() - static_cast<size_t>(layout.offset) * size;
      const auto reach = layout.ExtentOf(type.shape)->above + layout.offset + 1;
      std::vector<bool> is_element(static_cast<size_t>(reach));
      Index index;
      for (IndexSpace s(type.shape); s.Next(&index);)
        is_element[static_cast<size_t>(layout.At(index))] = true;
      for (size_t at = 0; at < is_element.size() * size; ++at) {
        EXPECT_EQ(begin[at] == GuardedBuffer::kFillA, is_element[at / size]);
        begin[at] ^= std::byte{16};
        EXPECT_EQ(buffer.Holds(filled), !is_element[at / size]);
        const std::string gap = "wrote into a gap, " + std::to_string(at) +
                                " byte(s) behind the start of the buffer";
        EXPECT_EQ(buffer.CheckGuards(), is_element[at / size] ? "" : gap);
        begin[at] ^= std::byte{16};
      }
    }
  }
}

// Few bytes are compared in words, more by the C library.
TEST_P(MemoryTest, EveryByteOfARowIsCompared) {
  for (int64_t bytes = 1; bytes <= 130; ++bytes) {
    const TensorType type{{bytes}, ElementType::kUi8};
    GuardedBuffer buffer = Place(type, Layout::RowMajor(type.shape));
    buffer.Fill(GuardedBuffer::kFillB);
    const Tensor filled = buffer.Read();
    EXPECT_TRUE(buffer.Holds(filled));
    EXPECT_EQ(buffer.CheckGuards(), "");
    for (int64_t at = 0; at < bytes; ++at) {
      EXPECT_EQ(buffer.element0()[at], GuardedBuffer::kFillB);
      buffer.element0()[at] ^= std::byte{1};
      EXPECT_FALSE(buffer.Holds(filled)) << at << " of " << bytes;
      buffer.element0()[at] ^= std::byte{1};
    }
  }
}

TEST_P(MemoryTest, TheTightSideIsProtected) {
  GuardedBuffer buffer = Place(kType, Layout::RowMajor(kType.shape));
  const bool is_behind = GetParam() == Side::kTightBehind;
  volatile std::byte* at =
      is_behind ? buffer.element0() + 12 : buffer.element0() - 1;
  EXPECT_DEATH(*at = std::byte{0}, "");
  const std::optional<int64_t> distance =
      DistanceFrom(buffer.slot(), const_cast<const std::byte*>(at));
  ASSERT_TRUE(distance.has_value());
  EXPECT_EQ(buffer.Describe(*distance),
            is_behind ? "1 byte(s) behind the buffer"
                      : "1 byte(s) in front of the buffer");
}

TEST_P(MemoryTest, DeclaredOverReadsStayInsideTheGuards) {
  GuardedBuffer buffer = Place(kType, Layout::RowMajor(kType.shape), 64);
  const volatile std::byte* element0 = buffer.element0();
  for (int i = -64; i < 12 + 64; ++i) static_cast<void>(element0[i]);
  EXPECT_EQ(buffer.CheckGuards(), "");
}

TEST_P(MemoryTest, ATensorWithoutElementsHasGuards) {
  const TensorType empty{{0, 4}, ElementType::kI64};
  GuardedBuffer buffer = Place(empty, Layout::RowMajor(empty.shape));
  buffer.Write(Tensor(empty));
  EXPECT_TRUE(buffer.Holds(Tensor(empty)));
  EXPECT_EQ(buffer.CheckGuards(), "");
}

INSTANTIATE_TEST_SUITE_P(Sides, MemoryTest,
                         testing::Values(Side::kTightBehind,
                                         Side::kTightInFront));

TEST(Arena, SlotsAreUsedAgainAndNotShared) {
  Arena arena;
  const Slot one = arena.Acquire(100), two = arena.Acquire(100);
  EXPECT_NE(one.begin, two.begin);
  EXPECT_GE(
      two.begin >= one.begin ? two.begin - one.begin : one.begin - two.begin,
      one.bytes);
  arena.Release(one);
  EXPECT_EQ(arena.Acquire(200).begin, one.begin);
  EXPECT_LE(two.begin + two.bytes, arena.bytes());
}

TEST(Arena, GrowsForLargeTensorsAndRefusesImpossibleOnes) {
  Arena arena;
  const uint64_t before = arena.bytes();
  const Slot large = arena.Acquire(size_t{100} << 20);
  EXPECT_GE(large.bytes, size_t{100} << 20);
  EXPECT_GT(arena.bytes(), before);
  large.data[large.bytes - 1] = std::byte{1};
  EXPECT_THROW(arena.Acquire(size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace assay
