// This header has a call for each planted bug of layout, broadcasting,
// promotion and copies on which it shows, as small as possible.
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

using Texts = std::map<std::string, std::string>;

inline LayoutCall Move(const std::string& op, std::vector<Placed> operands,
                       Placed result, Texts attributes = {}) {
  return {op, std::move(operands), {std::move(result)}, std::move(attributes)};
}

inline LayoutCall SliceOf(Placed operand, Placed result,
                          const std::string& starts, const std::string& limits,
                          const std::string& strides) {
  return Move("slice", {std::move(operand)}, std::move(result),
              {{"start_indices", starts},
               {"limit_indices", limits},
               {"strides", strides}});
}

inline LayoutCall ConstantOf(const Placed& value) {
  LayoutCall call = Move("constant", {}, Dense(value.type, value.shape));
  call.value = value;
  return call;
}

// Returns a call on that many vectors of the i8 elements 1, 2, .. of these
// sizes.
inline LayoutCall ConcatenateSizes(const std::vector<int64_t>& sizes) {
  std::vector<Placed> operands;
  for (const int64_t size : sizes) operands.push_back(CountingIn({size}));
  return Move(
      "concatenate", std::move(operands),
      Dense(kI8, {std::accumulate(sizes.begin(), sizes.end(), int64_t{0})}),
      {{"dimension", "0"}});
}

inline const std::map<std::string, LayoutCall>& RevealingLayoutCalls() {
  static const Placed padded = CountingIn({4, 2}, {4, 1}),
                      vector = CountingIn({2}), number = CountingIn({1}),
                      square = CountingIn({2, 2});
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
      {"MV01", Move("reverse", {CountingIn({2, 2})}, Dense(kI8, {2, 2}),
                    {{"dimensions", "[0, 1]"}})},
      {"MV02",
       Move("reverse", {vector}, Dense(kI8, {2}), {{"dimensions", "[0]"}})},
      {"MV03", Move("reverse", {square}, InPlaceOf(square, 0),
                    {{"dimensions", "[0]"}})},
      {"MV04", Move("transpose", {CountingIn({2, 2, 2})}, Dense(kI8, {2, 2, 2}),
                    {{"permutation", "[1, 2, 0]"}})},
      {"MV05", Move("transpose", {CountingIn({1, 33})}, Dense(kI8, {33, 1}),
                    {{"permutation", "[1, 0]"}})},
      {"MV06", Move("reshape", {CountingIn({2}, {2})}, Dense(kI8, {2}))},
      {"MV07", Move("reshape", {square}, Dense(kI8, {4}))},
      {"MV08", SliceOf(CountingIn({1, 3}), Dense(kI8, {1, 2}), "[0, 0]",
                       "[1, 3]", "[1, 2]")},
      {"MV09",
       SliceOf(square, Dense(kI8, {1, 1}), "[1, 0]", "[2, 1]", "[1, 1]")},
      {"MV10", SliceOf(vector, Dense(kI8, {1}), "[0]", "[1]", "[2]")},
      {"MV11", ConcatenateSizes({2, 1, 1})},
      {"MV12", ConcatenateSizes({1, 0, 1})},
      {"MV13", ConcatenateSizes({1, 1, 1, 1, 1, 1, 1, 1, 1})},
      {"MV14", Move("iota", {}, Dense(kI8, {2, 2}), {{"iota_dimension", "0"}})},
      {"MV15",
       Move("iota", {}, Dense(kI32, {65537}), {{"iota_dimension", "0"}})},
      {"MV16",
       Move("iota", {}, Dense(kF8E4M3FN, {19}), {{"iota_dimension", "0"}})},
      {"MV17", ConstantOf(Dense(kI8, {2}, {1, 2}))},
      {"MV18", ConstantOf(Dense(kI4, {2}, {1, 2}))},
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
