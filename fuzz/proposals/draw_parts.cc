#include "fuzz/proposals/draw_parts.h"

#include <numeric>
#include <utility>

namespace assay {
namespace {

using Numbers = std::vector<int64_t>;

Tensor TensorOf(const Shape& shape, const Numbers& numbers) {
  Tensor tensor(TensorType{shape, ElementType::kI64});
  for (size_t i = 0; i < numbers.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i),
                   static_cast<ElementBits>(numbers[i]));
  return tensor;
}

}  // namespace

uint32_t Below(Choices* choices, Topic topic, int64_t n) {
  return choices->Below(topic, static_cast<uint32_t>(n));
}

Attribute List(std::string name, const Numbers& numbers) {
  return {std::move(name),
          TensorOf({static_cast<int64_t>(numbers.size())}, numbers)};
}

Attribute Number(std::string name, int64_t number) {
  return {std::move(name), TensorOf({}, {number})};
}

void AddOperand(const std::string& name, const std::string& value,
                const TensorType& type, Op* op) {
  op->inputs.push_back({name, value, type});
}

void AddResult(const std::string& name, const TensorType& type, Op* op) {
  op->outputs.push_back({name, name, type});
}

Shape WithDimensions(const Shape& shape) {
  return shape.empty() ? Shape{1} : shape;
}

size_t DrawDimension(Choices* choices, const Shape& shape) {
  return Below(choices, Topic::kAttributes, static_cast<int64_t>(shape.size()));
}

Numbers DrawOrder(Choices* choices, size_t count) {
  Numbers order(count);
  std::iota(order.begin(), order.end(), int64_t{0});
  for (size_t i = count; i > 1; --i)
    std::swap(
        order[i - 1],
        order[Below(choices, Topic::kAttributes, static_cast<int64_t>(i))]);
  return order;
}

}  // namespace assay
