// Tests that the table of layout variants names the ops that lack layouts.
#include "reports/layout_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/variants/layout_variants.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LayoutTable, CountsLayoutsAndNamesWhoHasFew) {
  std::map<std::string, LayoutCount> all;
  for (const VariantKind& kind : VariantKinds()) all[kind.name] = {3};
  const std::string complete = LayoutTable("simd", {{"add", all}});
  EXPECT_THAT(complete, HasSubstr("Every elementwise op was judged in 9 or more"
                                  " of the 11 layouts.\n"));
  EXPECT_THAT(complete, HasSubstr("       11\n"));
  const std::string few =
      LayoutTable("simd", {{"add", all},
                           {"multiply", {{"gaps", {1}}, {"swapped", {7}}}},
                           {"broadcast_in_dim", {{"gaps", {1}}}}});
  EXPECT_THAT(few,
              HasSubstr("Judged in fewer than 9 of the 11 layouts: multiply."));
  EXPECT_THAT(few, Not(HasSubstr("Every elementwise")));
}

TEST(LayoutTable, SaysOnHowManyValues) {
  LayoutCount gaps, repeated;
  gaps.Add(6, 6);
  gaps.Add(2000, 1000);
  gaps.Add(1, 1);  // of one element there is one tuple, which says nothing
  repeated.Add(4, 1);
  repeated.Add(4, 1);
  repeated.Add(9, 3);
  const std::string text =
      LayoutTable("simd", {{"add", {{"gaps", gaps}, {"broadcast0", repeated}}},
                           {"negate", {{"gaps", gaps}}}});
  EXPECT_THAT(text, testing::ContainsRegex("gaps +6 +4014 +6 +0\n"));
  EXPECT_THAT(text, testing::ContainsRegex("broadcast0 +3 +17 +1 +2\n"));
  EXPECT_THAT(text, testing::ContainsRegex("step2 +0 +0 +- +0\n"));
}

}  // namespace
}  // namespace assay
