// The name that a message proposes is the nearest, and none where none is near.
#include "spec/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

const std::vector<std::string> kNames = {"saturate", "clamp", "mask", "any"};

TEST(Nearest, IsWhatTheFewestEditsGive) {
  EXPECT_EQ(Nearest("saturated", kNames), "saturate");
  EXPECT_EQ(Nearest("satrate", kNames), "saturate");
  EXPECT_EQ(Nearest("staurate", kNames), "saturate");  // letters that swapped
  EXPECT_EQ(Nearest("clump", kNames), "clamp");
  EXPECT_EQ(Nearest("aby", kNames), "any");
  EXPECT_EQ(Nearest("b", {"ab", "a", "c"}), "ab") << "the first of several";
}

TEST(Nearest, IsNothingWhereNoNameIsNear) {
  EXPECT_EQ(Nearest("wrap", kNames), "");
  EXPECT_EQ(Nearest("", kNames), "");
  EXPECT_EQ(Nearest("x", {}), "");
  EXPECT_EQ(Nearest(std::string(100000, 's'), kNames), "");
}

TEST(Nearest, AMessageProposesOrSaysNothing) {
  EXPECT_EQ(DidYouMean("maks", kNames), " (did you mean 'mask'?)");
  EXPECT_EQ(DidYouMean("nothing", kNames), "");
}

}  // namespace
}  // namespace assay
