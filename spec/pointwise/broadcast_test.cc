// Tests inference of the trait Broadcastable: its table row by row, and
// properties of every combination of small shapes: the order of the operands
// does not matter, and an error dominates.
#include "spec/pointwise/broadcast.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spec/pointwise/broadcast_test_support.h"

namespace assay {
namespace {

using ::testing::ElementsAre;

std::optional<Shape> ShapeOfText(const std::string& text) {
  std::optional<Shape> shape;
  EXPECT_TRUE(ParseShapeText(text, &shape)) << text;
  return shape;
}

std::vector<BroadcastOperand> OperandsOf(
    const std::vector<std::string>& shapes) {
  std::vector<BroadcastOperand> operands;
  for (const std::string& shape : shapes)
    operands.push_back(
        {fmt::format("x{}", operands.size()), ShapeOfText(shape)});
  return operands;
}

// Returns the inferred shape, or "error" if there is none because sizes differ.
std::string InferredText(const std::vector<std::string>& shapes) {
  const Inference inference = InferResultShape(OperandsOf(shapes));
  return inference.failed() ? "error" : ShapeTextOrStar(inference.shape);
}

TEST(InferDim, HasTheNineOrderedPairs) {
  const struct {
    int64_t dim0, dim1, inferred;
    const char* clause;
  } rows[] = {
      {kDynamic, kDynamic, kDynamic, "BC-10"},
      {kDynamic, 1, kDynamic, "BC-11"},
      {1, kDynamic, kDynamic, "BC-11"},
      {kDynamic, 5, 5, "BC-12"},
      {5, kDynamic, 5, "BC-12"},
      {1, 1, 1, "BC-13"},
      {1, 5, 5, "BC-14"},
      {5, 1, 5, "BC-14"},
      {5, 5, 5, "BC-15"},
      {5, 6, kIncompatible, "BC-15"},
      {0, 0, 0, "BC-17"},
      {0, 1, 0, "BC-17"},
      {1, 0, 0, "BC-17"},
      {0, kDynamic, 0, "BC-17"},
      {kDynamic, 0, 0, "BC-17"},
      {0, 2, kIncompatible, "BC-17"},
      {2, 0, kIncompatible, "BC-17"},
  };
  for (const auto& row : rows) {
    const InferredDim dim = InferDim(row.dim0, row.dim1);
    EXPECT_EQ(dim.dim, row.inferred) << row.dim0 << ", " << row.dim1;
    EXPECT_EQ(dim.clause, row.clause) << row.dim0 << ", " << row.dim1;
    EXPECT_EQ(dim.compatible,
              row.inferred == kIncompatible ? Truth::kFalse : Truth::kTrue);
  }
}

TEST(InferDim, ZeroIsOpenWhereThePolicySaysAny) {
  const BroadcastRules any = BroadcastRules::Of(Policy::Find("stablehlo"));
  EXPECT_EQ(InferDim(0, 2, any).compatible, Truth::kUndefined);
  EXPECT_EQ(InferDim(0, 2, any).dim, 0);
  EXPECT_EQ(InferDim(0, 1, any).compatible, Truth::kTrue);
  EXPECT_EQ(InferDim(3, 2, any).compatible, Truth::kFalse);
}

TEST(BroadcastRules, ArePoliciesKeys) {
  const BroadcastRules assay = BroadcastRules::Of(Policy::Find("assay"));
  EXPECT_EQ(assay.dynamic_to_static, Truth::kTrue);
  EXPECT_EQ(assay.zero_with_many, Truth::kFalse);
  const BroadcastRules strict = BroadcastRules::Of(Policy::Find("mlir_strict"));
  EXPECT_EQ(strict.dynamic_to_static, Truth::kFalse);
  EXPECT_EQ(strict.zero_with_many, Truth::kFalse);
  EXPECT_EQ(BroadcastRules::Of(Policy::Find("stablehlo")).dynamic_to_static,
            Truth::kUndefined);
}

TEST(ExpandRank, PrependsOnes) {
  Shape shape = {4, kDynamic};
  ExpandRank(&shape, 4);
  EXPECT_THAT(shape, ElementsAre(1, 1, 4, kDynamic));
  ExpandRank(&shape, 2);
  EXPECT_THAT(shape, ElementsAre(1, 1, 4, kDynamic));
  Shape scalar;
  ExpandRank(&scalar, 1);
  EXPECT_THAT(scalar, ElementsAre(1));
}

TEST(InferResultShape, FoldsTheRankedOperands) {
  EXPECT_EQ(InferredText({}), "*");
  EXPECT_EQ(InferredText({"*"}), "*");
  EXPECT_EQ(InferredText({"*", "*"}), "*");
  EXPECT_EQ(InferredText({"()"}), "()");
  EXPECT_EQ(InferredText({"2x?"}), "2x?");
  EXPECT_EQ(InferredText({"*", "2x?", "*"}), "2x?");
  EXPECT_EQ(InferredText({"()", "2x3"}), "2x3");
  EXPECT_EQ(InferredText({"4", "2x3x4"}), "2x3x4");
  EXPECT_EQ(InferredText({"?x1x6x1", "7x1x5"}), "?x7x6x5");
  EXPECT_EQ(InferredText({"4x3x2", "?"}), "4x3x2");
  EXPECT_EQ(InferredText({"3x2", "*", "4x1x1"}), "4x3x2");
  EXPECT_EQ(InferredText({"1", "?", "3"}), "3");
  EXPECT_EQ(InferredText({"3", "1", "?", "4"}), "error");
  EXPECT_EQ(InferredText({"2x3", "3x2"}), "error");
  EXPECT_EQ(InferredText({"0x3", "1x1", "?x?"}), "0x3");
  EXPECT_EQ(InferredText({"4294967297", "1"}), "4294967297");
}

TEST(InferResultShape, KeepsWhatGaveEachDimension) {
  const Inference inference =
      InferResultShape(OperandsOf({"4", "2x1x?", "*", "3x1"}));
  ASSERT_EQ(inference.steps.size(), 2u);
  EXPECT_EQ(inference.first, 0u);
  EXPECT_EQ(inference.steps[0].operand, 1u);
  EXPECT_EQ(inference.steps[1].operand, 3u);
  EXPECT_THAT(inference.steps[0].joined.shape, ElementsAre(2, 1, 4));
  EXPECT_EQ(inference.steps[1].joined.dims[1].clause, "BC-14");
  EXPECT_THAT(inference.clauses,
              ElementsAre("BC-04", "BC-05", "BC-12", "BC-13", "BC-14", "BC-16",
                          "BC-20", "BC-21", "BC-22", "BC-25"));
}

TEST(InferResultShape, NamesDimensionAndOperands) {
  const Inference inference =
      InferResultShape(OperandsOf({"1x5", "7x2x3", "*", "2x4", "6x1x1"}));
  EXPECT_TRUE(inference.failed());
  ASSERT_EQ(inference.errors.size(), 2u);
  EXPECT_EQ(inference.errors[0].reason, "dimension 2 is 5 in x0 and 3 in x1");
  EXPECT_EQ(inference.errors[0].dimension, 2u);
  EXPECT_EQ(inference.errors[0].clause, "BC-15");
  EXPECT_EQ(inference.errors[1].reason, "dimension 0 is 7 in x1 and 6 in x4");
}

TEST(BroadcastShapes, GivesTheShapeOrTheReason) {
  std::string reason;
  EXPECT_EQ(BroadcastShapes(OperandsOf({"3x1", "1x4", "4"}), &reason),
            Shape({3, 4}));
  EXPECT_EQ(BroadcastShapes({}, &reason), Shape());
  EXPECT_EQ(BroadcastShapes(OperandsOf({"300x0", "1"}), &reason),
            Shape({300, 0}));
  EXPECT_EQ(reason, "");
  EXPECT_EQ(BroadcastShapes(OperandsOf({"3x0", "2"}), &reason), std::nullopt);
  EXPECT_EQ(reason, "dimension 1 is 0 in x0 and 2 in x1");
}

// Returns what users see: the shape, or that there is none.
std::string InferredOutcome(const std::vector<std::optional<Shape>>& shapes) {
  std::vector<BroadcastOperand> operands;
  for (const std::optional<Shape>& shape : shapes)
    operands.push_back({"x", shape});
  const Inference inference = InferResultShape(operands);
  return inference.failed() ? "error" : ShapeTextOrStar(inference.shape);
}

TEST(InferResultShape, DependsOnNoOrderAndIsWhatTheDefinitionSays) {
  const std::vector<std::optional<Shape>> shapes = SmallShapes();
  int64_t errors = 0;
  for (size_t a = 0; a < shapes.size(); ++a) {
    for (size_t b = a; b < shapes.size(); ++b) {
      for (size_t c = b; c < shapes.size(); ++c) {
        std::vector<size_t> order = {a, b, c};
        const std::string expected =
            InferredByDefinition({shapes[a], shapes[b], shapes[c]});
        errors += expected == "error";
        do {
          ASSERT_EQ(InferredOutcome(
                        {shapes[order[0]], shapes[order[1]], shapes[order[2]]}),
                    expected)
              << ShapeTextOrStar(shapes[order[0]]) << ' '
              << ShapeTextOrStar(shapes[order[1]]) << ' '
              << ShapeTextOrStar(shapes[order[2]]);
        } while (std::ranges::next_permutation(order).found);
      }
    }
  }
  EXPECT_GT(errors, 1000);
}

// Dimensions do not affect one another, so one is enough.
TEST(InferDim, IsAssociativeAndAnErrorDominates) {
  const std::vector<int64_t> sizes = {kDynamic, 0, 1, 2, 3, kIncompatible};
  for (const int64_t a : sizes) {
    EXPECT_EQ(InferDim(a, a).dim, a);
    EXPECT_EQ(InferDim(a, kIncompatible).dim, kIncompatible);
    EXPECT_EQ(InferDim(a, 1).dim, a);
    for (const int64_t b : sizes) {
      EXPECT_EQ(InferDim(a, b).dim, InferDim(b, a).dim) << a << ", " << b;
      for (const int64_t c : sizes)
        EXPECT_EQ(InferDim(InferDim(a, b).dim, c).dim,
                  InferDim(a, InferDim(b, c).dim).dim)
            << a << ", " << b << ", " << c;
    }
  }
}

TEST(InferShape, IsAssociative) {
  for (const std::optional<Shape>& a : SmallShapes()) {
    for (const std::optional<Shape>& b : SmallShapes()) {
      for (const std::optional<Shape>& c : SmallShapes()) {
        if (!a || !b || !c) continue;
        ASSERT_EQ(InferShape(InferShape(*a, *b).shape, *c).shape,
                  InferShape(*a, InferShape(*b, *c).shape).shape);
      }
    }
  }
}

}  // namespace
}  // namespace assay
