// Tests that typing errors find the name that was meant, and other texts find
// nothing.
#include "spec/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kNames = {
    "add",        "and",  "exponential", "exponential_minus_one",
    "subtract",   "tan",  "atan2",       "add/example",
    "add/exotic", "power"};

TEST(Nearest, SlipsOfAHand) {
  EXPECT_THAT(Nearest("substract", kNames), ElementsAre("subtract"));
  EXPECT_THAT(Nearest("subtrcat", kNames), ElementsAre("subtract"));
  EXPECT_THAT(Nearest("pwer", kNames), ElementsAre("power"));
  EXPECT_THAT(Nearest("powwer", kNames), ElementsAre("power"));
  EXPECT_EQ(Nearest("add/exampel", kNames).at(0), "add/example");
}

TEST(Nearest, WhatBeginsWithTheText) {
  EXPECT_THAT(Nearest("exp", kNames),
              ElementsAre("exponential", "exponential_minus_one"));
  EXPECT_THAT(Nearest("atan", kNames), ElementsAre("tan", "atan2"));
  EXPECT_THAT(Nearest("minus_one", kNames),
              ElementsAre("exponential_minus_one"));
}

TEST(Nearest, NothingIsNear) {
  EXPECT_THAT(Nearest("frobnicate", kNames), IsEmpty());
  EXPECT_THAT(Nearest("", kNames), IsEmpty());
  EXPECT_THAT(Nearest(std::string(10000, 'a'), kNames), IsEmpty());
}

TEST(Nearest, Words) {
  EXPECT_EQ(DidYouMean("frobnicate", kNames), "");
  EXPECT_EQ(DidYouMean({"a"}), " (did you mean 'a'?)");
  EXPECT_EQ(DidYouMean({"a", "b", "c"}), " (did you mean 'a', 'b' or 'c'?)");
}

}  // namespace
}  // namespace assay
