// Tests that drawn layouts stay in the allocation, that results overlap
// nowhere, and that every class of layout is drawn.
#include "fuzz/draw/layouts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "fuzz/draw/shapes.h"

namespace assay {
namespace {

constexpr uint64_t kLayouts = 3000;

Shape ShapeToLayOut(Choices* choices) {
  return DrawShape(choices, DrawProfile(choices), 64);
}

// Returns the offsets of all elements.
std::multiset<int64_t> PlacesOf(const Layout& layout, const Shape& shape) {
  std::multiset<int64_t> places;
  Index index;
  for (IndexSpace space(shape); space.Next(&index);)
    places.insert(layout.At(index));
  return places;
}

std::set<std::string> ClassesOfLayout(const Layout& layout,
                                      const Shape& shape) {
  std::set<std::string> classes;
  std::vector<int64_t> steps;
  int64_t elements = 1, reach = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t stride = layout.strides[d];
    if (shape[d] == 1) {
      if (stride != RowMajorStrides(shape)[d])
        classes.insert("any stride of a size 1");
      if (stride == 1 << 20) classes.insert("a far stride of a size 1");
      continue;
    }
    if (stride < 0) classes.insert("negative");
    if (stride == 0) classes.insert("zero");
    steps.push_back(std::abs(stride));
    elements *= shape[d];
    reach += (shape[d] - 1) * std::abs(stride);
  }
  if (elements == 0) return {};
  if (!classes.contains("zero") && reach > elements) classes.insert("gaps");
  if (!steps.empty() && std::ranges::min(steps) > 1) classes.insert("steps");
  if (!std::ranges::is_sorted(steps, std::greater())) {
    classes.insert("another order");
    if (std::ranges::is_sorted(steps) && steps.size() > 2)
      classes.insert("column-major");
  }
  // In a dense or gapped tensor, something stands before the first element.
  if (!PlacesOf(layout, shape).contains(0)) classes.insert("offset");
  if (layout.IsRowMajor(shape) && layout.offset == 0)
    classes.insert("row-major");
  if (layout.strides == RowMajorStrides(shape) && layout.offset > 0)
    classes.insert("row-major at an offset");
  return classes;
}

TEST(DrawOperandLayout, ReachesEveryClassAndNothingBelowZero) {
  std::map<std::string, int> seen;
  for (uint64_t index = 0; index < kLayouts; ++index) {
    Choices choices(1, index);
    const Shape shape = ShapeToLayOut(&choices);
    const DrawnLayout drawn = DrawOperandLayout(&choices, shape);
    ASSERT_EQ(drawn.layout.strides.size(), shape.size());
    const std::multiset<int64_t> places = PlacesOf(drawn.layout, shape);
    EXPECT_THAT(places, testing::Each(testing::Ge(0))) << ShapeText(shape);
    EXPECT_GE(drawn.layout.offset, 0);
    for (const std::string& name : ClassesOfLayout(drawn.layout, shape))
      ++seen[name];
    if (drawn.repeated) {
      EXPECT_EQ(drawn.layout.strides[*drawn.repeated], 0);
      EXPECT_GT(shape[*drawn.repeated], 1);
    }
    // Elements share a place along the repeated dimension and nowhere else.
    int64_t expected = *ElementCount(shape);
    if (drawn.repeated) expected /= shape[*drawn.repeated];
    const std::set<int64_t> distinct(places.begin(), places.end());
    EXPECT_EQ(static_cast<int64_t>(distinct.size()), expected)
        << ShapeText(shape);
  }
  for (const char* name : {"any stride of a size 1", "a far stride of a size 1",
                           "negative", "zero", "gaps", "steps", "another order",
                           "column-major", "offset", "row-major at an offset"})
    EXPECT_GT(seen[name], 10) << name;
  EXPECT_GT(seen["row-major"], static_cast<int>(kLayouts) * 2 / 5);
}

TEST(DrawOperandLayout, LeavesGapsBetweenMostOfManyRows) {
  int apart = 0;
  for (uint64_t index = 0; index < 100; ++index) {
    Choices choices(3, index);
    const DrawnLayout drawn = DrawOperandLayout(&choices, {65537, 2});
    apart += drawn.layout.strides[0] != 2 * drawn.layout.strides[1];
  }
  EXPECT_GT(apart, 80);
}

TEST(DrawOperandLayout, SeldomRepeatsTheOnlyDimension) {
  int row = 0, matrix = 0;
  for (uint64_t index = 0; index < 4000; ++index) {
    Choices choices(4, index), others(4, index);
    row += DrawOperandLayout(&choices, {1, 9}).repeated.has_value();
    matrix += DrawOperandLayout(&others, {3, 9}).repeated.has_value();
  }
  EXPECT_GT(row, 10);
  EXPECT_GT(matrix, 4 * row);
}

TEST(DrawResultLayout, GivesEveryElementAPlaceOfItsOwn) {
  std::map<std::string, int> seen;
  for (uint64_t index = 0; index < kLayouts; ++index) {
    Choices choices(2, index);
    const Shape shape = ShapeToLayOut(&choices);
    const Layout layout = DrawResultLayout(&choices, shape);
    ASSERT_EQ(layout.strides.size(), shape.size());
    const std::multiset<int64_t> places = PlacesOf(layout, shape);
    const std::set<int64_t> distinct(places.begin(), places.end());
    EXPECT_EQ(distinct.size(), places.size()) << ShapeText(shape);
    EXPECT_THAT(places, testing::Each(testing::Ge(0))) << ShapeText(shape);
    for (const std::string& name : ClassesOfLayout(layout, shape)) ++seen[name];
  }
  for (const char* name : {"any stride of a size 1", "negative", "gaps",
                           "steps", "another order", "offset"})
    EXPECT_GT(seen[name], 10) << name;
  EXPECT_FALSE(seen.contains("zero"));
  EXPECT_GT(seen["row-major"], static_cast<int>(kLayouts) * 3 / 5);
}

}  // namespace
}  // namespace assay
