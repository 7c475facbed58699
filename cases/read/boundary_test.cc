// Tests that each type has the boundary values at which its kernels break, none
// twice, and no more than the suite has room for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cases/read/data.h"

namespace assay {
namespace {

using ::testing::Contains;

TEST(BoundaryBits, NoneStandsTwiceAndEachIsOfTheType) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    SCOPED_TRACE(info.name);
    const std::vector<ElementBits>& bits = BoundaryBits(info.type);
    EXPECT_EQ(&bits, &BoundaryBits(info.type));  // made once
    EXPECT_EQ(std::set(bits.begin(), bits.end()).size(), bits.size());
    for (const ElementBits b : bits) {
      ASSERT_TRUE(info.bits == 128 || b >> info.bits == 0);
    }
  }
}

TEST(BoundaryBits, OfIntegersAscendAndFitTheSweeps) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsInteger(info.type) && !IsBoolean(info.type)) continue;
    SCOPED_TRACE(info.name);
    std::vector<__int128> values;
    for (const ElementBits bits : BoundaryBits(info.type))
      values.push_back(ValueOf(info.type, bits));
    EXPECT_TRUE(std::ranges::is_sorted(values));
    EXPECT_TRUE(values.front() == MinValue(info.type));
    EXPECT_TRUE(values.back() == MaxValue(info.type));
    EXPECT_LE(values.size(), 72u)
        << "the boundary sweeps of the suite have 72 of them";
  }
}

TEST(BoundaryBits, OfFloatsHoldWhatTheirFormatHasInBothSigns) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsFloat(info.type)) continue;
    SCOPED_TRACE(info.name);
    const FloatFormat format = FormatOf(info.type);
    const std::vector<ElementBits>& bits = BoundaryBits(info.type);
    std::vector<uint64_t> magnitudes = {0, 1, format.max_code(),
                                        format.max_code() - 1,
                                        format.min_normal_code()};
    if (format.has_infinity()) {
      magnitudes.push_back(format.infinity_code());
      magnitudes.push_back(format.infinity_code() + 1);  // signalling
    }
    if (format.specials != FloatFormat::Specials::kNegativeZeroNan &&
        format.has_nan()) {
      magnitudes.push_back(format.nan_code());
      magnitudes.push_back(format.magnitude_mask());
    }
    if (format.has_subnormals())
      magnitudes.push_back(format.min_normal_code() - 1);
    for (const uint64_t magnitude : magnitudes) {
      EXPECT_THAT(bits, Contains(magnitude));
      EXPECT_THAT(bits, Contains(magnitude | format.sign_bit()));
    }
    EXPECT_LE(bits.size(), 256u);
  }
}

TEST(BoundaryBits, OfFloatsHoldOneAndItsNeighboursAndTheEndsOfTheIntegers) {
  const std::vector<ElementBits>& f32 = BoundaryBits(ElementType::kF32);
  for (const uint32_t bits :
       {0x3f800000u, 0x3f7fffffu, 0x3f800001u, 0x3f000000u, 0x3fc00000u,
        0x40200000u, 0x4f000000u, 0x4effffffu, 0x5f000000u, 0x5f800000u,
        0x4b000000u, 0x4b800000u, 0xcf000000u})
    EXPECT_THAT(f32, Contains(bits)) << std::hex << bits;
}

TEST(BoundaryBits, OfComplexNumbersPairSpecialParts) {
  for (const ElementType type :
       {ElementType::kComplexF32, ElementType::kComplexF64}) {
    const FloatFormat format = FormatOf(PartType(type));
    const std::vector<ElementBits>& bits = BoundaryBits(type);
    const auto pair = [&](uint64_t re, uint64_t im) {
      return ElementBits{im} << format.bits() | re;
    };
    const uint64_t inf = format.infinity_code(), nan = format.nan_code();
    for (const uint64_t re :
         {uint64_t{0}, format.sign_bit(), inf, nan, inf | format.sign_bit()}) {
      for (const uint64_t im :
           {uint64_t{0}, uint64_t{1}, format.sign_bit(), inf, nan})
        EXPECT_THAT(bits, Contains(pair(re, im)));
    }
  }
}

// The random words that choose a boundary value are not those that make the
// bits of the others, so a quarter of the elements is uniform.
TEST(Draw, OfTheBoundaryProfileMixesBothKinds) {
  for (const ElementType type :
       {ElementType::kF32, ElementType::kF64, ElementType::kComplexF64}) {
    SCOPED_TRACE(Name(type));
    const std::vector<ElementBits>& boundary = BoundaryBits(type);
    const std::set<ElementBits> set(boundary.begin(), boundary.end());
    const Tensor drawn =
        InputData{{{4000}, type}, DrawRandom{1, DrawRandom::Profile::kBoundary}}
            .Materialise();
    int from_the_set = 0;
    std::set<ElementBits> others;
    for (int64_t i = 0; i < drawn.size(); ++i) {
      if (set.contains(drawn.Bits(i))) {
        ++from_the_set;
      } else {
        others.insert(drawn.Bits(i));
      }
    }
    EXPECT_GT(from_the_set, 2800);
    EXPECT_LT(from_the_set, 3200);
    EXPECT_GT(others.size(), 800u);
  }
}

TEST(Draw, FillsAllBitsOfTheWidestElement) {
  const Tensor drawn =
      InputData{{{256}, ElementType::kComplexF64}, DrawRandom{3}}.Materialise();
  ElementBits ones = 0, zeros = 0;
  for (int64_t i = 0; i < drawn.size(); ++i) {
    ones |= drawn.Bits(i);
    zeros |= ~drawn.Bits(i);
  }
  EXPECT_TRUE(ones == ~ElementBits{0});
  EXPECT_TRUE(zeros == ~ElementBits{0});
}

TEST(Draw, EveryBoundaryRunsThroughTheSetAgain) {
  const std::vector<ElementBits>& set = BoundaryBits(ElementType::kF16);
  const int64_t size = static_cast<int64_t>(set.size());
  const Tensor drawn = InputData{
      {{size + 2}, ElementType::kF16},
      DrawEvery{DrawEvery::Kind::kBoundary,
                0}}.Materialise();
  for (int64_t i = 0; i < size + 2; ++i)
    EXPECT_EQ(drawn.Bits(i), set[static_cast<size_t>(i % size)]) << i;
}

}  // namespace
}  // namespace assay
