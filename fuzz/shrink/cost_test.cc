// Tests what counts as simpler for the shrinker: the order of values, types and
// cases, and the candidates that it tries.
#include "fuzz/shrink/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cases/search/choices.h"
#include "fuzz/draw/values.h"
#include "fuzz/fuzz_test_support.h"
#include "fuzz/shrink/simpler_values.h"

namespace assay {
namespace {

using enum ElementType;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

// Expects each of these bit patterns to cost more than the one before it.
void ExpectAscending(ElementType type, const std::vector<ElementBits>& order) {
  int64_t before = -1;
  for (const ElementBits bits : order) {
    EXPECT_GT(ValueCost(type, bits), before)
        << Name(type) << " " << static_cast<uint64_t>(bits);
    before = ValueCost(type, bits);
  }
}

TEST(ValueCost, OfWholeNumbersIsTheirDistanceFromZero) {
  ExpectAscending(kI8, {0, 1, 0xff, 2, 0xfe, 3, 0x7f, 0x80});
  ExpectAscending(kUi64, {0, 1, 2, 255, UINT32_MAX, uint64_t{1} << 40});
  ExpectAscending(kI1, {0, 1});
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (info.type != kF8E8M0FNU) {  // which has no zero
      EXPECT_EQ(ValueCost(info.type, 0), 0) << info.name;
    }
  }
}

TEST(ValueCost, OfFloatsIsTheOrderInWhichPeopleReadThem) {
  ExpectAscending(kF32, {
                            0,           // 0
                            0x3f800000,  // 1
                            0xbf800000,  // -1
                            0x40000000,  // 2
                            0x447fc000,  // 1023
                            0x3f000000,  // 0.5
                            0xbf000000,  // -0.5
                            0x3fc00000,  // 1.5
                            0x3eaaaaab,  // 1 / 3
                            0x7149f2ca,  // 1e30
                            0x80000000,  // -0
                            0x7f800000,  // inf
                            0xff800000,  // -inf
                            0x7fc00000,  // nan
                            0xffc00000,  // -nan
                            0x00000001,  // the least subnormal
                            0x80000001,
                        });
  ExpectAscending(kBF16, {0, 0x3f80, 0xbf80, 0x3f00, 0x8000, 0x7f80, 0x7fc0});
  ExpectAscending(kF8E4M3FN, {0, 0x38, 0x30, 0x80, 0x7f, 0x01});
  const auto complex = [](ElementBits real, ElementBits imaginary) {
    return imaginary << 32 | real;
  };
  ExpectAscending(kComplexF32,
                  {0, complex(0x3f800000, 0), complex(0x3f800000, 0x3f800000),
                   complex(0, 0x7fc00000)});
}

TEST(TypeCost, IsLeastOfWhatPeopleUse) {
  EXPECT_EQ(TypeCost(kI32), 0);
  std::set<int64_t> costs;
  for (const ElementTypeInfo& info : ElementTypes())
    costs.insert(TypeCost(info.type));
  EXPECT_EQ(costs.size(), ElementTypes().size()) << "no two cost the same";
  EXPECT_LT(TypeCost(kF32), TypeCost(kF64));
  EXPECT_LT(TypeCost(kF16), TypeCost(kF8E5M2));
  EXPECT_LT(TypeCost(kI8), TypeCost(kI2));
}

Cost CostOfText(const std::string& inputs, const std::string& more = "") {
  return CostOf(ParsedFrom("add", R"({"id": "a", "inputs": {)" + inputs + "}" +
                                      more + "}"),
                false);
}

std::string Operands(const std::string& lhs, const std::string& rhs) {
  return R"("lhs": {)" + lhs + R"(}, "rhs": {)" + rhs + "}";
}

TEST(CostOf, OrdersOpsRanksElementsLayoutsTypesAndValues) {
  const std::string plain = R"("type": "tensor<2xi32>", "data": [0, 0])";
  const Case two_ops = ParsedFrom("add", R"({"id": "a", "inputs": {
    "x": {"type": "tensor<i32>", "data": [0]}}, "program": [
    {"op": "add", "inputs": {"lhs": "x", "rhs": "x"}, "outputs": {"result": {"name": "t"}}},
    {"op": "add", "inputs": {"lhs": "t", "rhs": "x"}, "outputs": {"result": {"name": "u"}}}]})");
  const std::string i8 = R"("type": "tensor<2xi8>", "data": [0, 0])";
  const std::vector<Cost> ascending = {
      CostOfText(Operands(plain, plain)),
      CostOfText(Operands(plain, R"("type": "tensor<2xi32>", "data": [1, 1])")),
      CostOfText(Operands(plain, R"("type": "tensor<2xi32>", "data": [2, 2])")),
      CostOfText(Operands(plain, R"("type": "tensor<2xi32>", "data": [0, 1])")),
      CostOfText(Operands(i8, i8)),
      CostOfText(Operands(plain, plain + R"(, "offset": 1)")),
      CostOfText(Operands(plain, plain + R"(, "strides": [2])")),
      CostOfText(Operands(plain, plain + R"(, "strides": [-1], "offset": 1)")),
      CostOfText(Operands(plain, plain), R"(, "alias": {"result": "lhs"})"),
      CostOfText(Operands(R"("type": "tensor<3xi32>", "data": [0, 0, 0])",
                          R"("type": "tensor<3xi32>", "data": [0, 0, 0])")),
      CostOfText(Operands(R"("type": "tensor<1x2xi32>", "data": [0, 0])",
                          R"("type": "tensor<1x2xi32>", "data": [0, 0])")),
      CostOf(ParsedFrom("add", R"({"id": "a", "inputs": {)" +
                                   Operands(plain, plain) + "}}"),
             /*is_variant=*/true),
      CostOf(two_ops, false),
  };
  for (size_t i = 1; i < ascending.size(); ++i)
    EXPECT_LT(ascending[i - 1], ascending[i]) << i;
}

