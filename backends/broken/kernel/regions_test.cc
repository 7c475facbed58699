// Tests the sound kernel on map, reduce and sort: functions of several ops,
// captures, branches, the order of terms, equal elements, calls in place, and
// what is declined.
#include "backends/broken/kernel/regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "backends/broken/kernel/region_call_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Placed Bytes8(const Values& values) {
  return Dense(kI8, {static_cast<int64_t>(values.size())}, values);
}
Placed Byte(int64_t value) { return Dense(kI8, {}, {value}); }

// Returns ten times the first argument, and the second.
const AssayFunction* Digits(const char* type) {
  return FunctionOf({type, type},
                    {{"add", {0, 0}, {type}},
                     {"add", {2, 2}, {type}},
                     {"add", {3, 0}, {type}},
                     {"add", {4, 4}, {type}},
                     {"add", {5, 1}, {type}}},
                    {6});
}

TEST(Map, AppliesTheFunctionToElements) {
  LayoutCall call =
      MapOf(Digits(kOfI8), {CountingIn({2, 2}, {1, 2}), CountingIn({2, 2})}, 2,
            {kI8, {2, 2}, {-3, 1}});
  EXPECT_THAT(SoundResult(call), ElementsAre(11, 22, 33, 44));
  call = MapOf(Binary("compare", kOfI8), {Bytes8({1}), Bytes8({2})}, 2,
               Dense(kI8, {1}));
  EXPECT_EQ(RunSound(call).status, ASSAY_UNSUPPORTED);
  call = MapOf(Binary("add", kOfI8), {Dense(kI8, {0}), Dense(kI8, {0})}, 2,
               Dense(kI8, {0}));
  EXPECT_THAT(SoundResult(call), IsEmpty());
}

TEST(Map, InPlace) {
  for (const int k : {0, 1}) {
    LayoutCall call =
        MapOf(Digits(kOfI8), {Bytes8({1, 2}), Bytes8({3, 4})}, 2, {});
    call.outputs = {InPlaceOf(call.inputs[static_cast<size_t>(k)], k)};
    EXPECT_THAT(SoundResult(call), ElementsAre(13, 24)) << k;
  }
}

TEST(Map, CapturesFollowTheOperands) {
  const LayoutCall call =
      MapOf(Digits(kOfI8), {Bytes8({1, 2}), Byte(5)}, 1, Dense(kI8, {2}));
  EXPECT_THAT(SoundResult(call), ElementsAre(15, 25));
}

TEST(Map, RunsTheChosenBranch) {
  const AssayFunction* const same = Arguments({kOfI8}, {0});
  const AssayFunction* const negated =
      FunctionOf({kOfI8}, {{"negate", {0}, {kOfI8}}}, {1});
  const AssayFunction* const zero =
      FunctionOf({kOfI8}, {{"subtract", {0, 0}, {kOfI8}}}, {1});
  const AssayFunction* const function = FunctionOf(
      {kOfI1, kOfI8}, {{"if", {0, 1}, {kOfI8}, {}, {same, negated}}}, {2});
  LayoutCall call = MapOf(function, {Dense(kI1, {2}, {1, 0}), Bytes8({7, 7})},
                          2, Dense(kI8, {2}));
  EXPECT_THAT(SoundResult(call), ElementsAre(7, -7));
  const AssayFunction* const of_three =
      FunctionOf({kOfI32, kOfI8},
                 {{"case", {0, 1}, {kOfI8}, {}, {same, negated, zero}}}, {2});
  call = MapOf(of_three,
               {Dense(kI32, {5}, {0, 1, 2, 3, -1}), Bytes8({7, 7, 7, 7, 7})}, 2,
               Dense(kI8, {5}));
  EXPECT_THAT(SoundResult(call), ElementsAre(7, -7, 0, 0, 0));
  const AssayFunction* const nested = FunctionOf(
      {kOfI8},
      {{"map", {0}, {kOfI8}, {}, {negated}}, {"reshape", {1}, {kOfI8}}}, {2});
  EXPECT_THAT(SoundResult(MapOf(nested, {Bytes8({1})}, 1, Dense(kI8, {1}))),
              ElementsAre(-1));
}

