// Tests that calls of an op are found from its file alone, also of an op that
// exists in this test only.
#include "cases/search/call_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "spec/embedded.h"

namespace assay {
namespace {

// Returns an op that repeats each dimension of its operand as often as a list
// says.
const OpSpec& Tile() {
  static const OpSpec spec = [] {
    const auto reverse = std::ranges::find(
        EmbeddedFiles(), "spec/ops/reverse.json", &EmbeddedFile::path);
    nlohmann::json file = nlohmann::json::parse(reverse->text);
    file["op"] = "tile";
    file["inputs"][1]["name"] = "multiples";
    file["constraints"] = {
        {"C1", {{"formula", "size(multiples) = rank(operand)"}}},
        {"C2", {{"formula", "0 < multiples"}}},
        {"C3", {{"formula", "shape(result) = shape(operand) * multiples"}}},
        {"C4", {{"formula", "element_type(result) = element_type(operand)"}}}};
    file["infer"] = {{"element_type(result)", "element_type(operand)"}};
    return ParseOpSpec("tile.json", file.dump());
  }();
  return spec;
}

Op CallOfTile() {
  Op call;
  call.op = "tile";
  call.inputs = {{"operand", "operand", {Shape{}, ElementType::kF32}}};
  call.outputs = {{"result", "result", {Shape{}, ElementType::kF32}}};
  return call;
}

const Shape& OperandShape(const Op& call) {
  return call.inputs[0].type.tensor().shape;
}
const Shape& ResultShape(const Op& call) {
  return call.outputs[0].type.tensor().shape;
}

TEST(CallSearch, FindsCallsOfAnOpThatNobodyWroteALineFor) {
  CallSearch search(Tile());
  int repeated = 0, of_seed = 0;
  for (uint64_t index = 0; index < 1000; ++index) {
    Choices choices(1, index);
    Op call = CallOfTile();
    const Shape seed = {4, 6};
    ASSERT_TRUE(search.Complete({seed, 64}, &choices, &call)) << index;
    ASSERT_TRUE(SatisfiesAllBut(Tile(), call, "")) << index;
    ASSERT_LE(*ElementCount(ResultShape(call)), 64);
    repeated += OperandShape(call) != ResultShape(call);
    of_seed += OperandShape(call) == seed || ResultShape(call) == seed;
  }
  EXPECT_GT(repeated, 300);
  EXPECT_GT(of_seed, 900);
}

TEST(CallSearch, ViolatesAnyConstraintAlone) {
  CallSearch search(Tile());
  for (const char* label : {"C1", "C2", "C3"}) {
    int found = 0;
    for (uint64_t index = 0; index < 200; ++index) {
      Choices choices(2, index);
      Op call = CallOfTile();
      SearchGoal goal{{2, 3}, 64};
      goal.violated = label;
      if (!search.Complete(goal, &choices, &call)) continue;
      ++found;
      ASSERT_TRUE(SatisfiesAllBut(Tile(), call, label)) << label << index;
    }
    EXPECT_GT(found, 150) << label;
  }
  // Types alone decide this one.
  Choices choices(2, 0);
  Op call = CallOfTile();
  SearchGoal goal{{2, 3}, 64};
  goal.violated = "C4";
  EXPECT_FALSE(search.Complete(goal, &choices, &call));
}

TEST(CallSearch, KeepsToShapesThatAreGiven) {
  CallSearch search(Tile());
  const Recording nothing;
  Choices choices(&nothing);
  Op call = CallOfTile();
  SearchGoal goal{{1}};
  goal.given = {Shape{2, 5}, Shape{6, 5}};
  ASSERT_TRUE(search.Complete(goal, &choices, &call));
  EXPECT_EQ(AttributeText(call.attributes.at(0)), "[3, 1]");
  goal.given = {Shape{2, 5}, Shape{6, 7}};
  Op other = CallOfTile();
  EXPECT_FALSE(search.Complete(goal, &choices, &other));
  EXPECT_THAT(other.attributes, testing::IsEmpty());
}

TEST(CallSearch, IsOfOpsWhoseAttributesItCanGive) {
  EXPECT_TRUE(CanBeSearched(Tile()));
  EXPECT_TRUE(CanBeSearched(*FindOp("constant")));
  EXPECT_FALSE(CanBeSearched(*FindOp("reduce"))) << "a function";
  EXPECT_TRUE(CanBeSearched(*FindOp("tuple")));
  EXPECT_TRUE(CanBeSearched(*FindOp("gather")));
  EXPECT_FALSE(CanBeSearched(*FindOp("convolution"))) << "a list of enums";
}

}  // namespace
}  // namespace assay
