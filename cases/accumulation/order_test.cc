#include "cases/accumulation/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cases/accumulation/tree_test_support.h"
#include "spec/text/number.h"

namespace assay {
namespace {

using Rounding = AdditionTraits::Rounding;

double Rounded(double value, ElementType type) {
  return text::FloatValue(type, text::FloatBits(type, value));
}

// Adds along a tree, in sums of a type of their own. Sums of f64 are doubles,
// which round other sums as they have to be.
class TreeSummation : public Summation {
 public:
  TreeSummation(SumTree tree, ElementType type, ElementType sums,
                bool has_factors = false)
      : Summation(type, tree.num_leaves(), has_factors, !has_factors),
        tree_(std::move(tree)),
        sums_(sums) {}

  std::vector<double> Sums(std::span<const SumTerms> calls) override {
    std::vector<double> results;
    for (const SumTerms& call : calls) results.push_back(SumOf(call));
    return results;
  }

  bool flushes = false, truncates = false, is_fused = false, is_exact = false;
  int inits = 1;

 private:
  double Round(double value) const {
    double rounded = Rounded(value, sums_);
    if (truncates && std::fabs(rounded) > std::fabs(value)) {
      // The next value toward zero.
      const ElementBits bits = text::FloatBits(sums_, rounded);
      rounded = text::FloatValue(sums_, bits - 1);
    }
    const double least = std::ldexp(1.0, FormatOf(type()).min_exponent());
    return flushes && std::fabs(rounded) < least ? 0 : rounded;
  }

  double SumOf(const SumTerms& call) const {
    std::vector<double> terms(static_cast<size_t>(n()), call.rest),
        factors(static_cast<size_t>(n()), 1);
    for (const auto& [term, number] : call.numbers) {
      EXPECT_EQ(number, Rounded(number, type()));
      terms[static_cast<size_t>(term)] = number;
    }
    for (const auto& [term, factor] : call.factors)
      factors[static_cast<size_t>(term)] = factor;
    if (is_exact) {
      // What is large cancels; the rest is exact.
      double large = 0, rest = 0;
      for (size_t i = 0; i < terms.size(); ++i)
        (std::fabs(terms[i]) > 0x1p60 ? large : rest) += terms[i] * factors[i];
      return Rounded(large + rest, type());
    }
    std::vector<double> sums(tree_.nodes().size());
    for (size_t i = 0; i < sums.size(); ++i) {
      const SumTree::Node& node = tree_.nodes()[i];
      if (node.IsLeaf()) {
        const auto term = static_cast<size_t>(node.least);
        sums[i] = terms[term] * factors[term];
        if (!is_fused) sums[i] = Round(sums[i]);
        continue;
      }
      for (const int32_t child : node.children)
        sums[i] += sums[static_cast<size_t>(child)];
      sums[i] = Round(sums[i]);
    }
    return Rounded(sums.back() + inits * call.init, type());
  }

