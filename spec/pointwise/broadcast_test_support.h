// The tests of spec/pointwise/broadcast share small shapes, another definition
// of the inferred shape, and calls made from the texts of their types.
#ifndef ASSAY_SPEC_POINTWISE_BROADCAST_TEST_SUPPORT_H_
#define ASSAY_SPEC_POINTWISE_BROADCAST_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "spec/pointwise/broadcast.h"

namespace assay {

// Returns all shapes of rank 0 to 2 with these sizes, and the unranked one.
inline std::vector<std::optional<Shape>> SmallShapes() {
  const std::vector<int64_t> sizes = {kDynamic, 0, 1, 2, 3};
  std::vector<std::optional<Shape>> shapes = {std::nullopt, Shape()};
  for (const int64_t first : sizes) {
    shapes.push_back(Shape{first});
    for (const int64_t second : sizes) shapes.push_back(Shape{first, second});
  }
  return shapes;
}

// Infers by another definition: of the sizes in a dimension, one that is
// neither 1 nor `?` decides, and there are not two of them.
inline std::string InferredByDefinition(
    const std::vector<std::optional<Shape>>& shapes) {
  std::optional<Shape> result;
  for (const std::optional<Shape>& shape : shapes) {
    if (!shape) continue;
    if (!result) result.emplace();
    while (result->size() < shape->size()) result->insert(result->begin(), 1);
  }
  if (!result) return "*";
  for (size_t from_right = 1; from_right <= result->size(); ++from_right) {
    std::vector<int64_t> deciding;
    bool has_unknown = false;
    for (const std::optional<Shape>& shape : shapes) {
      if (!shape || shape->size() < from_right) continue;
      const int64_t size = (*shape)[shape->size() - from_right];
      has_unknown |= size == kDynamic;
      if (size != kDynamic && size != 1 &&
          std::ranges::find(deciding, size) == deciding.end())
        deciding.push_back(size);
    }
    if (deciding.size() > 1) return "error";
    (*result)[result->size() - from_right] = !deciding.empty() ? deciding[0]
                                             : has_unknown     ? kDynamic
                                                               : 1;
  }
  return ShapeTextOrStar(result);
}

inline BroadcastCall MadeBroadcastCall(
    const std::vector<std::string>& operands,
    const std::vector<std::string>& results) {
  BroadcastCall call;
  const auto parse = [](const std::string& text) {
    std::string reason;
    const auto type = ParseShapedType(text, &reason);
    EXPECT_TRUE(type) << reason;
    return type.value_or(ShapedType());
  };
  for (const std::string& text : operands) call.operands.push_back(parse(text));
  for (const std::string& text : results) call.results.push_back(parse(text));
  return call;
}

}  // namespace assay

#endif  // ASSAY_SPEC_POINTWISE_BROADCAST_TEST_SUPPORT_H_
