// Tests lists and sections that are made up and have everything that the real
// ones have.
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

TEST(TitledConstraintSentences, AreTheListBehindTheParagraph) {
  constexpr const char* kTypes =
      "* (C9) of no type\n"
      "**Small types** have **parts**:\n"
      "\n"
      "* (C1) `a <\n"
      "  b`.\n"
      "* For some:\n"
      "  * (C2) `c`, where:\n"
      "    * `d`.\n"
      "\r\n"
      "**Smaller types** have:\n"
      "* (C3) `e`.\n"
      "# Ops\n"
      "**Other types** have none.\n";
  EXPECT_THAT(
      TitledConstraintSentences(kTypes, "Small types").value(),
      ElementsAre(Pair("C1", "`a < b`."), Pair("C2", "`c`, where: * `d`.")));
  EXPECT_THAT(TitledConstraintSentences(kTypes, "Smaller types").value(),
              ElementsAre(Pair("C3", "`e`.")));
  EXPECT_THAT(TitledConstraintSentences(kTypes, "Other types").value(),
              IsEmpty());
  EXPECT_FALSE(TitledConstraintSentences(kTypes, "Small").has_value());
}

TEST(SemanticsSentences, AreCutFromParagraphsListsAndCode) {
  constexpr const char* kSemantics =
      "### move\n"
      "#### Semantics\n"
      "\n"
      "Moves **all**\n"
      "  elements, e.g. NaN. The `a. B` stays (it may. But need\n"
      "not) ([#180](https://x.y/z)).<!-- Not\n"
      "this. --> Is it? `x` is.\n"
      "1. One:&#32;\n"
      "   * Item of 1.5 parts\n"
      "     and more\n"
      "```python\n"
      "return 1\n"
      "\n"
      "return 1.0\n"
      "```\n"
      "Behind it\n"
      "\n"
      "and apart.\n"
      "#### Inputs\n"
      "No part.\n"
      "### stay\n"
      "#### Inputs\n"
      "### last\n"
      "#### Semantics\n";
  EXPECT_THAT(SemanticsSentences(kSemantics, "move").value(),
              ElementsAre("Moves all elements, e.g. NaN.",
                          "The `a. B` stays (it may. But need not).", "Is it?",
                          "`x` is.", "One:", "Item of 1.5 parts and more",
                          "return 1", "return 1.0", "Behind it", "and apart."));
  EXPECT_THAT(SemanticsSentences(kSemantics, "last").value(), IsEmpty());
  EXPECT_FALSE(SemanticsSentences(kSemantics, "stay").has_value());
  EXPECT_FALSE(SemanticsSentences(kSemantics, "mov").has_value());
  const std::vector<OpSection> sections = OpSections(kSemantics);
  ASSERT_EQ(sections.size(), 2);
  EXPECT_EQ(sections[0].op, "move");
  EXPECT_EQ(sections[1].op, "last");
  EXPECT_EQ(sections[1].line, 23);
}

TEST(IsIntroduction, IsAColonWithoutAFormula) {
  EXPECT_TRUE(IsIntroduction("For `lhs` and `rhs`:"));
  EXPECT_TRUE(IsIntroduction("Where a = b:"));
  EXPECT_FALSE(IsIntroduction("Where `a = b`:"));
  EXPECT_FALSE(IsIntroduction("For `lhs`."));
}

TEST(IsQuoted, IsAPartInWholeWordsOrAllOfIt) {
  const auto quoted = [](std::string_view sentence,
                         std::vector<std::string> quotations) {
    for (std::string& quotation : quotations)
      quotation = NormalizedQuotation(quotation);
    return IsQuoted(sentence, quotations);
  };
  EXPECT_TRUE(quoted("`x` is moved.", {"For all: `x` is **moved**:"}));
  EXPECT_TRUE(quoted("return 1", {"return 1."}));
  EXPECT_FALSE(quoted("return 1", {"return 1.0"}));
  EXPECT_FALSE(quoted("return 1", {"return 10", "no return 1x", "", "."}));
  EXPECT_FALSE(quoted("turn 1", {"return 1"}));
  EXPECT_TRUE(
      quoted("`a` is b, where `c`, and `d`.", {"`a` is b", "`c`", "`d`."}));
  EXPECT_FALSE(
      quoted("`a` is b, where `c` or `d`.", {"`a` is b", "`c`", "`d`."}));
  EXPECT_TRUE(quoted("moves a, and b", {"moves", "moves a", "b"}));
  EXPECT_FALSE(quoted("and, where", {"x"}));
}

TEST(NormalizedQuotation, LeavesMarksAndTheEndOut) {
  EXPECT_EQ(NormalizedQuotation("It **is**\n so ([#1](https://x)):"),
            "It is so");
  EXPECT_EQ(NormalizedQuotation("f([a](b), c)"), "f([a](b), c)");
  EXPECT_EQ(NormalizedQuotation("([a] <!-- open **"), "([a] <!-- open");
  EXPECT_EQ(NormalizedQuotation("..."), "..");
}

}  // namespace
}  // namespace assay
