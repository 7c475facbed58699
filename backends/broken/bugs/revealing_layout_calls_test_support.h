// This header has a call for each planted bug of layout, broadcasting and
// promotion on which it shows, as small as possible.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_LAYOUT_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_LAYOUT_CALLS_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {

inline LayoutCall NegateFrom(const Placed& input) {
  return {"negate", {input}, {Dense(kI8, input.shape)}};
}

inline LayoutCall NegateTo(const std::vector<int64_t>& shape,
                           const std::vector<int64_t>& strides) {
  return {"negate", {CountingIn(shape)}, {{kI8, shape, strides}}};
}

inline LayoutCall AddShapes(const std::vector<int64_t>& a,
                            const std::vector<int64_t>& b,
                            const std::vector<int64_t>& result) {
  return AddOfAny({CountingIn(a), CountingIn(b)}, Dense(kI8, result));
}

inline const std::map<std::string, LayoutCall>& RevealingLayoutCalls() {
  static const Placed padded = CountingIn({4, 2}, {4, 1}),
                      vector = CountingIn({2}), number = CountingIn({1});
  static const std::string by_default = "[[0, 1, \"DEFAULT\"]]";
  static const std::map<std::string, LayoutCall> calls = {
      {"ME07", NegateTo({3}, {4})},
      {"ME08", NegateTo({8}, {2})},
      {"ST02", {"negate", {padded}, {InPlaceOf(padded, 0)}}},
      {"ST03", NegateFrom(CountingIn({2, 1, 3}, {3, 999, 1}))},
      {"ST05", NegateFrom(CountingIn({2}, {-1}))},
      {"ST06", NegateFrom(CountingIn({1, 3}, {6, 2}))},
      {"ST08",
       {"add",
        {CountingIn({2, 3}, {1, 2}), CountingIn({2, 3})},
        {Dense(kI8, {2, 3})}}},
      {"ST09", NegateFrom(CountingIn({2, 2, 2, 2, 2}, {81, 27, 9, 3, 1}))},
      {"DG03", NegateFrom(CountingIn({}))},
      {"DP01", AddShapes({2, 2, 2, 17}, {2, 1, 2, 1}, {2, 2, 2, 17})},
      {"DP02", NegateFrom(CountingIn({13, 29, 5}))},
      {"LY01", NegateFrom(CountingIn({2}, {2}))},
      {"LY05", NegateFrom(CountingIn({8}, {2}))},
      // (1 + 2^-12)^2 - (1 + 2^-11), which is 2^-24 if it is rounded once.
      {"LY06", Pointwise("add_func",
                         {Dense(kF32, {1}, {0xbf801000}),
                          Dense(kF32, {1}, {0x3f800800}),
                          Dense(kF32, {1}, {0x3f800800})},
                         {Dense(kF32, {1})}, "[[0, 1, 2, \"DEFAULT\"]]")},
      // This is -65504 + 65504 * 1.5, whose product is infinity in f16.
      {"PM01",
       Pointwise("add_func",
                 {Dense(kF16, {1}, {0xfbff}), Dense(kF16, {1}, {0x7bff}),
                  Dense(kF16, {1}, {0x3e00})},
                 {Dense(kF16, {1})}, "[[0, 1, 2, \"DEFAULT\"]]")},
      {"PM02", AddOfAny({number, number}, Dense(kI1, {1}), "ALWAYS_BOOL")},
      {"PM03",
       AddOfAny({Dense(kI64, {1}, {(1 << 24) + 1}), Dense(kF64, {1}, {0})},
                Dense(kF64, {1}))},
      {"BC01", AddShapes({2, 3}, {3}, {2, 3})},
      {"BC03", AddShapes({2}, {1}, {2})},
      {"BC04", AddShapes({2, 2, 2}, {2, 1, 2}, {2, 2, 2})},
      {"BC06", AddShapes({0}, {1}, {0})},
      {"BC07", AddShapes({2}, {3}, {3})},
      {"BC09", Pointwise("subtract", {number, CountingIn({8})},
                         {Dense(kI8, {8})}, by_default)},
      {"BC10", AddOfAny({vector, number}, InPlaceOf(vector, 0))},
      {"BC10V", AddOfAny({vector, number}, {kI8, {2}, {-1}, {}, false, 1, 0})},
      {"BC12",
       {"broadcast_in_dim",
        {CountingIn({3})},
        {Dense(kI8, {2, 3})},
        {{"broadcast_dimensions", "[1]"}}}},
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_LAYOUT_CALLS_TEST_SUPPORT_H_
