// Tests tensor types, index spaces and layouts: what is accepted, in which
// order indices come, and which offsets a layout reaches, including the shapes
// at which such code goes wrong (rank 0, size 0, size 1, `?`, 63 bits).
#include "spec/types/tensor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kHuge = int64_t{1} << 62;

TEST(ParseTensorType, ReadsShapesAndElementTypes) {
  struct Row {
    const char* text;
    Shape shape;
    ElementType type;
  };
  const Row rows[] = {
      {"tensor<i8>", {}, ElementType::kI8},
      {"tensor<0xi1>", {0}, ElementType::kI1},
      {"tensor<2x3xf32>", {2, 3}, ElementType::kF32},
      {"tensor<?x2xf64>", {kDynamic, 2}, ElementType::kF64},
      {"tensor<?x?xf64>", {kDynamic, kDynamic}, ElementType::kF64},
      {"tensor<1x1x1xcomplex<f32>>", {1, 1, 1}, ElementType::kComplexF32},
      {"tensor<4xf8E4M3B11FNUZ>", {4}, ElementType::kF8E4M3B11FNUZ},
      {"tensor<007xui2>", {7}, ElementType::kUi2},  // digit {digit}
  };
  for (const Row& row : rows) {
    std::string reason;
    const auto type = ParseTensorType(row.text, &reason);
    ASSERT_TRUE(type) << row.text << ": " << reason;
    EXPECT_EQ(type->shape, row.shape) << row.text;
    EXPECT_EQ(type->element_type, row.type) << row.text;
  }
}

TEST(ParseTensorType, PrintsWhatItReads) {
  for (const char* text : {"tensor<i8>", "tensor<2x?xi8>", "tensor<0x0xui64>",
                           "tensor<?xi1>", "tensor<3xcomplex<f64>>"}) {
    std::string reason;
    EXPECT_EQ(ParseTensorType(text, &reason)->ToString(), text);
  }
  std::string reason;
  EXPECT_EQ(ParseTensorType("tensor<2xsi8>", &reason)->ToString(),
            "tensor<2xi8>");
}

TEST(ParseTensorType, SaysWhyATextIsNoTensorType) {
  struct Row {
    const char *text, *why;
  };
  const Row rows[] = {
      {"", "expected tensor<..>"},
      {"tensor", "expected tensor<..>"},
      {"tensor<", "expected tensor<..>"},
      {"tensor<2xi8", "expected tensor<..>"},
      {"tensor<2xi8> ", "expected tensor<..>"},
      {"memref<2xi8>", "expected tensor<..>"},
      {"tensor<>", "unknown element type ''"},
      {"tensor<2x>", "unknown element type ''"},
      {"tensor<*xi8>", "unknown element type '*xi8'"},
      {"tensor<-1xi8>", "unknown element type '-1xi8'"},
      {"tensor< 2xi8>", "unknown element type ' 2xi8'"},
      {"tensor<2xi3>", "unknown element type 'i3'"},
      {"tensor<2xxi8>", "unknown element type 'xi8'"},
      {"tensor<complex<i8>>", "unknown element type 'complex<i8>'"},
      {"tensor<23>", "expected 'x' behind a dimension size"},
      {"tensor<?>", "expected 'x' behind a dimension size"},
      {"tensor<2 xi8>", "bad dimension size '2 '"},
      {"tensor<2?xi8>", "bad dimension size '2?'"},
      {"tensor<?2xi8>", "bad dimension size '?2'"},
      {"tensor<9223372036854775808xi8>",
       "dimension size 9223372036854775808 does not fit 63 bits"},
      {"tensor<9223372036854775807xi16>", "its size overflows 63 bits"},
      {"tensor<4611686018427387904x4xi8>", "its size overflows 63 bits"},
      {"tensor<4294967296x4294967296xi64>", "its size overflows 63 bits"},
  };
  for (const Row& row : rows) {
    std::string reason;
    EXPECT_EQ(ParseTensorType(row.text, &reason), std::nullopt) << row.text;
    EXPECT_THAT(reason, AllOf(HasSubstr(row.why),
                              HasSubstr(fmt::format("'{}'", row.text))));
  }
}

TEST(ParseTensorType, RankIsLimited) {
  std::string reason, text = "tensor<";
  for (size_t d = 0; d < kMaxRank; ++d) text += "1x";
  const auto type = ParseTensorType(text + "i8>", &reason);
  ASSERT_TRUE(type) << reason;
  EXPECT_EQ(type->shape.size(), 64u);
  EXPECT_FALSE(ParseTensorType(text + "1xi8>", &reason));
  EXPECT_THAT(reason, HasSubstr("rank 65 is above 64"));
}

