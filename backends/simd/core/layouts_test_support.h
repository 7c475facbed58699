// The tests place tensors in the layouts that are defined here.
#ifndef ASSAY_BACKENDS_SIMD_CORE_LAYOUTS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_CORE_LAYOUTS_TEST_SUPPORT_H_

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/core/strided_tensor_test_support.h"

namespace assay::simd_test {

// Returns the strides of dimensions that are nested in this order, innermost
// first, with `step` between elements and `gap` elements behind each dimension.
inline Dims Nested(const Dims& shape, const std::vector<size_t>& order,
                   int64_t step, int64_t gap) {
  Dims strides(shape.size());
  int64_t stride = step;
  for (const size_t dim : order) {
    strides[dim] = stride;
    stride = stride * std::max<int64_t>(shape[dim], 1) + gap;
  }
  return strides;
}

inline std::vector<size_t> Order(const Dims& shape, bool is_row_major) {
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (is_row_major) std::reverse(order.begin(), order.end());
  return order;
}

inline constexpr const char* kLayouts[] = {
    "contiguous", "gaps",          "step2",    "step3",     "transposed",
    "reversed",   "last_reversed", "permuted", "broadcast0"};
inline constexpr size_t kNumLayouts = std::size(kLayouts);

inline Dims StridesOf(size_t layout, const Dims& shape) {
  const std::string name = kLayouts[layout];
  const std::vector<size_t> row_major = Order(shape, true);
  if (name == "gaps") return Nested(shape, row_major, 1, 3);
  if (name == "step2") return Nested(shape, row_major, 2, 0);
  if (name == "step3") return Nested(shape, row_major, 3, 1);
  if (name == "transposed") return Nested(shape, Order(shape, false), 1, 0);
  Dims strides = RowMajor(shape);
  if (name == "reversed") {
    for (int64_t& stride : strides) stride = -stride;
  } else if (name == "last_reversed") {
    if (!strides.empty()) strides.back() = -1;
  } else if (name == "permuted") {
    std::vector<size_t> order = row_major;
    std::mt19937 random(static_cast<unsigned>(shape.size()));
    std::shuffle(order.begin(), order.end(), random);
    strides = Nested(shape, order, 1, 1);
  } else if (name == "broadcast0") {
    for (size_t i = 0; i < strides.size(); i += 2) strides[i] = 0;
  }
  return strides;
}

// The last layout has stride 0 along some dimensions and is for inputs only.
inline constexpr size_t kBroadcast0 = kNumLayouts - 1;

inline std::vector<unsigned char> PatternFor(const Type& type, size_t seed) {
  static const std::vector<unsigned char> bytes = [] {
    std::mt19937 random(1);
    std::vector<unsigned char> all(1024 * 16);
    for (unsigned char& byte : all) byte = static_cast<unsigned char>(random());
    return all;
  }();
  std::vector<unsigned char> pattern(997 * 16);
  for (size_t i = 0; i < pattern.size(); ++i) {
    const unsigned mask = type.is_bool() ? 1 : type.bits == 4 ? 15 : 255;
    pattern[i] = static_cast<unsigned char>(bytes[i + 97 * seed] & mask);
  }
  return pattern;
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_CORE_LAYOUTS_TEST_SUPPORT_H_
