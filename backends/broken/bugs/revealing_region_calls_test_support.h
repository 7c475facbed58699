// This header has a call for each planted bug of map, reduce and sort on which
// it shows, as small as possible.
#ifndef ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_REGION_CALLS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_REGION_CALLS_TEST_SUPPORT_H_

#include <map>
#include <string>
#include <vector>

#include "backends/broken/kernel/region_call_test_support.h"

namespace assay::broken {

inline Placed OneOf(const DLDataType& type, int64_t value) {
  return Dense(type, {}, {value});
}

// Returns a reduction of 1, 2, .. along all dimensions, in i8, from 1.
inline LayoutCall ReduceCounting(const AssayFunction* body,
                                 const std::vector<int64_t>& shape,
                                 const std::string& dimensions = "[0]") {
  return ReduceOf(body, {CountingIn(shape)}, {OneOf(kI8, 1)}, {Dense(kI8, {})},
                  dimensions);
}

// Returns a call on bytes for each bug.
inline const std::map<std::string, LayoutCall>& RevealingRegionCalls() {
  static const AssayFunction* const add = Binary("add", kOfI8, "add");
  static const AssayFunction* const subtract = Binary("subtract", kOfI8);
  static const AssayFunction* const first = Arguments({kOfI8, kOfI8}, {0});
  static const AssayFunction* const second = Arguments({kOfI8, kOfI8}, {1});
  static const AssayFunction* const sum = Binary("add", kOfI32, "add");
  // Twice the first argument and the second.
  static const AssayFunction* const digits =
      FunctionOf({kOfI8, kOfI8},
                 {{"add", {0, 0}, {kOfI8}}, {"add", {2, 1}, {kOfI8}}}, {3});
  static const Placed one = CountingIn({1}), pair = CountingIn({2});
  static const Placed equal = Dense(kI8, {2}, {1, 1}),
                      falling = Dense(kI8, {2}, {2, 1});
  static const std::map<std::string, LayoutCall> calls = {
      {"RG01", MapOf(Arguments({kOfI8, kOfI8, kOfI8}, {1}),
                     {one, OneOf(kI8, 5), OneOf(kI8, 7)}, 1, Dense(kI8, {1}))},
      {"RG02", MapOf(subtract, {one, one}, 2, Dense(kI8, {1}))},
      {"RG03",
       MapOf(FunctionOf(
                 {kOfI1, kOfI8},
                 {{"if",
                   {0, 1, 1},
                   {kOfI8},
                   {},
                   {Arguments({kOfI8, kOfI8}, {0}),
                    FunctionOf({kOfI8, kOfI8}, {{"not", {1}, {kOfI8}}}, {2})}}},
                 {2}),
             {Dense(kI1, {1}, {0}), one}, 2, Dense(kI8, {1}))},
      {"RG04", MapOf(second, {pair, falling}, 2, Dense(kI8, {2}))},
      {"RG05", ReduceCounting(add, {1})},
      {"RG06", ReduceCounting(add, {1})},
      {"RG07", ReduceCounting(add, {3})},
      {"RG08", ReduceCounting(add, {33})},
      {"RG09", ReduceCounting(first, {2})},
      {"RG10", ReduceCounting(second, {9})},
      {"RG24", ReduceCounting(second, {5})},
      {"RG11", ReduceCounting(digits, {2, 2}, "[1, 0]")},
      {"RG12", ReduceCounting(add, {2, 2}, "[0, 1]")},
      {"RG12N",
       ReduceOf(add, {pair}, {OneOf(kI8, 0)}, {Dense(kI8, {2})}, "[]")},
      {"RG13", ReduceCounting(add, {0})},
      {"RG14", ReduceOf(sum, {Dense(kI8, {2}, {100, 100})}, {OneOf(kI8, 0)},
                        {Dense(kI32, {})}, "[0]")},
      {"RG15", ReduceOf(Arguments({kOfI8, kOfI8, kOfI8, kOfI8}, {0, 1}),
                        {one, one}, {OneOf(kI8, 1), OneOf(kI8, 2)},
                        {Dense(kI8, {}), Dense(kI8, {})}, "[0]")},
      // 1 + 2^-8 is 1, with or without another 2^-8.
      {"RG16", ReduceOf(Binary("add", kOfBf16, "add"),
                        {Dense(kBf16, {2}, {0x3b80, 0x3b80})},
                        {OneOf(kBf16, 0x3f80)}, {Dense(kBf16, {})}, "[0]")},
      {"RG17", SortOf(Comparator("LT", 2), {equal, pair}, "0")},
      {"RG18", SortOf(Comparator("LT", 2), {falling, falling}, "0")},
      {"RG19", SortOf(Comparator("LT", 1), {falling}, "0")},
      {"RG20", SortOf(Comparator("LT", 1), {falling}, "0")},
      {"RG21", SortOf(Comparator("GT", 1), {CountingIn({2, 2})}, "-1")},
      {"RG22", SortOf(Comparator("GT", 1), {pair}, "0")},
      {"RG23", SortOf(Comparator("LT", 2), {equal, pair}, "0")},
  };
  return calls;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BUGS_REVEALING_REGION_CALLS_TEST_SUPPORT_H_
