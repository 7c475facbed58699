#include "cases/accumulation/sum_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/accumulation/tree_test_support.h"
#include "cases/accumulation/tree_text.h"

namespace assay {
namespace {

using Kind = OrderVerdict::Kind;

TEST(SumTree, IsTheSameInWhateverOrderItWasBuilt) {
  SumTreeBuilder one(4), other(4);
  one.Join({one.Join({0, 1}), one.Join({2, 3})});
  const int32_t right = other.Join({3, 2});
  other.Join({right, other.Join({1, 0})});
  EXPECT_EQ(one.Build(), other.Build());
  EXPECT_EQ(CompactText(one.Build()), "((0+1)+(2+3))");
  EXPECT_NE(one.Build(), SequentialTree(4));
}

TEST(SumTree, KnowsSizesAndDepth) {
  EXPECT_EQ(SequentialTree(1000).depth(), 999);
  EXPECT_EQ(PairwiseTree(1000).depth(), 10);
  EXPECT_EQ(PairwiseTree(1000).num_leaves(), 1000);
  EXPECT_EQ(PairwiseTree(1000).widest(), 2);
  EXPECT_EQ(SequentialTree(1).num_leaves(), 1);
}

TEST(JudgeOrder, AllowsSubtreesThatAreRanges) {
  for (const int32_t n : {1, 2, 3, 8, 9, 33, 1030}) {
    EXPECT_EQ(JudgeOrder(SequentialTree(n)).kind, Kind::kInOrder) << n;
    EXPECT_EQ(JudgeOrder(PairwiseTree(n)).kind, Kind::kInOrder) << n;
    EXPECT_EQ(JudgeOrder(ChunkTree(n, 4)).kind, Kind::kInOrder) << n;
  }
  EXPECT_EQ(JudgeOrder(FromTheEnd(9)).kind, Kind::kInOrder);
}

TEST(JudgeOrder, NamesTwoTermsAndOneBetweenThemThatJoinsLater) {
  OrderVerdict verdict = JudgeOrder(StridedTree(8, 4));
  EXPECT_EQ(verdict.kind, Kind::kOutOfOrder);
  EXPECT_EQ(verdict.first, 0);
  EXPECT_EQ(verdict.foreign, 1);
  EXPECT_EQ(verdict.second, 4);
  EXPECT_EQ(verdict.size, 2);
  verdict = JudgeOrder(Butterfly(8));
  EXPECT_EQ(verdict.kind, Kind::kOutOfOrder);
  EXPECT_EQ(verdict.second, 4);
  // The first five are in order: (((0+1)+2)+5)+(3+4).
  SumTreeBuilder builder(6);
  const int32_t three = builder.Join({builder.Join({0, 1}), 2});
  builder.Join({builder.Join({three, 5}), builder.Join({3, 4})});
  verdict = JudgeOrder(builder.Build());
  EXPECT_EQ(verdict.kind, Kind::kOutOfOrder);
  EXPECT_EQ(verdict.first, 2);
  EXPECT_EQ(verdict.foreign, 3);
  EXPECT_EQ(verdict.second, 5);
  EXPECT_EQ(verdict.size, 4);
}

TEST(JudgeOrder, TellsNodesOfSeveralTermsFromBinaryTrees) {
  EXPECT_EQ(JudgeOrder(FusedTree(16, 4)).kind, Kind::kFused);
  EXPECT_EQ(JudgeOrder(FusedTree(16, 16)).kind, Kind::kFused);
}

TEST(ShapeName, RecognisesTheShapesOfTheField) {
  EXPECT_EQ(ShapeName(SequentialTree(1)), "one term");
  EXPECT_EQ(ShapeName(SequentialTree(2)), "sequential");
  EXPECT_EQ(ShapeName(SequentialTree(33)), "sequential");
  EXPECT_EQ(ShapeName(PairwiseTree(8)), "pairwise");
  EXPECT_EQ(ShapeName(PairwiseTree(33)), "pairwise");
  EXPECT_EQ(ShapeName(PairwiseTree(1030)), "pairwise");
  EXPECT_EQ(ShapeName(FromTheEnd(9)), "sequential from the end");
  EXPECT_EQ(ShapeName(Butterfly(8)), "butterfly");
  EXPECT_EQ(ShapeName(Butterfly(64)), "butterfly");
  EXPECT_EQ(ShapeName(StridedTree(32, 4)),
            "strided by 4 lanes, one after another");
  EXPECT_EQ(ShapeName(StridedTree(33, 8)),
            "strided by 8 lanes, one after another");
  EXPECT_EQ(ShapeName(ChunkTree(100, 32)), "chunks of 32, one after another");
  EXPECT_EQ(ShapeName(ChunkTree(64, 32)), "chunks of 32, joined");
  EXPECT_EQ(ShapeName(ChunkTree(99, 32)), "chunks of 32, one after another");
  EXPECT_EQ(ShapeName(FusedTree(8, 8)), "8 terms at once");
  EXPECT_EQ(ShapeName(RandomTree(40, 3)), "other");
  // The first chunk and the last one are smaller.
  SumTreeBuilder chunks(12);
  chunks.JoinInTurn({chunks.JoinInTurn({0, 1}), chunks.JoinInTurn({2, 3, 4, 5}),
                     chunks.JoinInTurn({6, 7, 8, 9}),
                     chunks.JoinInTurn({10, 11})});
  EXPECT_EQ(ShapeName(chunks.Build()), "chunks of up to 4, one after another");
  // Two lanes, and what is left over.
  SumTreeBuilder lanes(11);
  lanes.Join({lanes.Join({lanes.JoinInTurn({0, 2, 4, 6}),
                          lanes.JoinInTurn({1, 3, 5, 7})}),
              lanes.JoinInTurn({8, 9, 10})});
  EXPECT_EQ(ShapeName(lanes.Build()),
            "strided by 2 lanes, joined; then a chunk of 3");
  // In order, and of no shape: ((0+1)+(2+(3+(4+5))))+6.
  SumTreeBuilder builder(7);
  const int32_t right =
      builder.Join({2, builder.Join({3, builder.Join({4, 5})})});
  builder.Join({builder.Join({builder.Join({0, 1}), right}), 6});
  EXPECT_EQ(ShapeName(builder.Build()), "other");
}

TEST(IndentedText, HasALineForPartsThatAreAlike) {
  EXPECT_EQ(IndentedText(ChunkTree(128, 32), 20),
            "128 terms of 0..127: 4 parts one after another\n"
            "  0..31 one after another; 3 more like it, up to the one from "
            "96\n");
  EXPECT_EQ(IndentedText(StridedTree(16, 4), 20),
            "16 terms of 0..15: 4 parts one after another\n"
            "  0, 4, .., 12 one after another; 3 more like it, up to the one "
            "from 3\n");
  EXPECT_EQ(IndentedText(FusedTree(8, 8), 20),
            "8 terms of 0..7: 8 at once\n  0; 7 more like it, up to the one "
            "from 7\n");
}

TEST(IndentedText, HasNoMoreLinesThanItMay) {
  const std::string text = IndentedText(RandomTree(1000, 1), 30);
  EXPECT_EQ(std::ranges::count(text, '\n'), 31);
  EXPECT_TRUE(text.ends_with("..\n"));
  EXPECT_EQ(IndentedText(SequentialTree(65537), 30),
            "0..65536 one after another\n");
  // A deep one is cut at some level.
  EXPECT_THAT(IndentedText(FromTheEnd(65537), 30),
              testing::HasSubstr("terms of 12..65536"));
}

}  // namespace
}  // namespace assay
