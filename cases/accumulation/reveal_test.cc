#include "cases/accumulation/reveal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cases/accumulation/tree_test_support.h"
#include "cases/accumulation/tree_text.h"

namespace assay {
namespace {

// Adds floats as a tree says. A node of more than two terms adds them at once:
// what is too small beside the largest of them is lost.
float SumAlong(const SumTree& tree, const std::vector<float>& terms) {
  std::vector<float> sums(tree.nodes().size());
  for (size_t i = 0; i < sums.size(); ++i) {
    const SumTree::Node& node = tree.nodes()[i];
    if (node.IsLeaf()) {
      sums[i] = terms[static_cast<size_t>(node.least)];
      continue;
    }
    float largest = 0;
    for (const int32_t child : node.children)
      largest = std::max(largest, std::fabs(sums[static_cast<size_t>(child)]));
    for (const int32_t child : node.children) {
      const float term = sums[static_cast<size_t>(child)];
      if (std::fabs(term) > largest * 0x1p-30f) sums[i] += term;
    }
  }
  return sums.back();
}

AnswerQuestions SumsAlong(const SumTree& tree) {
  return [&tree](std::span<const TreeQuestion> questions) {
    std::vector<int64_t> answers;
    for (const TreeQuestion& question : questions) {
      std::vector<float> terms(static_cast<size_t>(tree.num_leaves()));
      for (const int32_t unit : question.units)
        terms[static_cast<size_t>(unit)] = 1;
      terms[static_cast<size_t>(question.plus)] = 0x1p100f;
      terms[static_cast<size_t>(question.minus)] = -0x1p100f;
      for (const auto& [plus, minus] : question.more) {
        terms[static_cast<size_t>(plus)] = 0x1p100f;
        terms[static_cast<size_t>(minus)] = -0x1p100f;
      }
      answers.push_back(static_cast<int64_t>(SumAlong(tree, terms)));
    }
    return answers;
  };
}

void ExpectRevealed(const SumTree& tree, const std::string& what,
                    double most_questions = INFINITY) {
  const RevealedTree revealed = RevealTree(tree.num_leaves(), SumsAlong(tree));
  EXPECT_EQ(revealed.tree, tree) << what << ": " << CompactText(revealed.tree);
  EXPECT_LE(static_cast<double>(revealed.questions), most_questions) << what;
}

TEST(RevealTree, TreesInOrderTakeOneQuestionFewerThanTerms) {
  for (const int32_t n : {1, 2, 3, 4, 7, 8, 9, 33, 128, 1030}) {
    const std::string what = std::to_string(n);
    ExpectRevealed(SequentialTree(n), what, n - 1);
    ExpectRevealed(PairwiseTree(n), what, n - 1);
    ExpectRevealed(ChunkTree(n, 32), what, n - 1);
    ExpectRevealed(FromTheEnd(n), what, n - 1);
  }
}

TEST(RevealTree, RepeatedPartsTakeFewQuestions) {
  for (const int32_t n : {2048, 2100}) {
    const std::string what = std::to_string(n);
    ExpectRevealed(PairwiseTree(n), what, 400);
    ExpectRevealed(ChunkTree(n, 32), what, n / 2);
    ExpectRevealed(SequentialTree(n), what, n - 1);
    ExpectRevealed(FromTheEnd(n), what, n - 1);
  }
}

// What is nearly repeated is not taken for it: one part of a size is added
// otherwise, or terms of neighbours have changed their places, so that as many
// are lost.
TEST(RevealTree, PartsThatDifferAreRevealedAsTheyAre) {
  const RevealOptions options{.least_for_levels = 2};
  const auto expect = [&](const SumTree& tree, const std::string& what) {
    const RevealedTree revealed =
        RevealTree(tree.num_leaves(), SumsAlong(tree), options);
    EXPECT_EQ(revealed.tree, tree)
        << what << ": " << CompactText(revealed.tree);
    EXPECT_TRUE(revealed.is_proven);
  };
  constexpr int32_t kN = 64;
  for (int32_t at = 0; at < kN; at += 8) {
    SumTreeBuilder builder(kN);
    std::vector<int32_t> parts;
    for (int32_t i = 0; i < kN; i += 8) {
      const std::vector<int32_t> terms = TermsFrom(i, i + 8);
      parts.push_back(i == at ? builder.JoinInTurn(terms)
                              : builder.JoinNeighbours(terms));
    }
    builder.JoinNeighbours(parts);
    expect(builder.Build(), "in turn at " + std::to_string(at));
  }
  for (int32_t a = 0; a < kN; ++a) {
    for (const int32_t distance : {1, 2, 3, 4, 8, 16, 31}) {
      if (a + distance >= kN) continue;
      std::vector<int32_t> terms = TermsFrom(0, kN);
      std::swap(terms[static_cast<size_t>(a)],
                terms[static_cast<size_t>(a + distance)]);
      SumTreeBuilder builder(kN);
      builder.JoinNeighbours(terms);
      expect(builder.Build(),
             std::to_string(a) + " for " + std::to_string(a + distance));
    }
  }
  for (uint64_t seed = 0; seed < 50; ++seed) {
    expect(RandomTree(kN, seed), "random");
    expect(RandomTree(kN, seed, /*is_binary=*/false), "wide");
  }
  for (const int32_t k : {2, 3, 8}) {
    expect(StridedTree(kN, k), "strided");
    expect(FusedTree(kN, k), "fused");
    expect(ChunkTree(kN, k), "chunks");
  }
}

TEST(RevealTree, StridedTreesTakeFewerThan4NLogN) {
  for (const int32_t n : {5, 8, 9, 33, 128, 1024, 1030}) {
    const double most = 4 * n * std::log2(n);
    for (const int32_t lanes : {2, 3, 4, 8, 16})
      ExpectRevealed(StridedTree(n, lanes),
                     std::to_string(n) + " by " + std::to_string(lanes), most);
    ExpectRevealed(Butterfly(n), std::to_string(n), most);
  }
}

TEST(RevealTree, AnyTreeIsRevealed) {
  for (int32_t n = 1; n < 40; ++n) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      const std::string what = std::to_string(n) + ", " + std::to_string(seed);
      ExpectRevealed(RandomTree(n, seed), what);
      ExpectRevealed(RandomTree(n, seed, /*is_binary=*/false), what);
    }
  }
  ExpectRevealed(RandomTree(1030, 1), "large", 4 * 1030 * std::log2(1030));
}

