// These are comparisons of integers and of the total order of floats, on bits;
// float_ops.h has the comparisons of floats. Each direction is an op of its
// own, because looking up the direction would be most of the work.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPARISON_OPS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPARISON_OPS_H_

#include "backends/cuda/core/group.h"
#include "backends/cuda/elementwise/integer_ops.h"

namespace assay::cuda {

// A comparison is true for a set of these orders.
inline constexpr uint32_t kLess = 1;
inline constexpr uint32_t kEqual = 2;
inline constexpr uint32_t kGreater = 4;
inline constexpr uint32_t kUnordered = 8;

// This storage converts bits to numbers that are in order. It does so when
// elements are read, so that a repeated element is converted once, and without
// branches.
template <class U>
struct KeyStorage {
  using Raw = U;
  using Value = std::conditional_t<sizeof(U) == 1, uint32_t, U>;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = false;
  ASSAY_DEVICE static Value ToValue(U raw, const Parameters& p) {
    const U sign = static_cast<U>(p.mask);
    const U flip = (raw & sign) != 0 ? static_cast<U>(p.flip_negative) : sign;
    const U key = static_cast<U>(raw ^ flip);
    if constexpr (sizeof(U) == 1) {
      // The formats that have this NaN have no more than 8 bits.
      if (p.has_nan_at_minus_zero && raw == sign) return 0x100;
    }
    return key;
  }
};

struct OrderedEqual {
  static constexpr std::string_view kName = "EQ";
  template <class T>
  ASSAY_DEVICE static bool Of(T a, T b) {
    return a == b;
  }
};

struct OrderedNotEqual {
  static constexpr std::string_view kName = "NE";
  template <class T>
  ASSAY_DEVICE static bool Of(T a, T b) {
    return a != b;
  }
};

struct OrderedLess {
  static constexpr std::string_view kName = "LT";
  template <class T>
  ASSAY_DEVICE static bool Of(T a, T b) {
    return a < b;
  }
};

struct OrderedLessOrEqual {
  static constexpr std::string_view kName = "LE";
  template <class T>
  ASSAY_DEVICE static bool Of(T a, T b) {
    return a <= b;
  }
};

struct OrderedGreater {
  static constexpr std::string_view kName = "GT";
  template <class T>
  ASSAY_DEVICE static bool Of(T a, T b) {
    return a > b;
  }
};

struct OrderedGreaterOrEqual {
  static constexpr std::string_view kName = "GE";
  template <class T>
  ASSAY_DEVICE static bool Of(T a, T b) {
    return a >= b;
  }
};

template <template <class> class Compare>
using Directions =
    OpList<Compare<OrderedEqual>, Compare<OrderedNotEqual>,
           Compare<OrderedLess>, Compare<OrderedLessOrEqual>,
           Compare<OrderedGreater>, Compare<OrderedGreaterOrEqual>>;

template <class Direction>
struct BitCompare {
  static constexpr std::string_view kName = Direction::kName;
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE bool operator()(U a, U b, const Parameters&) const {
    return Direction::Of(a, b);
  }
};

// A float is finite if its magnitude is at most the limit and its code is not
// that of a NaN in the place of -0.
struct BitIsFinite {
  static constexpr std::string_view kName = "is_finite";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE bool operator()(U a, const Parameters& p) const {
    const bool is_nan = p.has_nan_at_minus_zero && a == p.mask;
    return !is_nan && (a & ~p.mask) <= p.limit;
  }
};

using BitComparisons = Directions<BitCompare>;
using BitTests = OpList<BitIsFinite>;

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPARISON_OPS_H_