TEST(SimplerBits, CostLessAndTheCheapestComesFirst) {
  Choices choices(1, 1);
  for (const ElementTypeInfo& info : ElementTypes()) {
    for (int round = 0; round < 12; ++round) {
      const Tensor values =
          DrawValues(&choices, Profile::kBoundary, {{16}, info.type}, nullptr);
      for (int64_t i = 0; i < values.size(); ++i) {
        int64_t before = -1;
        std::set<ElementBits> seen;
        for (const ElementBits simpler :
             SimplerBits(info.type, values.Bits(i))) {
          const int64_t cost = ValueCost(info.type, simpler);
          EXPECT_GE(cost, before) << info.name;
          EXPECT_LT(cost, ValueCost(info.type, values.Bits(i))) << info.name;
          EXPECT_TRUE(seen.insert(simpler).second) << info.name;
          before = cost;
        }
      }
    }
  }
  // From 2^1000, a bug that needs 2^200 is ten steps away, not 800.
  const std::vector<ElementBits> scaled =
      SimplerBits(ElementType::kF64, BitsOfNumber(ElementType::kF64, 0x1p1000));
  EXPECT_THAT(scaled, IsSupersetOf({BitsOfNumber(ElementType::kF64, 0x1p500),
                                    BitsOfNumber(ElementType::kF64, 0x1p750),
                                    BitsOfNumber(ElementType::kF64, 0x1p999)}));
  EXPECT_THAT(SimplerBits(kI32, 0), IsEmpty());
  EXPECT_THAT(SimplerBits(kI1, 1), ElementsAre(0));
  EXPECT_THAT(SimplerBits(kUi8, 20),
              ElementsAre(0, 1, 2, 3, 4, 10, 15, 18, 19));
  EXPECT_THAT(SimplerBits(kI8, 0xfe), ElementsAre(0, 1, 0xff, 2));
}

TEST(BitsOfOne, AreOne) {
  EXPECT_EQ(BitsOfOne(kI1), 1u);
  EXPECT_EQ(BitsOfOne(kF32), 0x3f800000u);
  EXPECT_EQ(BitsOfOne(kUi2), 1u);
}

TEST(SimplerLayouts, KeepOrderAndSignsAndDropGaps) {
  // The layout has columns first, upwards, with 3 elements between them.
  const Layout layout{{4, -40}, 120};
  const Shape shape = {2, 4};
  std::vector<Strides> strides;
  for (const Layout& simpler : SimplerLayouts(layout, shape)) {
    strides.push_back(simpler.strides);
    const Layout at_zero{simpler.strides, 0};
    EXPECT_EQ(simpler.offset, -at_zero.ExtentOf(shape)->below)
        << "no element below zero, and none above it for nothing";
  }
  EXPECT_THAT(strides, ElementsAre(ElementsAre(1, -2), ElementsAre(1, 2),
                                   ElementsAre(1, -2), ElementsAre(1, 2),
                                   ElementsAre(2, -4), ElementsAre(5, 1)));
  for (const Layout& simpler : SimplerLayouts({{0, 7}, 3}, shape)) {
    EXPECT_TRUE(simpler.strides[0] == 0 || simpler.strides == Strides({5, 1}));
  }
}

}  // namespace
}  // namespace assay
