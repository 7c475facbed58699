// Buffers notice every byte that is not theirs, on both sides and in gaps, and
// slots do not share what they hold.
#include "cases/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

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
