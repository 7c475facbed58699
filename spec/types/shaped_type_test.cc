// Tests types of operands of verified calls, and shapes as texts.
#include "spec/types/shaped_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/pointwise/broadcast_test_support.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

TEST(ParseShapedType, ReadsTensorsVectorsAndOthers) {
  const struct {
    const char *text, *shape;
    ShapedType::Kind kind;
  } rows[] = {{"tensor<2x?xi32>", "2x?", ShapedType::Kind::kTensor},
              {"tensor<i32>", "()", ShapedType::Kind::kTensor},
              {"tensor<*xcomplex<f32>>", "*", ShapedType::Kind::kTensor},
              {"vector<2x4xf32>", "2x4", ShapedType::Kind::kVector},
              {"memref<2x?xi32>", "*", ShapedType::Kind::kOther},
              {"index", "*", ShapedType::Kind::kOther},
              {"f32", "*", ShapedType::Kind::kOther}};
  for (const auto& row : rows) {
    std::string reason;
    const auto type = ParseShapedType(row.text, &reason);
    ASSERT_TRUE(type) << reason;
    EXPECT_EQ(ShapeTextOrStar(type->shape), row.shape);
    EXPECT_EQ(type->kind, row.kind);
    EXPECT_EQ(type->text, row.text);
  }
  for (const char* text : {"", "tensor<2xi33>", "tensor<*x2xi32>",
                           "vector<*xi32>", "vector<?xi32>", "vector<0xi32>",
                           "tensor<2xi32", "memref<2xi32", "tuple<i32>"}) {
    std::string reason;
    EXPECT_FALSE(ParseShapedType(text, &reason)) << text;
    EXPECT_THAT(reason, HasSubstr("is not a type: ")) << text;
  }
}

TEST(ParseShapeText, IsTheInverseOfShapeTextOrStar) {
  std::optional<Shape> parsed;
  for (const std::optional<Shape>& shape : SmallShapes()) {
    ASSERT_TRUE(ParseShapeText(ShapeTextOrStar(shape), &parsed));
    EXPECT_EQ(parsed, shape);
  }
  for (const char* text : {"", "2x", "x2", "02", "a", "-1", "**", "2xi8"})
    EXPECT_FALSE(ParseShapeText(text, &parsed)) << text;
}

}  // namespace
}  // namespace assay