  SumTree tree_;
  ElementType sums_;
};

TEST(RevealOrder, ShowsTreesOfEveryTypeOfTermsAndSums) {
  using enum ElementType;
  for (const auto& [type, sums] :
       {std::pair(kF32, kF32), std::pair(kF64, kF64), std::pair(kBF16, kBF16),
        std::pair(kBF16, kF32), std::pair(kF16, kF16), std::pair(kF16, kF32),
        std::pair(kF8E5M2, kF8E5M2), std::pair(kF8E5M2, kF32),
        std::pair(kF8E4M3FN, kF8E4M3FN), std::pair(kF8E4M3, kF8E4M3)}) {
    for (const SumTree& tree :
         {SequentialTree(8), PairwiseTree(9), StridedTree(33, 4), Butterfly(16),
          ChunkTree(60, 8), RandomTree(20, 1)}) {
      TreeSummation summation(tree, type, sums);
      EXPECT_EQ(RevealOrder(&summation, {}).tree, tree)
          << Name(type) << " in " << Name(sums);
    }
  }
}

TEST(RevealOrder, MoreTermsThanTheTypeCountsAreShown) {
  TreeSummation summation(StridedTree(300, 8), ElementType::kF8E5M2,
                          ElementType::kF8E5M2);
  EXPECT_EQ(RevealOrder(&summation, {}).tree, StridedTree(300, 8));
}

TEST(RevealOrder, FlushedSubnormalsAreNoUnits) {
  TreeSummation summation(StridedTree(33, 4), ElementType::kF16,
                          ElementType::kF32);
  summation.flushes = true;
  EXPECT_EQ(RevealOrder(&summation, {}).tree, StridedTree(33, 4));
  EXPECT_EQ(MeasureAdditions(&summation, StridedTree(33, 4)).flushes, true);
}

TEST(RevealOrder, ProductsReachFartherThanTerms) {
  // Terms of this type alone are too near to one another for sums of f32.
  const SumTree tree = StridedTree(16, 4);
  TreeSummation sum(tree, ElementType::kF8E4M3FN, ElementType::kF32);
  EXPECT_THROW(RevealOrder(&sum, {}), NotRevealed);
  TreeSummation products(tree, ElementType::kF8E4M3FN, ElementType::kF32,
                         /*has_factors=*/true);
  EXPECT_EQ(RevealOrder(&products, {}).tree, tree);
}

TEST(RevealOrder, SumsThatLoseNothingHaveNoTree) {
  TreeSummation summation(SequentialTree(8), ElementType::kBF16,
                          ElementType::kBF16);
  summation.is_exact = true;
  EXPECT_THROW(RevealOrder(&summation, {}), NotRevealed);
}

TEST(RevealOrder, TypesWithoutZeroAreNotAsked) {
  EXPECT_THAT(UnitSchemes(ElementType::kF8E8M0FNU, true), testing::IsEmpty());
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (info.kind != ElementKind::kFloat) continue;
    for (const UnitScheme& scheme : UnitSchemes(info.type, true)) {
      for (const double number : {scheme.large, scheme.factor, scheme.unit})
        EXPECT_EQ(number, Rounded(number, info.type)) << info.name;
      // All units together are less than half a place of the large term.
      EXPECT_LE(static_cast<double>(scheme.most_units) * scheme.unit,
                scheme.large * scheme.factor *
                    std::ldexp(1.0, -scheme.absorbed_by - 1))
          << info.name;
    }
  }
}

TEST(MeasureAdditions, SaysHowManyBitsSumsHave) {
  using enum ElementType;
  for (const auto& [type, sums, bits] :
       {std::tuple(kF32, kF32, 24), std::tuple(kF64, kF64, 53),
        std::tuple(kBF16, kBF16, 8), std::tuple(kBF16, kF32, 24),
        std::tuple(kF16, kF32, 24), std::tuple(kF16, kF16, 11)}) {
    for (const bool truncates : {false, true}) {
      if (truncates && sums == kF64) continue;  // doubles are rounded here
      TreeSummation summation(PairwiseTree(8), type, sums);
      summation.truncates = truncates;
      const AdditionTraits traits =
          MeasureAdditions(&summation, PairwiseTree(8));
      ASSERT_TRUE(traits.first_sum && traits.last_sum && traits.rounding);
      EXPECT_EQ(traits.first_sum->bits, bits) << Name(type);
      EXPECT_EQ(traits.last_sum->bits, bits) << Name(type);
      EXPECT_FALSE(traits.first_sum->is_least);
      EXPECT_EQ(*traits.rounding,
                truncates ? Rounding::kTowardZero : Rounding::kNearest);
      EXPECT_EQ(traits.flushes, false);
    }
  }
  TreeSummation summation(PairwiseTree(8), kF16, kF64);
  const auto bits = MeasureAdditions(&summation, PairwiseTree(8)).first_sum;
  ASSERT_TRUE(bits);
  EXPECT_EQ(BitsText(*bits), "at least 30 bits");
}

TEST(MeasureAdditions, SaysWhetherProductsAreRounded) {
  for (const bool is_fused : {false, true}) {
    for (const ElementType type : {ElementType::kF32, ElementType::kF16}) {
      TreeSummation summation(SequentialTree(8), type, type,
                              /*has_factors=*/true);
      summation.is_fused = is_fused;
      EXPECT_EQ(MeasureAdditions(&summation, SequentialTree(8)).keeps_products,
                is_fused);
    }
  }
}

TEST(MeasureAdditions, SaysHowOftenTheInitialValueEnters) {
  for (const int inits : {0, 1, 7}) {
    TreeSummation summation(SequentialTree(8), ElementType::kF32,
                            ElementType::kF32);
    summation.inits = inits;
    EXPECT_EQ(MeasureAdditions(&summation, SequentialTree(8)).inits, inits);
  }
}

TEST(MeasureAdditions, FewTermsAskLess) {
  for (const int32_t n : {1, 2}) {
    TreeSummation summation(SequentialTree(n), ElementType::kF32,
                            ElementType::kF32);
    EXPECT_EQ(RevealOrder(&summation, {}).tree, SequentialTree(n));
    const AdditionTraits traits =
        MeasureAdditions(&summation, SequentialTree(n));
    EXPECT_FALSE(traits.first_sum);
    EXPECT_EQ(traits.inits, 1);
    EXPECT_EQ(traits.flushes.has_value(), n == 2);
  }
}

TEST(SubtreeSizes, AreThoseOfTheTree) {
  TreeSummation summation(ChunkTree(64, 16), ElementType::kBF16,
                          ElementType::kF32);
  EXPECT_THAT(SubtreeSizes(&summation, 0, {1, 15, 16, 63}),
              testing::ElementsAre(2, 16, 32, 64));
}

}  // namespace
}  // namespace assay
