// No two cells touch, whatever is in them.
#include "reports/text_table.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

using Column = TextTable::Column;

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  TextTable table({Column::kWords, Column::kNumbers, Column::kWords},
                  {"op", "worst", "case"});
  table.Add({"add", "1014204", "add/x"});
  table.Add({"a_long_name", "8.2045", ""});
  EXPECT_EQ(table.ToText("  "),
            "  op             worst  case\n"
            "  add          1014204  add/x\n"
            "  a_long_name   8.2045\n");
}

TEST(TextTable, ACellIsOneLine) {
  TextTable table({Column::kWords}, {"why"});
  table.Add({"a\nb\x1b[31m"});
  EXPECT_EQ(table.ToText(), "why\na\\x0ab\\x1b[31m\n");
}

}  // namespace
}  // namespace assay
