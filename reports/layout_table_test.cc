// The table of a layout sweep names the ops that lack layouts.
#include "reports/layout_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/layout_sweep.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LayoutTable, CountsLayoutsAndNamesWhoHasFew) {
  std::map<std::string, int64_t> all;
  for (const SweepKind& kind : SweepKinds()) all[kind.name] = 3;
  const std::string complete = LayoutTable("simd", {{"add", all}});
  EXPECT_THAT(complete, HasSubstr("Every elementwise op was judged in 9 or more"
                                  " of the 11 layouts.\n"));
  EXPECT_THAT(complete, HasSubstr("       11\n"));
  const std::string few =
      LayoutTable("simd", {{"add", all},
                           {"multiply", {{"gaps", 1}, {"swapped", 7}}},
                           {"broadcast_in_dim", {{"gaps", 1}}}});
  EXPECT_THAT(few,
              HasSubstr("Judged in fewer than 9 of the 11 layouts: multiply."));
  EXPECT_THAT(few, Not(HasSubstr("Every elementwise")));
}

}  // namespace
}  // namespace assay
