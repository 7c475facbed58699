// This header has a call for each planted bug of reduce_window and
// select_and_scatter on which it shows, as small as possible.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_SLIDING_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_SLIDING_CALLS_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "backends/broken/bugs/revealing_window_calls_test_support.h"

namespace assay::broken {

// Returns a call of reduce_window, whose windows have one element and are
// neither dilated nor strided if the texts do not say otherwise. `padding` has
// two numbers for each dimension.
inline LayoutCall ReduceWindowOf(const AssayFunction* body,
                                 std::vector<Placed> inputs,
                                 const std::vector<Placed>& inits,
                                 std::vector<Placed> results,
                                 const Values& padding,
                                 const Texts& texts = {}) {
  const auto count = static_cast<int32_t>(inputs.size());
  const auto rank = static_cast<int64_t>(inputs[0].shape.size());
  inputs.insert(inputs.end(), inits.begin(), inits.end());
  LayoutCall call = {"reduce_window",
                     std::move(inputs),
                     std::move(results),
                     texts,
                     Dense(kI64, {rank, 2}, padding),
                     body,
                     {count, count}};
  call.value_name = "padding";
  return call;
}

// Returns a call on the vector 1, 2, .. of a size, in i8.
inline LayoutCall WindowsOfCounting(const AssayFunction* body, int64_t size,
                                    int64_t init, int64_t windows,
                                    const Values& padding, const Texts& texts) {
  return ReduceWindowOf(body, {CountingIn({size})}, {OneOf(kI8, init)},
                        {Dense(kI8, {windows})}, padding, texts);
}

// Returns a call on a vector, whose source is 1, 2, .. of that many windows.
inline LayoutCall SelectFromVector(const AssayFunction* scatter,
                                   const Values& operand, int64_t windows,
                                   const std::string& size,
                                   const Values& padding) {
  const auto count = static_cast<int64_t>(operand.size());
  LayoutCall call = {
      "select_and_scatter",
      {Dense(kI8, {count}, operand), CountingIn({windows}), OneOf(kI8, 0)},
      {Dense(kI8, {count})},
      {{"window_dimensions", size}, {"window_strides", "[1]"}},
      Dense(kI64, {1, 2}, padding),
      Comparator("GE", 1),
      {1, 1, 1}};
  call.value_name = "padding";
  call.second_function = scatter;
  return call;
}

// Returns a call on bytes for each bug.
inline const std::map<std::string, LayoutCall>& RevealingSlidingCalls() {
  static const AssayFunction* const add = Binary("add", kOfI8, "add");
  static const AssayFunction* const second = Arguments({kOfI8, kOfI8}, {1});
  static const AssayFunction* const both =
      FunctionOf({kOfI8, kOfI8, kOfI8, kOfI8},
                 {{"add", {0, 2}, {kOfI8}}, {"add", {1, 3}, {kOfI8}}}, {4, 5});
  static const Texts pairs = {{"window_dimensions", "[2]"}};
  static const Placed pair = CountingIn({2});
  static const auto two_sums = [](int64_t windows, const Values& padding) {
    return ReduceWindowOf(both, {pair, pair}, {OneOf(kI8, 5), OneOf(kI8, 7)},
                          {Dense(kI8, {windows}), Dense(kI8, {windows})},
                          padding, {{"window_dimensions", "[1]"}});
  };
  static const std::map<std::string, LayoutCall> calls = {
      {"RW01", WindowsOfCounting(add, 2, 0, 2, {1, 0}, pairs)},
      {"RW02", WindowsOfCounting(
                   add, 2, 0, 2, {0, 0},
                   {{"window_dimensions", "[2]"}, {"base_dilations", "[2]"}})},
      {"RW03", WindowsOfCounting(add, 3, 0, 1, {0, 0},
                                 {{"window_dimensions", "[2]"},
                                  {"window_dilations", "[2]"}})},
      {"RW04",
       WindowsOfCounting(add, 2, 5, 3, {1, 0}, {{"window_dimensions", "[1]"}})},
      {"RW05", WindowsOfCounting(add, 2, 0, 1, {-1, 0},
                                 {{"window_dimensions", "[1]"}})},
      {"RW06", WindowsOfCounting(
                   add, 4, 0, 2, {0, 0},
                   {{"window_dimensions", "[2]"}, {"window_strides", "[2]"}})},
      {"RW07", WindowsOfCounting(second, 17, 0, 1, {0, 0},
                                 {{"window_dimensions", "[17]"}})},
      {"RW08", WindowsOfCounting(add, 2, 0, 1, {0, 0}, pairs)},
      {"RW09", two_sums(3, {1, 0})},
      {"RW10", two_sums(2, {0, 0})},
      {"RW11", SelectFromVector(add, {3, 3}, 1, "[2]", {0, 0})},
      {"RW12", SelectFromVector(add, {1, 3, 1}, 2, "[2]", {0, 0})},
      {"RW13", SelectFromVector(add, {-1}, 1, "[2]", {1, 0})},
      {"RW14",
       WindowsOfCounting(add, 1, 5, 1, {0, 0}, {{"window_dimensions", "[1]"}})},
      {"RW15",
       WindowsOfCounting(add, 2, 5, 3, {1, 0}, {{"window_dimensions", "[1]"}})},
      {"RW16", ReduceWindowOf(add, {CountingIn({1, 3})}, {OneOf(kI8, 0)},
                              {Dense(kI8, {1, 2})}, {0, 0, 0, 0},
                              {{"window_dimensions", "[1, 1]"},
                               {"window_strides", "[1, 2]"}})},
      {"RW17", SelectFromVector(second, {1, 3, 1}, 2, "[2]", {0, 0})},
      {"RW18",
       ReduceWindowOf(
           FunctionOf({kOfI8, kOfI8},
                      {{"add", {0, 0}, {kOfI8}}, {"add", {2, 1}, {kOfI8}}},
                      {3}),
           {CountingIn({2, 2})}, {OneOf(kI8, 0)}, {Dense(kI8, {1, 1})},
           {0, 0, 0, 0}, {{"window_dimensions", "[2, 2]"}})},
      {"RW19", WindowsOfCounting(add, 2, 0, 2, {0, 1}, pairs)},
      {"RW20", SelectFromVector(add, {3, 3}, 1, "[2]", {0, 0})},
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_SLIDING_CALLS_TEST_SUPPORT_H_
