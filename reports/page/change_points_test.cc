// Tests that a step is found and that noise, and one outlier, are not.
#include "reports/page/change_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<size_t> Points(const std::vector<double>& values) {
  return ChangePoints(values);
}

TEST(ChangePoints, ASeriesThatIsShortOrConstantHasNone) {
  EXPECT_THAT(Points({}), IsEmpty());
  EXPECT_THAT(Points({1, 2, 3}), IsEmpty());
  EXPECT_THAT(Points({0, 0, 0, 0, 0, 0}), IsEmpty());
}

TEST(ChangePoints, StepsAreFound) {
  EXPECT_THAT(Points({1, 1, 1, 2, 2, 2}), ElementsAre(3));
  EXPECT_THAT(Points({1, 1, 1, 5, 5, 5, 2, 2, 2}), ElementsAre(3, 6));
}

TEST(ChangePoints, OneValueAloneIsNoChange) {
  EXPECT_THAT(Points({1, 1.02, 0.99, 1.01, 1, 0.98, 1.02, 5}), IsEmpty());
}

TEST(ChangePoints, NoiseIsNone) {
  std::mt19937 random(7);
  int alarms = 0, found = 0;
  for (int run = 0; run < 200; ++run) {
    std::normal_distribution<double> noise(10, 1);
    std::vector<double> values(40);
    for (double& value : values) value = noise(random);
    alarms += !Points(values).empty();
    for (size_t i = 20; i < values.size(); ++i) values[i] += 5;
    const std::vector<size_t> points = Points(values);
    found += points.size() == 1 && points[0] >= 19 && points[0] <= 21;
  }
  EXPECT_LE(alarms, 10);
  EXPECT_GE(found, 180);
}

}  // namespace
}  // namespace assay
