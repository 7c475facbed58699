// Tests that drawn shapes are within the limits, at every size where kernels
// change, mostly small, and such that operands broadcast to the result.
#include "fuzz/draw/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cases/read/json.h"
#include "spec/pointwise/broadcast.h"

namespace assay {
namespace {

constexpr Profile kProfiles[] = {Profile::kBoundary, Profile::kUniform,
                                 Profile::kAdversarial};

TEST(Shapes, KeepToRankAndElements) {
  for (const Profile profile : kProfiles) {
    for (const int64_t most : {int64_t{1}, int64_t{2}, int64_t{12}, int64_t{64},
                               int64_t{300}, kManyElements}) {
      for (uint64_t index = 0; index < 1000; ++index) {
        Choices choices(static_cast<uint64_t>(most), index);
        const Shape shape = DrawShape(&choices, profile, most);
        EXPECT_LE(shape.size(), kMostDrawnRank);
        EXPECT_LE(*ElementCount(shape), most) << ShapeText(shape);
        EXPECT_THAT(shape, testing::Each(testing::Ge(0)));
      }
    }
  }
}

TEST(Shapes, BoundarySizesHaveReasonsThatAreTheirOwn) {
  const Json bugs = ReadJsonFile(ASSAY_SOURCE_DIR "/backends/broken/bugs.json");
  ASSERT_GT(bugs.size(), 100u);
  int64_t before = 0;
  for (const BoundarySize& size : BoundarySizes()) {
    EXPECT_GT(size.size, before) << "they ascend, each once";
    before = size.size;
    EXPECT_GT(std::string_view(size.reason).size(), 15u) << size.size;
    // If a size were there because a bug was planted at it, finding the bug
    // would measure nothing.
    for (const Json& bug : bugs) {
      EXPECT_EQ(std::string_view(size.reason)
                    .find(bug["id"].get_ref<const std::string&>()),
                std::string_view::npos)
          << size.size;
    }
  }
}

TEST(Shapes, ReachEveryBoundarySizeAndRank) {
  std::set<int64_t> sizes;
  std::set<size_t> ranks;
  bool has_zero = false;
  for (uint64_t index = 0; index < 3000; ++index) {
    Choices choices(0, index);
    const Shape shape = DrawShape(&choices, Profile::kBoundary, kManyElements);
    ranks.insert(shape.size());
    sizes.insert(shape.begin(), shape.end());
    has_zero |= std::ranges::count(shape, 0) > 0;
  }
  for (const BoundarySize& size : BoundarySizes())
    EXPECT_TRUE(sizes.contains(size.size)) << size.size;
  EXPECT_THAT(ranks, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 8));
  EXPECT_TRUE(has_zero);
}

TEST(Shapes, OfUniformProfileHaveEverySmallSize) {
  std::set<int64_t> sizes;
  for (uint64_t index = 0; index < 2000; ++index) {
    Choices choices(0, index);
    const Shape shape = DrawShape(&choices, Profile::kUniform, 64);
    sizes.insert(shape.begin(), shape.end());
  }
  EXPECT_EQ(*sizes.begin(), 1);
  EXPECT_EQ(sizes.size(), 64u);
}

TEST(Shapes, OfAdversarialProfileReachEachRelation) {
  std::set<std::string> seen;
  for (uint64_t index = 0; index < 2000; ++index) {
    Choices choices(0, index);
    const Shape shape = DrawShape(&choices, Profile::kAdversarial, 300);
    const auto ones = std::ranges::count(shape, 1);
    if (shape.size() == 2 && shape[0] == shape[1] && shape[0] > 1)
      seen.insert("square");
    if (shape.size() == 2 && shape[0] > 1 && shape[1] == 1)
      seen.insert("column");
    if (shape.size() == kMostDrawnRank && ones == 0) seen.insert("wide");
    if (shape.size() > 4 && ones == static_cast<int64_t>(shape.size()) - 1)
      seen.insert("ones around one");
    if (shape.size() == 1 && shape[0] > 250) seen.insert("a long row");
    if (shape.size() == 2 && std::min(shape[0], shape[1]) > 1 &&
        std::max(shape[0], shape[1]) > 60)
      seen.insert("short rows");
  }
  EXPECT_THAT(seen, testing::SizeIs(6)) << testing::PrintToString(seen);
}

TEST(Shapes, OfMostRoomHaveManyRows) {
  std::set<Shape> shapes;
  for (uint64_t index = 0; index < 100; ++index) {
    Choices choices(0, index);
    const Shape shape =
        DrawShape(&choices, Profile::kBoundary, kMostDrawnElements);
    EXPECT_TRUE(HasManyRows(shape)) << ShapeText(shape);
    EXPECT_EQ(shape.back(), 2);
    EXPECT_LE(*ElementCount(shape), kMostDrawnElements);
    shapes.insert(shape);
  }
  EXPECT_EQ(shapes.size(), 3u);
  EXPECT_FALSE(HasManyRows({65535, 9}));
  EXPECT_FALSE(HasManyRows({1 << 20}));
}

TEST(Shapes, AreSmallMostlyAndLargeSometimes) {
  std::map<Profile, int> profiles;
  int small = 0, page = 0, wide = 0, many = 0;
  constexpr int kCases = 200000;
  for (uint64_t index = 0; index < kCases; ++index) {
    Choices choices(1, index);
    const Profile profile = DrawProfile(&choices);
    ++profiles[profile];
    const int64_t most = DrawMostElements(&choices, profile);
    EXPECT_LE(most, kMostDrawnElements);
    const int64_t elements = *ElementCount(DrawShape(&choices, profile, most));
    small += elements <= 64;
    page += elements > 4096;
    wide += elements > 65535;
    many += most == kMostDrawnElements;
  }
  EXPECT_NEAR(profiles[Profile::kBoundary], 0.60 * kCases, 0.01 * kCases);
  EXPECT_NEAR(profiles[Profile::kUniform], 0.25 * kCases, 0.01 * kCases);
  EXPECT_NEAR(profiles[Profile::kAdversarial], 0.15 * kCases, 0.01 * kCases);
  EXPECT_GT(small, 0.9 * kCases);
  EXPECT_GT(page, 200);
  EXPECT_GT(wide, many);
  EXPECT_NEAR(many, 2e-4 * kCases, 1e-4 * kCases);
}

TEST(DrawBroadcast, GivesShapesThatBroadcastToTheShape) {
  std::set<std::string> seen;
  for (const Profile profile : kProfiles) {
    for (uint64_t index = 0; index < 2000; ++index) {
      Choices choices(2, index);
      const Shape shape = DrawShape(&choices, profile, 64);
      const size_t count = 1 + index % 3;
      const std::vector<Shape> shapes = DrawBroadcast(&choices, shape, count);
      ASSERT_EQ(shapes.size(), count);
      std::vector<BroadcastOperand> operands;
      for (const Shape& operand : shapes) {
        operands.push_back({"operand", operand});
        if (operand == shape) continue;
        if (operand.size() < shape.size()) seen.insert("of lower rank");
        if (operand.empty()) seen.insert("of rank 0");
        if (operand.size() == shape.size()) seen.insert("of the same rank");
      }
      const auto whole = std::ranges::count(shapes, shape);
      if (whole == 0) seen.insert("none is whole");
      if (whole > 0 && static_cast<size_t>(whole) < count)
        seen.insert("some are whole");
      EXPECT_TRUE(count > 1 || shapes[0] == shape);
      std::string reason;
      EXPECT_EQ(BroadcastShapes(operands, &reason), shape)
          << ShapeText(shape) << " " << reason;
    }
  }
  EXPECT_THAT(seen, testing::SizeIs(5)) << testing::PrintToString(seen);
}

}  // namespace
}  // namespace assay