TEST(RevealTree, NodesOfSeveralTermsAreOneNode) {
  for (const int32_t n : {3, 4, 8, 9, 33, 64}) {
    for (const int32_t k : {3, 4, 8, 16})
      ExpectRevealed(FusedTree(n, k),
                     std::to_string(n) + " by " + std::to_string(k));
    ExpectRevealed(FusedTree(n, n), std::to_string(n));
  }
}

TEST(RevealTree, AFewUnitsAtATimeRevealTheSame) {
  for (const SumTree& tree :
       {SequentialTree(33), StridedTree(33, 4), Butterfly(16), FusedTree(33, 4),
        RandomTree(50, 2)}) {
    for (const int64_t most_units : {1, 2, 7, 31}) {
      EXPECT_EQ(RevealTree(tree.num_leaves(), SumsAlong(tree),
                           {.most_units = most_units})
                    .tree,
                tree)
          << CompactText(tree) << " by " << most_units;
    }
  }
}

TEST(RevealTree, AFewUnitsForANodeRevealTreesInOrder) {
  RevealOptions options{.most_units = 32, .most_for_proof = 40};
  for (const int32_t n : {33, 100, 400}) {
    for (const SumTree& tree : {SequentialTree(n), PairwiseTree(n),
                                ChunkTree(n, 32), FromTheEnd(n)}) {
      const RevealedTree revealed = RevealTree(n, SumsAlong(tree), options);
      EXPECT_EQ(revealed.tree, tree) << n;
      EXPECT_FALSE(revealed.is_proven);
      EXPECT_LE(revealed.questions, 4 * n);
    }
    // Others are found not to be in order, and revealed as ever.
    for (const SumTree& tree :
         {StridedTree(n, 4), Butterfly(64), RandomTree(n, 5)}) {
      const RevealedTree revealed =
          RevealTree(tree.num_leaves(), SumsAlong(tree), options);
      EXPECT_EQ(revealed.tree, tree) << n;
      EXPECT_TRUE(revealed.is_proven);
    }
  }
}

TEST(RevealTree, AnswersOfNoTreeAreSaidToBe) {
  // A sum that loses nothing.
  const auto exact = [](std::span<const TreeQuestion> questions) {
    std::vector<int64_t> answers;
    for (const TreeQuestion& question : questions) {
      int64_t count = 0;
      for (const int32_t unit : question.units)
        count += unit != question.plus && unit != question.minus;
      answers.push_back(count);
    }
    return answers;
  };
  EXPECT_THROW(RevealTree(8, exact), NotRevealed);
  const auto random =
      [state = 1u](std::span<const TreeQuestion> questions) mutable {
        std::vector<int64_t> answers;
        for (const TreeQuestion& question : questions) {
          state = state * 1664525 + 1013904223;
          answers.push_back(state % question.units.size());
        }
        return answers;
      };
  EXPECT_THROW(RevealTree(50, random), NotRevealed);
}

TEST(RevealTree, AsksNoMoreThanItMay) {
  const SumTree tree = RandomTree(200, 1);
  EXPECT_THROW(RevealTree(200, SumsAlong(tree), {.most_questions = 300}),
               NotRevealed);
}

}  // namespace
}  // namespace assay
