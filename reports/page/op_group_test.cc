// Tests that every op is in a group that users know.
#include "reports/page/op_group.h"

#include <gtest/gtest.h>

#include "spec/op_spec.h"

namespace assay {
namespace {

TEST(OpGroup, FollowsFromTheTraitsOfTheOpFile) {
  EXPECT_EQ(GroupOf("add").name, "exact elementwise");
  EXPECT_EQ(GroupOf("sine").name, "real functions");
  EXPECT_EQ(GroupOf("convert").name, "conversions");
  EXPECT_EQ(GroupOf("dot_general").name, "sums and contractions");
  EXPECT_EQ(GroupOf("transpose").name, "movement of data");
  EXPECT_EQ(GroupOf("map").name, "with functions of elements");
  EXPECT_EQ(GroupOf("while").name, "control flow and tuples");
  EXPECT_EQ(GroupOf("pointwise.add").name, "pointwise calls");
  EXPECT_EQ(GroupOf("all_reduce").name, "verified only: collective");
  EXPECT_EQ(GroupOf("<b>").name, "texts and programs");
}

TEST(OpGroup, NoOpIsLeftOver) {
  for (const OpSpec& op : Ops()) EXPECT_NE(GroupOf(op.id).name, "others");
}

}  // namespace
}  // namespace assay
