#include "spec/unenforced.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

TEST(AcceptedAgainst, SaysWhatTheFileOfTheOpSays) {
  EXPECT_THAT(AcceptedAgainst("convolution", "C27"), testing::HasSubstr("i32"));
  EXPECT_EQ(AcceptedAgainst("convolution", "C1"), "");
  EXPECT_EQ(AcceptedAgainst("convolution", "C99"), "");
  EXPECT_EQ(AcceptedAgainst("none", "C1"), "");
}

}  // namespace
}  // namespace assay
