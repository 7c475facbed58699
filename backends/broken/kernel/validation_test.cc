// Tests which pointwise calls the sound kernel refuses, and with which
// messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/broken/kernel/layout_call_test_support.h"

namespace assay::broken {
namespace {

using testing::HasSubstr;

std::string Refusal(const LayoutCall& call) {
  const Left left = RunSound(call);
  EXPECT_EQ(left.status, ASSAY_INVALID) << left.message;
  return left.message;
}

TEST(PointwiseRefusal, Shapes) {
  const Placed two = Dense(kI8, {2}, {1, 2}), three = Dense(kI8, {3}, Iota(3));
  EXPECT_THAT(Refusal(AddOfAny({two, three}, three)),
              HasSubstr("input 1: dimension 0 of size 3"));
  EXPECT_THAT(Refusal(AddOfAny({two, Dense(kI8, {0})}, Dense(kI8, {0}))),
              HasSubstr("input 1: dimension 0 of size 0"));
  EXPECT_THAT(Refusal(AddOfAny({two, two}, Dense(kI8, {1}))),
              HasSubstr("output 0: dimension 0 is not of size 2"));
  EXPECT_THAT(Refusal(AddOfAny({two, two}, Dense(kI8, {1, 2}))),
              HasSubstr("output 0 is not of rank 1"));
}

TEST(PointwiseRefusal, Types) {
  const Placed ints = Dense(kI8, {1}, {1}), floats = Dense(kF32, {1}, {1});
  EXPECT_THAT(Refusal(AddOfAny({ints, floats}, ints)), HasSubstr("output 0"));
  EXPECT_THAT(
      Refusal(AddOfAny({Dense({kDLUInt, 32, 1}, {1}, {1}), ints}, ints)),
      HasSubstr("input 1 has no common type"));
  EXPECT_THAT(
      Refusal(Pointwise("add", {ints, floats}, {ints}, "[[0, \"DEFAULT\"]]")),
      HasSubstr("input 1 is of a higher category"));
  EXPECT_THAT(Refusal(Pointwise("shift_left", {floats, floats}, {floats},
                                "[[0, 1, \"DEFAULT\"]]")),
              HasSubstr("shift_left does not exist"));
  const Placed bools = Dense(kI1, {1}, {1});
  EXPECT_THAT(Refusal(Pointwise("subtract", {bools, bools}, {bools},
                                "[[0, 1, \"DEFAULT\"]]")),
              HasSubstr("subtract does not exist"));
  EXPECT_THAT(Refusal(Pointwise("select", {ints, ints, ints}, {ints},
                                "[[1, 2, \"NO_OPMATH\"]]")),
              HasSubstr("input 0 is not of type i1"));
  Placed vector = ints;
  vector.is_scalar = true;
  EXPECT_THAT(Refusal(AddOfAny({ints, vector}, ints)), HasSubstr("input 1"));
}

TEST(PointwiseRefusal, Rules) {
  const Placed ints = Dense(kI8, {1}, {1});
  for (const char* rules :
       {"", "[]", "[[]]", "[[\"DEFAULT\"]]", "[[0, 1]]",
        "[[0, 2, \"DEFAULT\"]]", "[[-1, \"DEFAULT\"]]", "[[0, 1, \"default\"]]",
        "[[0, 1, DEFAULT]]", "[[0, 1, \"DEFAULT\"]", "[[0, 1, \"DEFAULT\"]] x",
        "[[(0, 1), \"DEFAULT\"]]", "[[0, 1, \"DEFAULT\"], [0, \"DEFAULT\"]]",
        "[0, 1, \"DEFAULT\"]", "[[99999999999, \"DEFAULT\"]]"}) {
    EXPECT_THAT(Refusal(Pointwise("add", {ints, ints}, {ints}, rules)),
                HasSubstr("promotion_methods"))
        << rules;
  }
  LayoutCall call = AddOfAny({ints, ints}, ints);
  call.attributes.clear();
  EXPECT_THAT(Refusal(call), HasSubstr("promotion_methods is missing"));
}

TEST(PointwiseRefusal, Overlap) {
  const Placed a = Dense(kI8, {4}, Iota(4));
  Placed output = InPlaceOf(a, 0);
  output.shift = -1;
  EXPECT_THAT(Refusal(AddOfAny({a, a}, output)),
              HasSubstr("output 0 overlaps"));
  output.shift = 0;
  output.strides = {2};
  const Placed gapped = {kI8, {4}, {2}, Iota(4)};
  EXPECT_THAT(Refusal(AddOfAny({a, a}, output)),
              HasSubstr("output 0 overlaps"));
  Placed between = InPlaceOf(gapped, 0);
  between.shift = -1;
  EXPECT_EQ(RunSound(AddOfAny({gapped, gapped}, between)).status, ASSAY_OK)
      << "every other element is the other's";
  EXPECT_THAT(Refusal(AddOfAny({a, a}, {kI8, {4}, {0}})),
              HasSubstr("output 0 overlaps itself"));
  EXPECT_THAT(Refusal(AddOfAny({Dense(kI8, {2, 3}, Iota(6)), a}, a)),
              HasSubstr("input 1"));
  EXPECT_THAT(Refusal(AddOfAny({Dense(kI8, {2, 4}, Iota(8)), a},
                               {kI8, {2, 4}, {4, 1}, {}, false, 1, -4})),
              HasSubstr("output 0 overlaps input 1"));
  EXPECT_THAT(Refusal(AddOfAny({Dense(kI8, {2, 3}, Iota(6)), a},
                               {kI8, {2, 3}, {2, 1}})),
              HasSubstr("input 1"));
  EXPECT_THAT(Refusal(AddOfAny({a, a}, {kI8, {4}, {1}, {}, false, 1, 1})),
              HasSubstr("output 0 overlaps input 1"));
  EXPECT_THAT(
      Refusal(AddOfAny({Dense(kI8, {3, 2}, Iota(6)), Dense(kI8, {1}, {1})},
                       {kI8, {3, 2}, {1, 1}})),
      HasSubstr("output 0 overlaps itself"));
  const Placed f = Dense(kF32, {1}, {1});
  EXPECT_THAT(
      Refusal(Pointwise("polar", {f, f}, {InPlaceOf(f, 0), InPlaceOf(f, 0)},
                        "[[0,1,\"DEFAULT\"],[0,1,\"DEFAULT\"]]")),
      HasSubstr("output 1 overlaps output 0"));
}

TEST(PointwiseRefusal, NumbersOfOperands) {
  const Placed a = Dense(kI8, {1}, {1});
  EXPECT_THAT(Refusal(AddOfAny({a}, a)), HasSubstr("there are not 2 inputs"));
  EXPECT_THAT(Refusal(Pointwise("add", {a, a}, {a, a},
                                "[[0, 1, \"DEFAULT\"], [0, 1, \"DEFAULT\"]]")),
              HasSubstr("there are not 1 outputs"));
}

}  // namespace
}  // namespace assay::broken
