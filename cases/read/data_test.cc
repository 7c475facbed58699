// Tests that values are drawn alike everywhere, and are what they are asked to
// be.
#include "cases/read/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace assay {
namespace {

TEST(Data, IsTheSameEverywhere) {
  // Philox4x32-10 with counter 0 and key 0 gives 6627e8d5 e169c58d bc57ac4c
  // 9b00dbd8, which is the known answer of Random123.
  const Tensor zero =
      InputData{{{2}, ElementType::kUi64}, DrawRandom{0}}.Materialise();
  EXPECT_EQ(zero.Bits(0), 0xe169c58d6627e8d5u);
  const Tensor seven =
      InputData{{{2}, ElementType::kUi64}, DrawRandom{7}}.Materialise();
  EXPECT_NE(seven.Bits(0), zero.Bits(0));
  EXPECT_NE(seven.Bits(0), seven.Bits(1));
}

TEST(DrawRandom, OrdinaryHasNumbersAndWhatIsNone) {
  const auto draw = [](ElementType type) {
    return InputData{{{4000}, type},
                     DrawRandom{5, DrawRandom::Profile::kOrdinary}}
        .Materialise();
  };
  const Tensor floats = draw(ElementType::kF32);
  int within = 0, finite = 0;
  for (int64_t i = 0; i < floats.size(); ++i) {
    const auto value =
        std::bit_cast<float>(static_cast<uint32_t>(floats.Bits(i)));
    within += std::fabs(value) < 16;
    finite += std::isfinite(value);
  }
  EXPECT_GT(within, 2000);
  EXPECT_GT(finite, 3000);
  EXPECT_LT(finite, 3600);
  const Tensor integers = draw(ElementType::kI64);
  int counts = 0;
  for (int64_t i = 0; i < integers.size(); ++i) counts += integers.Bits(i) < 64;
  EXPECT_NEAR(counts, 2000, 150);
}

TEST(DrawRandom, ByPlaceIsTheElementOfThePlace) {
  const DrawRandom by_index{5, DrawRandom::Profile::kUniform};
  DrawRandom by_place = by_index;
  by_place.place = Layout{{-4, 0}, 8};
  const Tensor row =
      InputData{{{9}, ElementType::kI32}, by_index}.Materialise();
  const Tensor placed =
      InputData{{{3, 2}, ElementType::kI32}, by_place}.Materialise();
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ(placed.Bits(i), row.Bits(8 - 4 * (i / 2))) << i;
}

TEST(DrawRandom, OfAPeriodComeAgain) {
  DrawRandom draw{5, DrawRandom::Profile::kOrdinary};
  const Tensor without =
      InputData{{{3, 7}, ElementType::kI64}, draw}.Materialise();
  draw.period = 5;
  const Tensor several =
      InputData{{{3, 7}, ElementType::kI64}, draw}.Materialise();
  const Tensor one = InputData{{{5}, ElementType::kI64}, draw}.Materialise();
  for (int64_t i = 0; i < 21; ++i)
    EXPECT_EQ(several.Bits(i), without.Bits(i % 5)) << i;
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(one.Bits(i), without.Bits(i)) << i;
  draw.place = Layout{{-7, 1}, 14};
  const Tensor placed =
      InputData{{{3, 7}, ElementType::kI64}, draw}.Materialise();
  for (int64_t i = 0; i < 21; ++i)
    EXPECT_EQ(placed.Bits(i), without.Bits((14 - i / 7 * 7 + i % 7) % 5)) << i;
}

TEST(DrawBelow, HasEveryIndexAboutAsOften) {
  const TensorType type{{40, 100}, ElementType::kI32};
  const Tensor indices = InputData{type, DrawBelow{5, 8}}.Materialise();
  std::array<int, 8> counts{};
  for (int64_t i = 0; i < indices.size(); ++i)
    ++counts.at(static_cast<size_t>(indices.Bits(i)));
  for (const int count : counts) EXPECT_NEAR(count, 500, 90);
  const Tensor others = InputData{type, DrawBelow{6, 8}}.Materialise();
  int same = 0;
  for (int64_t i = 0; i < indices.size(); ++i)
    same += indices.Bits(i) == others.Bits(i);
  EXPECT_NEAR(same, 500, 90) << "another seed draws others";
}

TEST(DrawBelow, OfAPartIsThatPart) {
  const Tensor all =
      InputData{{{90}, ElementType::kUi8}, DrawBelow{5, 256}}.Materialise();
  const Tensor part = InputData{
      {{30}, ElementType::kUi8},
      DrawBelow{5, 256},
      Window{{90}, 60}}.Materialise();
  for (int64_t i = 0; i < 30; ++i) EXPECT_EQ(part.Bits(i), all.Bits(60 + i));
}

TEST(DrawBelow, SortedAreTheSameAscending) {
  const TensorType type{{30, 10}, ElementType::kI64};
  const Tensor drawn = InputData{type, DrawBelow{5, 1000}}.Materialise();
  const Tensor sorted = InputData{type, DrawBelow{5, 1000, true}}.Materialise();
  std::vector<ElementBits> values;
  for (int64_t i = 0; i < drawn.size(); ++i) values.push_back(drawn.Bits(i));
  EXPECT_FALSE(std::ranges::is_sorted(values));
  std::ranges::sort(values);
  for (int64_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(sorted.Bits(i), values[static_cast<size_t>(i)]) << i;
}

TEST(Data, EveryEnumeratesADimension) {
  const Tensor rows = InputData{
      {{2, 3}, ElementType::kI8},
      DrawEvery{DrawEvery::Kind::kBits,
                0}}.Materialise();
  const Tensor columns = InputData{
      {{2, 3}, ElementType::kI8},
      DrawEvery{DrawEvery::Kind::kBits,
                1}}.Materialise();
  for (int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(rows.Bits(i), static_cast<uint64_t>(i / 3));
    EXPECT_EQ(columns.Bits(i), static_cast<uint64_t>(i % 3));
  }
}

}  // namespace
}  // namespace assay
