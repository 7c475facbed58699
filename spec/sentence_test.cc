// Tests the list of a made-up section that has everything that the real one
// has.
#include "spec/sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kText =
    "# Ops\n"
    "* (C1) of no op\n"
    "### add\n"
    "\n"
    "| (I1) | `lhs` | (C1) |\n"
    "#### Constraints\n"
    "\n"
    "* (C1) `shape(lhs)   =\n"
    "  shape(result)`.\t\n"
    "* (C10) Is defined as:\n"
    "  * `a` if\r\n"
    "    `b`.\n"
    "\n"
    "  Not part of it.\n"
    "* If quantized:\n"
    "  * (C2) `q`.\n"
    "* Otherwise:\n"
    "  more of it.\n"
    "#### Examples\n"
    "* (C3) of no constraint\n"
    "### add_more\n"
    "### last\n"
    "#### Constraints\n"
    "* (C1) end";

TEST(ConstraintSentences, AreTheLabelledItemsWithTheirContinuations) {
  EXPECT_THAT(ConstraintSentences(kText, "add").value(),
              ElementsAre(Pair("C1", "`shape(lhs) = shape(result)`."),
                          Pair("C10", "Is defined as: * `a` if `b`."),
                          Pair("C2", "`q`.")));
  EXPECT_THAT(ConstraintSentences(kText, "last").value(),
              ElementsAre(Pair("C1", "end")));
}

TEST(ConstraintSentences, ASectionMayLackThemAndATextTheSection) {
  EXPECT_THAT(ConstraintSentences(kText, "add_more").value(), IsEmpty());
  EXPECT_FALSE(ConstraintSentences(kText, "ad").has_value());
  EXPECT_FALSE(ConstraintSentences("", "add").has_value());
}

}  // namespace
}  // namespace assay