TEST(ElementCount, IsTheProductOfTheSizes) {
  EXPECT_EQ(ElementCount({}), 1);
  EXPECT_EQ(ElementCount({7}), 7);
  EXPECT_EQ(ElementCount({2, 3, 5}), 30);
  EXPECT_EQ(ElementCount({kHuge, 1}), kHuge);
  EXPECT_EQ(ElementCount({INT64_MAX}), INT64_MAX);
  EXPECT_EQ(ElementCount({kHuge, 2}), std::nullopt);
}

TEST(ElementCount, AZeroAnywhereBeatsAnOverflow) {
  EXPECT_EQ(ElementCount({0}), 0);
  EXPECT_EQ(ElementCount({0, kHuge, kHuge}), 0);
  EXPECT_EQ(ElementCount({kHuge, kHuge, 0}), 0);
}

TEST(TensorType, ByteSizeCountsAByteForASubByteElement) {
  EXPECT_EQ((TensorType{{3, 5}, ElementType::kI2}).ByteSize(), 15);
  EXPECT_EQ((TensorType{{3, 5}, ElementType::kI1}).ByteSize(), 15);
  EXPECT_EQ((TensorType{{3, 5}, ElementType::kI64}).ByteSize(), 120);
  EXPECT_EQ((TensorType{{}, ElementType::kComplexF64}).ByteSize(), 16);
  EXPECT_EQ((TensorType{{0}, ElementType::kI64}).ByteSize(), 0);
  EXPECT_FALSE((TensorType{{2, kDynamic}, ElementType::kI8}).IsStatic());
}

std::vector<Index> AllIndices(const Shape& shape) {
  std::vector<Index> all;
  Index index;
  for (IndexSpace space(shape); space.Next(&index);) all.push_back(index);
  return all;
}

TEST(IndexSpace, IsInAscendingLexicographicalOrder) {
  EXPECT_THAT(AllIndices({2, 3}),
              ElementsAre(Index{0, 0}, Index{0, 1}, Index{0, 2}, Index{1, 0},
                          Index{1, 1}, Index{1, 2}));
  EXPECT_THAT(AllIndices({1, 1, 2}),
              ElementsAre(Index{0, 0, 0}, Index{0, 0, 1}));
}

TEST(IndexSpace, OfRankZeroIsTheOneEmptyIndex) {
  EXPECT_THAT(AllIndices({}), ElementsAre(Index{}));
}

TEST(IndexSpace, OfAShapeWithoutElementsIsEmpty) {
  EXPECT_THAT(AllIndices({0}), IsEmpty());
  EXPECT_THAT(AllIndices({0, 3}), IsEmpty());
  EXPECT_THAT(AllIndices({3, 0}), IsEmpty());
}

TEST(Unflatten, IsTheIndexAtThatPlaceOfTheIndexSpace) {
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3, 4}, Shape{1, 7}}) {
    int64_t linear = 0;
    for (const Index& index : AllIndices(shape)) {
      EXPECT_EQ(Unflatten(shape, linear), index);
      EXPECT_EQ(Layout::RowMajor(shape).At(index), linear);
      ++linear;
    }
    EXPECT_EQ(linear, ElementCount(shape));
  }
}

TEST(RowMajorStrides, AreProductsOfTheSizesBehind) {
  EXPECT_THAT(RowMajorStrides({}), IsEmpty());
  EXPECT_THAT(RowMajorStrides({5}), ElementsAre(1));
  EXPECT_THAT(RowMajorStrides({2, 3, 4}), ElementsAre(12, 4, 1));
  EXPECT_THAT(RowMajorStrides({2, 0, 4}), ElementsAre(4, 4, 1));
}

// ParseTensorType accepts this type, because it has no elements.
TEST(RowMajorStrides, OfAShapeWithoutElementsDoNotOverflow) {
  EXPECT_EQ(RowMajorStrides({0, kHuge, kHuge}).size(), 3u);
}

TEST(Layout, FindsElementsWithAnyStride) {
  const Layout reversed{{-3, 1}, 3};
  EXPECT_EQ(reversed.At({0, 0}), 3);
  EXPECT_EQ(reversed.At({1, 2}), 2);
  const Layout broadcast{{0, 2}, 10};
  EXPECT_EQ(broadcast.At({5, 1}), 12);
  EXPECT_EQ((Layout{{}, 7}).At({}), 7);
}