TEST(Reduce, TermsAreInTheOrderOfTheDimensions) {
  const auto reduce = [](const char* dimensions,
                         const std::vector<int64_t>& shape) {
    return SoundResult(ReduceOf(
        Digits(kOfI32), {Dense(kI32, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})},
        {Dense(kI32, {}, {9})}, {Dense(kI32, shape)}, dimensions));
  };
  EXPECT_THAT(reduce("[2]", {2, 2}), ElementsAre(912, 934, 956, 978));
  EXPECT_THAT(reduce("[0]", {2, 2}), ElementsAre(915, 926, 937, 948));
  EXPECT_THAT(reduce("[2, 0]", {2}), ElementsAre(91256, 93478));
  EXPECT_THAT(reduce("[]", {2, 2, 2}),
              ElementsAre(91, 92, 93, 94, 95, 96, 97, 98));
  EXPECT_THAT(reduce("[1, 2, 0]", {}), ElementsAre(912345678));
}

TEST(Reduce, NoTermsAreTheInitialValue) {
  const LayoutCall call = ReduceOf(Digits(kOfI32), {Dense(kI8, {2, 0})},
                                   {Byte(-5)}, {Dense(kI32, {2})}, "[1]");
  EXPECT_THAT(SoundResult(call), ElementsAre(-5, -5));
}

TEST(Reduce, ConvertsToTheTypesOfTheBody) {
  LayoutCall call = ReduceOf(Binary("add", kOfI32), {Bytes8({100, 100})},
                             {Byte(100)}, {Dense(kI32, {})}, "[0]");
  EXPECT_THAT(SoundResult(call), ElementsAre(300));
  call.function = Binary("add", kOfF32);
  call.outputs = {Dense(kF32, {})};
  EXPECT_THAT(SoundResult(call), ElementsAre(0x43960000));
}

TEST(Reduce, TwoOperandsAndInPlace) {
  // The results change places with every term.
  const AssayFunction* const body =
      Arguments({kOfI8, kOfI8, kOfI8, kOfI8}, {1, 2});
  LayoutCall call =
      ReduceOf(body, {Bytes8({1, 2, 3}), Bytes8({4, 5, 6})}, {Byte(7), Byte(8)},
               {Dense(kI8, {}), Dense(kI8, {})}, "[0]");
  EXPECT_THAT(SoundResult(call), ElementsAre(2, 3));
  call.attributes["dimensions"] = "[]";
  call.outputs = {InPlaceOf(call.inputs[1], 1), InPlaceOf(call.inputs[0], 0)};
  EXPECT_THAT(SoundResult(call), ElementsAre(8, 8, 8, 1, 2, 3));
}

TEST(Sort, AlongADimension) {
  const Placed operand = Dense(kI8, {2, 3}, {3, 1, 2, 0, 5, 4});
  for (const char* dimension : {"1", "-1"}) {
    EXPECT_THAT(SoundResult(SortOf(Comparator("LT", 1), {operand}, dimension)),
                ElementsAre(1, 2, 3, 0, 4, 5));
  }
  for (const char* dimension : {"0", "-2"}) {
    EXPECT_THAT(SoundResult(SortOf(Comparator("GT", 1), {operand}, dimension)),
                ElementsAre(3, 5, 4, 0, 1, 2));
  }
  LayoutCall call = SortOf(Comparator("LT", 1), {operand}, "0");
  call.attributes = {};
  EXPECT_THAT(SoundResult(call), ElementsAre(1, 2, 3, 0, 4, 5));
}

