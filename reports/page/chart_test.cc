// Tests that pictures show what is small, and that their titles are text.
#include "reports/page/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Chart, OneFailureOfAMillionIsSeen) {
  const std::array<BarPart, 3> parts = {
      BarPart{"pass", 999'999}, {"fail", 1}, {"none", 0}};
  const std::string svg = StackedBar(parts, "a < b");
  EXPECT_THAT(svg, HasSubstr("<rect class=\"pass\" x=\"0\" width=\"198.5\""));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"fail\" x=\"198.5\" width=\"1.5\""));
  EXPECT_THAT(svg, Not(HasSubstr("none")));
  EXPECT_THAT(svg, HasSubstr("<title>a &lt; b</title>"));
}

TEST(Chart, AHistogramHasABarForEachClassThatIsNotEmpty) {
  const std::array<int64_t, 3> counts = {1'000'000, 0, 1};
  EXPECT_THAT(Histogram(counts, "t"),
              HasSubstr("<path d=\"M0 20v-20h5v20zM12 20v-2h5v2z\"/>"));
}

TEST(Chart, ASparklineMarksWhatChanges) {
  const std::array<double, 3> values = {0, 0, 2};
  const std::string svg = Sparkline(values, {2}, "t");
  EXPECT_THAT(svg, HasSubstr("class=\"line\" d=\"M3 21L60 21L117 3\""));
  EXPECT_THAT(svg, HasSubstr("class=\"change\" d=\"M88.5 0v24\""));
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"117\" cy=\"3\""));
}

TEST(Chart, ASeriesWithoutValuesIsALineWithoutPoints) {
  EXPECT_THAT(Sparkline({}, {}, "t"), Not(HasSubstr("circle")));
  EXPECT_THAT(Histogram({}, "t"), HasSubstr("<path d=\"\"/>"));
}

}  // namespace
}  // namespace assay
