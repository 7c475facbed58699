// Tests that drawn values have only bits of the type, that special ones are
// beside ordinary ones, and that some depend on one another.
#include "fuzz/draw/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>

#include "cases/read/data.h"

namespace assay {
namespace {

using enum ElementType;

ElementBits LastBits(ElementType type) {
  const int bits = IsBoolean(type) ? 1 : Info(type).bits;
  return bits == 128 ? ~ElementBits{0} : (ElementBits{1} << bits) - 1;
}

TEST(DrawValues, AreOfTheTypeInEveryProfile) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    const TensorType type{{3, 7}, info.type};
    for (const Profile profile :
         {Profile::kBoundary, Profile::kUniform, Profile::kAdversarial}) {
      for (uint64_t index = 0; index < 60; ++index) {
        Choices choices(1, index);
        const Tensor beside = DrawValues(&choices, profile, type, nullptr);
        const Tensor values = DrawValues(&choices, profile, type, &beside);
        ASSERT_EQ(values.type(), type);
        for (int64_t i = 0; i < values.size(); ++i)
          ASSERT_LE(values.Bits(i), LastBits(info.type)) << info.name;
      }
    }
  }
}

TEST(DrawValues, OfNoElementsAndOfOne) {
  for (const Shape& shape : {Shape{0}, Shape{3, 0}, Shape{}}) {
    for (const Profile profile :
         {Profile::kBoundary, Profile::kUniform, Profile::kAdversarial}) {
      for (uint64_t index = 0; index < 40; ++index) {
        Choices choices(2, index);
        const TensorType type{shape, kF32};
        const Tensor beside = DrawValues(&choices, profile, type, nullptr);
        const Tensor values = DrawValues(&choices, profile, type, &beside);
        EXPECT_EQ(values.size(), shape.empty() ? 1 : 0);
      }
    }
  }
}

TEST(DrawValues, OfBoundaryProfileAreSpecialInThreeOfFour) {
  for (const ElementType type : {kI32, kUi64, kF16, kF64, kComplexF64}) {
    const std::vector<ElementBits>& bits = BoundaryBits(type);
    const std::set<ElementBits> special(bits.begin(), bits.end());
    std::set<ElementBits> met;
    constexpr int64_t kElements = 20000;
    Choices choices(3, 0);
    const Tensor values =
        DrawValues(&choices, Profile::kBoundary, {{kElements}, type}, nullptr);
    int64_t count = 0;
    for (int64_t i = 0; i < kElements; ++i) {
      if (!special.contains(values.Bits(i))) continue;
      ++count;
      met.insert(values.Bits(i));
    }
    // Some of the others are special by chance.
    EXPECT_THAT(static_cast<double>(count) / kElements,
                testing::AllOf(testing::Gt(0.74), testing::Lt(0.85)))
        << Name(type);
    EXPECT_EQ(met.size(), special.size()) << Name(type);
  }
}

TEST(DrawValues, OfUniformProfileAreAllBitsOrNumbersOfPrograms) {
  int ordinary = 0;
  std::set<ElementBits> patterns;
  for (uint64_t index = 0; index < 200; ++index) {
    Choices choices(4, index);
    const Tensor values =
        DrawValues(&choices, Profile::kUniform, {{64}, kF32}, nullptr);
    bool is_ordinary = true;
    for (int64_t i = 0; i < values.size(); ++i) {
      const double number =
          F32::FromBits(static_cast<uint32_t>(values.Bits(i))).ToDouble();
      is_ordinary &= number >= -16 && number <= 16;
      patterns.insert(values.Bits(i) >> 24);
    }
    ordinary += is_ordinary;
  }
  EXPECT_NEAR(ordinary, 100, 30);
  EXPECT_EQ(patterns.size(), 256u) << "every sign and exponent";
}

// Returns whether the value, or a neighbour, has few bits between its first and
// its last: a tie of f32 has 25.
bool IsShort(uint64_t magnitude) {
  for (const uint64_t near : {magnitude - 1, magnitude, magnitude + 1}) {
    if (near == 0 || std::bit_width(near) - std::countr_zero(near) <= 25)
      return true;
  }
  return false;
}

// Returns the relation of the elements of a tensor to each other and to those
// of the tensor beside it.
std::string RelationOf(const Tensor& beside, const Tensor& values) {
  std::map<uint64_t, int64_t> count;
  bool is_same = true, is_index = true, is_small = true, are_powers = true;
  bool are_relatives = true, are_short = true;
  for (int64_t i = 0; i < values.size(); ++i) {
    const auto a = static_cast<uint64_t>(beside.Bits(i));
    const auto b = static_cast<uint64_t>(values.Bits(i));
    ++count[b];
    is_same &= a == b;
    is_index &= b == static_cast<uint64_t>(i);
    is_small &= b + 8 < 80;
    const uint64_t magnitude = b >> 63 != 0 ? -b : b;
    are_powers &= (magnitude & (magnitude - 1)) == 0;
    are_short &= IsShort(magnitude);
    // These are the relations a - 1, a, a + 1 and ~a, -a.
    are_relatives &= b - a + 1 <= 2 || a + b + 1 <= 1;
  }
  if (count.size() == 1) return "one value";
  if (count.size() == 2 &&
      std::min(count.begin()->second, count.rbegin()->second) == 1)
    return "one that differs";
  if (is_same) return "the same";
  if (is_index) return "each another";
  if (are_relatives) return "relatives";
  if (are_powers) return "powers of two";
  if (is_small) return "small numbers";
  return are_short ? "half way" : "none";
}