TEST(Sort, EqualElementsKeepTheirOrder) {
  for (const int n : {1, 2, 5, 16, 33}) {
    Values keys, by_key;
    for (int i = 0; i < n; ++i) keys.push_back(-(i % 3));
    for (const int64_t key : {-2, -1, 0}) {
      for (int i = 0; i < n; ++i) {
        if (-(i % 3) == key) by_key.push_back(i + 1);
      }
    }
    LayoutCall call =
        SortOf(Comparator("LT", 2), {Bytes8(keys), CountingIn({n})}, "0");
    call.outputs[1] = InPlaceOf(call.inputs[1], 1);
    Values result = SoundResult(call);
    result.erase(result.begin(), result.begin() + n);
    EXPECT_EQ(result, by_key) << n;
  }
}

TEST(Sort, WithoutAnOrderNoElementIsLost) {
  const AssayFunction* const always = FunctionOf(
      {kOfI8, kOfI8},
      {{"compare", {0, 0}, {kOfI1}, {{"comparison_direction", "EQ"}}}}, {2});
  EXPECT_THAT(SoundResult(SortOf(always, {CountingIn({5})}, "0")),
              testing::UnorderedElementsAre(1, 2, 3, 4, 5));
}

TEST(Regions, DeclineWhatTheyAreNot) {
  const AssayFunction* const add = Binary("add", kOfI8);
  const Placed two = CountingIn({2}), result = Dense(kI8, {2});
  LayoutCall text_alone = MapOf(add, {two, two}, 2, result);
  text_alone.function = nullptr;
  LayoutCall unknown = MapOf(add, {two, two}, 2, result);
  unknown.attributes = {{"unroll", "2"}};
  LayoutCall groups = MapOf(add, {two, two}, 2, result);
  groups.groups = {1, 1};
  const std::pair<const char*, LayoutCall> calls[] = {
      {"a function that is text alone", text_alone},
      {"an attribute", unknown},
      {"number of operands", groups},
      {"number of operands", SortOf(Comparator("LT", 1), {}, "0")},
      {"mix of operand shapes", MapOf(add, {two, CountingIn({3})}, 2, result)},
      {"mix of operand shapes", MapOf(add, {two, two}, 2, Dense(kI8, {1}))},
      {"a function of more than scalars", MapOf(add, {two, two}, 1, result)},
      {"a function of more than scalars",
       MapOf(Arguments({"tensor<2xi8>"}, {0}), {two}, 1, result)},
      {"a function that is not well-formed", MapOf(add, {two}, 1, result)},
      {"a function that is not well-formed",
       MapOf(Arguments({kOfI8}, {1}), {two}, 1, result)},
      {"a function that is not well-formed",
       MapOf(FunctionOf({kOfI8}, {{"negate", {-1}, {kOfI8}}}, {0}), {two}, 1,
             result)},
      {"a function with such an op in it",
       MapOf(
           FunctionOf({kOfI8}, {{"while", {0}, {kOfI8}, {}, {add, add}}}, {1}),
           {two}, 1, result)},
      {"op", MapOf(Binary("fft", kOfI8), {two, two}, 2, result)},
      {"result type",
       MapOf(Arguments({kOfI8}, {0}), {two}, 1, Dense(kI32, {2}))},
      {"attribute value", ReduceOf(add, {two}, {Byte(0)}, {Byte(0)}, "[1]")},
      {"attribute value", ReduceOf(add, {two}, {Byte(0)}, {Byte(0)}, "[0, 0]")},
      {"mix of operand shapes", ReduceOf(add, {two}, {two}, {Byte(0)}, "[0]")},
      {"number of operands",
       ReduceOf(add, {two}, {Byte(0)}, {Byte(0), Byte(0)}, "[0]")},
      {"attribute value", SortOf(Comparator("LT", 1), {two}, "1")},
      {"attribute value", SortOf(Comparator("LT", 1), {two}, "-2")},
      {"attribute value", SortOf(Comparator("LT", 1), {Byte(1)}, "0")},
      {"a comparator of another type", SortOf(add, {two}, "0")}};
  for (const auto& [reason, call] : calls) {
    const Left left = RunSound(call);
    EXPECT_EQ(left.status, ASSAY_UNSUPPORTED);
    EXPECT_EQ(left.message, call.op + ": " + reason + " not implemented")
        << &reason - &calls[0].first;
  }
}

}  // namespace
}  // namespace assay::broken
