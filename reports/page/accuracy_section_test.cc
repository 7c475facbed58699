// Tests that errors stand beside their budgets, the nearest first.
#include "reports/page/accuracy_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;

Accuracy Measured(double worst, double budget) {
  Accuracy accuracy;
  accuracy.type = "f32";
  accuracy.errors.elements = 10;
  accuracy.errors.worst = worst;
  accuracy.errors.budget = budget;
  accuracy.errors.histogram = {9, 0, 0, 0, 0, 0, 0, 0, 1};
  accuracy.worst = "[3]: operand = <1>";
  return accuracy;
}

TEST(AccuracySection, WithoutMeasurementsThereIsNone) {
  EXPECT_EQ(AccuracySection({}), "");
  EXPECT_EQ(AccuracySection({{"simd", {{{"sine", "f32"}, Accuracy()}}}}), "");
}

TEST(AccuracySection, TheHeatMapHasErrorOverBudget) {
  const std::string html =
      AccuracySection({{"simd",
                        {{{"sine", "f32"}, Measured(0.6, 2)},
                         {{"tanh", "f32"}, Measured(9, 3)},
                         {{"cosine", "f32"}, Measured(7, 0)}}}});
  EXPECT_THAT(html, HasSubstr("<td class=\"heat heat1\" title=\"0.6 of 2 "
                              "ulp\">0.30</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"heat heat5\" title=\"9 of 3 "
                              "ulp\">✗ 3.00</td>"));
  EXPECT_THAT(html, HasSubstr("an inequality: no budget"));
}

TEST(AccuracySection, RowsHaveHistogramAndWorstElement) {
  const std::string html =
      AccuracySection({{"simd",
                        {{{"sine", "f32"}, Measured(0.6, 2)},
                         {{"tanh", "f32"}, Measured(9, 3)}}}});
  const size_t rows = html.find("Errors by op and type</h3>");
  EXPECT_LT(html.find("tanh", rows), html.find("sine", rows));
  EXPECT_THAT(html, HasSubstr("<title>9 to 0.5 ulp; 1 over 8 ulp</title>"));
  EXPECT_THAT(html, HasSubstr("[3]: operand = &lt;1&gt;"));
}

}  // namespace
}  // namespace assay
