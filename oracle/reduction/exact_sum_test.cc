// Compares exact sums with those of FLINT, number by number.
#include "oracle/reduction/exact_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace assay {
namespace {

void ExpectSameAsArf(const std::vector<double>& numbers) {
  ExactSum sum;
  Arf all, magnitudes[2], one, actual;
  for (const double number : numbers) {
    sum.Add(number);
    arf_set_d(one, number);
    arf_add(all, all, one, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_struct* magnitude = magnitudes[number < 0];
    arf_set_d(one, std::fabs(number));
    arf_add(magnitude, magnitude, one, ARF_PREC_EXACT, ARF_RND_DOWN);
  }
  sum.Get(actual);
  EXPECT_TRUE(arf_equal(actual, all));
  for (const bool negative : {false, true}) {
    // The magnitude is compared where a double has it.
    const double magnitude = arf_get_d(magnitudes[negative], ARF_RND_NEAR);
    if (std::isinf(magnitude)) continue;
    EXPECT_NEAR(static_cast<double>(sum.Magnitude(negative)), magnitude,
                magnitude * 0x1p-50);
  }
}

TEST(ExactSum, OfNumbersOfAllExponents) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> numbers;
    while (numbers.size() < 300) {
      const double number = std::bit_cast<double>(random());
      if (std::isfinite(number) && number != 0) numbers.push_back(number);
    }
    ExpectSameAsArf(numbers);
  }
}

TEST(ExactSum, OfTheEndsOfTheRange) {
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::numeric_limits<double>::max();
  ExpectSameAsArf({least});
  ExpectSameAsArf({-least, most, most, -most, least, least});
  ExpectSameAsArf({0x1p-1022, -0x1p-1022, 0x1.fffffffffffffp-1022, -least});
  ExpectSameAsArf(std::vector<double>(5000, -most));
  ExpectSameAsArf(std::vector<double>(5000, 0x1.fffffffffffffp31));
}

TEST(ExactSum, OfNoNumberIsZero) { ExpectSameAsArf({}); }

TEST(ExactSum, LastBitIsTheLeastOfAnyNumber) {
  ExactSum sum;
  sum.Add(6);
  EXPECT_EQ(sum.LastBit(), 1);
  sum.Add(-0.75);
  EXPECT_EQ(sum.LastBit(), -2);
  sum.Add(1024);
  EXPECT_EQ(sum.LastBit(), -2);
  sum.Add(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(sum.LastBit(), -1074);
}

}  // namespace
}  // namespace assay