TEST(DrawValues, OfAdversarialProfileDependOnOneAnother) {
  std::map<std::string, int> seen;
  constexpr int kEach = 100;
  for (uint64_t index = 0; index < 8 * kEach; ++index) {
    Choices choices(5, index);
    const TensorType type{{40}, kI64};
    const Tensor beside =
        DrawValues(&choices, Profile::kUniform, type, nullptr);
    ++seen[RelationOf(
        beside, DrawValues(&choices, Profile::kAdversarial, type, &beside))];
  }
  for (const char* relation :
       {"one value", "one that differs", "the same", "each another",
        "small numbers", "powers of two", "relatives", "half way"})
    EXPECT_NEAR(seen[relation], kEach, 35) << relation;
  EXPECT_EQ(seen["none"], 0);
}

// Conversions that round to bf16, and those that truncate, differ on few
// values.
TEST(DrawValues, OfBoundaryProfileAreHalfWaySometimes) {
  Choices choices(6, 0);
  const Tensor values =
      DrawValues(&choices, Profile::kBoundary, {{20000}, kF32}, nullptr);
  std::set<ElementBits> ties, beside_ties;
  for (int64_t i = 0; i < values.size(); ++i) {
    const ElementBits low = values.Bits(i) & 0xffff;
    if (low == 0x8000) ties.insert(values.Bits(i));
    if (low == 0x7fff || low == 0x8001) beside_ties.insert(values.Bits(i));
  }
  EXPECT_GT(ties.size(), 20u);
  EXPECT_GT(beside_ties.size(), 20u);
}

// An integer beside a tie is rounded to the tie by f64, and then to even.
TEST(DrawValues, OfBoundaryProfileAreBesideTiesThatF64CannotTell) {
  for (const ElementType type : {kI64, ElementType::kUi64}) {
    Choices choices(6, 1);
    const Tensor values =
        DrawValues(&choices, Profile::kBoundary, {{40000}, type}, nullptr);
    std::map<int, int> beside_ties;  // by bits of the tie
    for (int64_t i = 0; i < values.size(); ++i) {
      auto value = static_cast<uint64_t>(values.Bits(i));
      if (type == kI64 && value >> 63 != 0) value = -value;
      for (const uint64_t tie : {value - 1, value + 1}) {
        if (std::bit_width(tie) > 54)
          ++beside_ties[std::bit_width(tie) - std::countr_zero(tie)];
      }
    }
    EXPECT_GT(beside_ties[25], 5) << "of f32";
    EXPECT_GT(beside_ties[9], 5) << "of bf16";
  }
}

TEST(DrawValues, OfManyElementsComeAgain) {
  for (const Profile profile : {Profile::kBoundary, Profile::kUniform}) {
    Choices choices(6, 2);
    const Tensor values =
        DrawValues(&choices, profile, {{65537, 2}, kF32}, nullptr);
    std::set<ElementBits> different;
    for (int64_t i = 0; i < values.size(); ++i) {
      if (i >= 4093) {
        ASSERT_EQ(values.Bits(i), values.Bits(i - 4093)) << i;
      }
      different.insert(values.Bits(i));
    }
    EXPECT_GT(different.size(), 30u);
  }
}

TEST(BitsOfNumber, AreOfTheNearestValue) {
  EXPECT_EQ(BitsOfNumber(kI8, 3), 3u);
  EXPECT_EQ(BitsOfNumber(kI8, -1), 0xffu);
  EXPECT_EQ(BitsOfNumber(kI8, 257), 1u) << "integers wrap";
  EXPECT_EQ(BitsOfNumber(kUi2, -1), 3u);
  EXPECT_EQ(BitsOfNumber(kI1, 3), 1u);
  EXPECT_EQ(BitsOfNumber(kI1, 2), 0u);
  EXPECT_EQ(BitsOfNumber(kF32, 1.5), 0x3fc00000u);
  EXPECT_EQ(BitsOfNumber(kF8E4M3FN, 1.06), 0x38u) << "1.0625 is half way";
  EXPECT_EQ(BitsOfNumber(kF8E4M3FN, 1.07), 0x39u);
  EXPECT_EQ(BitsOfNumber(kBF16, -2), 0xc000u);
  EXPECT_EQ(BitsOfNumber(kComplexF32, 1),
            ElementBits{0xbf800000} << 32 | ElementBits{0x3f800000});
}

}  // namespace
}  // namespace assay