TEST(Layout, ExtentIsWhatTheStridesReach) {
  struct Row {
    Strides strides;
    Shape shape;
    int64_t below, above;
  };
  const Row rows[] = {
      {{}, {}, 0, 0},
      {{1}, {5}, 0, 4},
      {{-1}, {5}, -4, 0},
      {{0}, {5}, 0, 0},
      {{-3, 1}, {2, 3}, -3, 2},
      {{-3, -1}, {2, 3}, -5, 0},
      {{7, -100}, {3, 1}, 0, 14},  // a dimension of size 1 does not move
      {{1000, 1000}, {0, 4}, 0, 0},
      {{1}, {INT64_MAX}, 0, INT64_MAX - 1},
  };
  for (const Row& row : rows) {
    for (const int64_t offset : {0, 11}) {  // the extent is relative to it
      const auto extent = Layout{row.strides, offset}.ExtentOf(row.shape);
      ASSERT_TRUE(extent);
      EXPECT_EQ(extent->below, row.below);
      EXPECT_EQ(extent->above, row.above);
    }
  }
}

TEST(Layout, ExtentThatDoesNotFit63BitsIsNone) {
  EXPECT_FALSE((Layout{{kHuge}, 0}).ExtentOf({3}));
  EXPECT_FALSE((Layout{{kHuge, kHuge}, 0}).ExtentOf({2, 2}));
  EXPECT_FALSE((Layout{{-kHuge, -kHuge, -kHuge}, 0}).ExtentOf({2, 2, 2}));
  EXPECT_TRUE((Layout{{kHuge, -kHuge}, 0}).ExtentOf({2, 2}));
}

TEST(Layout, RowMajorIsJudgedByWhereElementsLie) {
  EXPECT_TRUE((Layout{{3, 1}, 0}).IsRowMajor({2, 3}));
  EXPECT_TRUE((Layout{{}, 4}).IsRowMajor({}));
  EXPECT_TRUE((Layout{{-9, 1}, 0}).IsRowMajor({1, 3}));
  EXPECT_TRUE((Layout{{3, 0}, 0}).IsRowMajor({1, 1}));
  EXPECT_TRUE((Layout{{5, -7}, 0}).IsRowMajor({0, 3}));
  EXPECT_FALSE((Layout{{1, 2}, 0}).IsRowMajor({2, 3}));
  EXPECT_FALSE((Layout{{4, 1}, 0}).IsRowMajor({2, 3}));
  EXPECT_FALSE((Layout{{3, -1}, 0}).IsRowMajor({2, 3}));
  EXPECT_FALSE((Layout{{0, 1}, 0}).IsRowMajor({2, 3}));
}

TEST(Tensor, KeepsTheBitsOfEachElement) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    SCOPED_TRACE(info.name);
    Tensor tensor(TensorType{{2, 2}, info.type});
    ASSERT_EQ(tensor.size(), 4);
    const ElementBits top = ElementBits{1} << (info.bits - 1);
    const ElementBits all = top | (top - 1);
    const ElementBits bits[] = {all, top, 1, all};
    for (int i = 0; i < 4; ++i) tensor.SetBits(i, bits[i]);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(tensor.Bits(i), bits[i]) << i;
  }
}

TEST(Tensor, RowsAreThoseOfTheTensor) {
  Tensor tensor(TensorType{{3, 2}, ElementType::kI16});
  for (int64_t i = 0; i < 6; ++i)
    tensor.SetBits(i, static_cast<ElementBits>(i));
  const Tensor rows = tensor.Rows(1, 3);
  EXPECT_EQ(rows.type(), (TensorType{{2, 2}, ElementType::kI16}));
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows.Bits(0), 2);
  EXPECT_EQ(rows.Bits(3), 5);
  tensor.SetBits(2, 77);
  EXPECT_EQ(rows.Bits(0), 77);
  EXPECT_EQ(tensor.Rows(3, 3).size(), 0);
}

TEST(Tensor, WithoutElementsExists) {
  const Tensor tensor(TensorType{{3, 0}, ElementType::kI64});
  EXPECT_EQ(tensor.size(), 0);
  EXPECT_NE(tensor.data(), nullptr);
}

}  // namespace
}  // namespace assay
