#include "fuzz/draw/layouts.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "fuzz/draw/shapes.h"

namespace assay {
namespace {

// The stride of a dimension of size 1 may be anything.
constexpr std::array<int64_t, 6> kIdleStrides = {0, 1, 7, -3, 100, 1 << 20};

// Returns the dimensions from the innermost in memory outwards.
std::vector<size_t> DrawOrder(Choices* choices, size_t rank) {
  std::vector<size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), size_t{0});
  switch (choices->Below(Topic::kLayout, 3)) {
    case 0:  // row-major
      break;
    case 1:
      std::ranges::reverse(order);
      break;
    default:
      for (size_t i = rank; i > 1; --i)
        std::swap(
            order[i - 1],
            order[choices->Below(Topic::kLayout, static_cast<uint32_t>(i))]);
  }
  return order;
}

// If `has_rows`, rows do not follow each other.
Layout DrawStrided(Choices* choices, const Shape& shape, bool has_rows) {
  Layout layout = Layout::RowMajor(shape);
  // Each way of being strided is in every third layout, so that they meet.
  const bool steps = choices->OneIn(Topic::kLayout, 3);
  const bool turns = choices->OneIn(Topic::kLayout, 3);
  const bool has_gaps = choices->OneIn(Topic::kLayout, 3);
  int64_t stride = steps ? 2 + choices->Below(Topic::kLayout, 2) : 1;
  for (const size_t d : DrawOrder(choices, shape.size())) {
    if (shape[d] == 1 && choices->OneIn(Topic::kLayout, 3)) {
      layout.strides[d] = choices->Of(Topic::kLayout, kIdleStrides);
      continue;
    }
    layout.strides[d] = stride;
    stride *= std::max<int64_t>(shape[d], 1);
    if (turns && choices->OneIn(Topic::kLayout, 2)) {
      layout.offset += layout.strides[d] * std::max<int64_t>(shape[d] - 1, 0);
      layout.strides[d] *= -1;
    }
    // If the pitch were the number of rows, a wrong product could hit it.
    if (has_rows && shape[d] > 1) {
      stride += 1;
    } else if (has_gaps) {
      const uint32_t gap = choices->Below(Topic::kLayout, 5);
      stride += gap == 4 ? std::max<int64_t>(shape[d], 1) : gap;
    }
  }
  return layout;
}

}  // namespace

DrawnLayout DrawOperandLayout(Choices* choices, const Shape& shape) {
  DrawnLayout drawn{Layout::RowMajor(shape), {}};
  const uint32_t kind = choices->Below(Topic::kLayout, 8);
  // Shapes of many rows are too rare to leave them to chance.
  const bool has_rows = kind != 7 && HasManyRows(shape);
  if (kind < 4 && !has_rows) return drawn;
  if (kind < 7) drawn.layout = DrawStrided(choices, shape, has_rows);
  if (kind >= 6) drawn.layout.offset += choices->Below(Topic::kLayout, 4);
  if (kind == 6 && !shape.empty()) {
    const size_t d =
        choices->Below(Topic::kLayout, static_cast<uint32_t>(shape.size()));
    // An operand that differs along no other dimension has one value.
    const bool has_others =
        std::ranges::count_if(shape, [](int64_t size) { return size > 1; }) > 1;
    if (shape[d] > 1 && drawn.layout.strides[d] > 0 &&
        (has_others || choices->OneIn(Topic::kLayout, 4))) {
      drawn.layout.strides[d] = 0;
      drawn.repeated = d;
    }
  }
  return drawn;
}

Layout DrawResultLayout(Choices* choices, const Shape& shape) {
  Layout layout = Layout::RowMajor(shape);
  const uint32_t kind = choices->Below(Topic::kLayout, 8);
  if (kind < 6) return layout;
  if (kind == 6) layout = DrawStrided(choices, shape, false);
  layout.offset += choices->Below(Topic::kLayout, 3);
  return layout;
}

}  // namespace assay
