// Tests what policies say of dot_general: types of products, precisions, orders
// that are those of reduce.
#include <gmock/gmock.h>

#include "oracle/contraction/dot_test_support.h"

namespace assay {
namespace {

using enum ElementType;
using BFloat = Float<kBF16>;

std::vector<F32> F32s(const std::vector<float>& values) {
  std::vector<F32> all;
  for (const float value : values)
    all.push_back(F32::FromBits(std::bit_cast<uint32_t>(value)));
  return all;
}

bool AllowsF32(const std::vector<float>& lhs, const std::vector<float>& rhs,
               float result, const std::string& policy,
               const std::string& precision = "DEFAULT") {
  const FloatCall call =
      DotCall(VectorOf(F32s(lhs)), VectorOf(F32s(rhs)), kF32, precision);
  return AllowsFirst(EvaluateDot(call, policy),
                     std::bit_cast<uint32_t>(result));
}

TEST(DotGeneral, RoundsFactorsOnlyWhereAPolicyDoes) {
  // 257 has nine bits: bf16 has eight, and TensorFloat32 has eleven.
  EXPECT_TRUE(AllowsF32({257}, {1}, 257, "assay"));
  EXPECT_FALSE(AllowsF32({257}, {1}, 256, "assay"));
  EXPECT_TRUE(AllowsF32({257}, {1}, 256, "stablehlo"));
  EXPECT_FALSE(AllowsF32({257}, {1}, 256, "stablehlo", "HIGH"));
  EXPECT_FALSE(AllowsF32({256}, {1}, 255.99998f, "stablehlo"));
  EXPECT_TRUE(AllowsF32({4097}, {1}, 4096, "stablehlo", "HIGH"));
  const Policy tf32 = Policy::Find("assay").With("dot_precision", "tf32");
  const FloatCall call =
      DotCall(VectorOf(F32s({4097})), VectorOf(F32s({1})), kF32);
  const Evaluation evaluation =
      Evaluate(call.op, call.inputs, tf32, Marks::kNone);
  for (const float value : {4096.0f, 4097.0f})
    EXPECT_TRUE(AllowsFirst(evaluation, std::bit_cast<uint32_t>(value)));
  EXPECT_FALSE(AllowsF32({4097}, {1}, 4096, "stablehlo", "HIGHEST"));
}

// A factor below the least normal value of bf16 may become zero, or the least
// subnormal one.
TEST(DotGeneral, MayLoseSmallFactorsWhole) {
  const std::vector<float> small = {0x1p-134f}, large = {0x1p100f};
  for (const float value : {0.0f, 0x1p-34f, 0x1p-33f})
    EXPECT_TRUE(AllowsF32(small, large, value, "stablehlo")) << value;
  for (const float value : {-0x1p-33f, 0x1p-32f})
    EXPECT_FALSE(AllowsF32(small, large, value, "stablehlo")) << value;
  EXPECT_FALSE(AllowsF32(small, large, 0, "stablehlo", "HIGHEST"));
  EXPECT_FALSE(AllowsF32(small, large, 0, "assay"));
}

TEST(DotGeneral, AnInfinityByWhatIsFlushedMayBeNan) {
  const float infinity = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : {infinity, nan})
    EXPECT_TRUE(AllowsF32({infinity}, {0x1p-130f}, value, "flush")) << value;
  EXPECT_FALSE(AllowsF32({infinity}, {0x1p-130f}, -infinity, "flush"));
  EXPECT_FALSE(AllowsF32({infinity}, {0x1p-120f}, nan, "flush"));
  EXPECT_FALSE(AllowsF32({infinity}, {0x1p-130f}, nan, "assay"));
}

TEST(DotGeneral, HasTwoReadingsOfAWiderResult) {
  const Policy& assay = Policy::Find("assay");
  const Tensor lhs = IntegerTensor({{2}, kI8}, {100, 1});
  const Tensor rhs = IntegerTensor({{2}, kI8}, {100, 1});
  const FloatCall call = DotCall(lhs, rhs, kI32);
  // 100 * 100 is 16 in eight bits.
  const auto allowed = [&](const Policy& policy) {
    const Evaluation evaluation =
        Evaluate(call.op, call.inputs, policy, Marks::kNone);
    std::vector<int64_t> values;
    for (const int64_t value : {10001, 17, 16}) {
      if (AllowsFirst(evaluation, static_cast<ElementBits>(value)))
        values.push_back(value);
    }
    return values;
  };
  EXPECT_THAT(allowed(assay.With("dot_product_type", "result")),
              testing::ElementsAre(10001));
  EXPECT_THAT(allowed(assay.With("dot_product_type", "operand")),
              testing::ElementsAre(17));
  EXPECT_THAT(allowed(assay.With("dot_product_type", "either")),
              testing::ElementsAre(10001, 17));
}

TEST(DotGeneral, AddsProductsOfOneElementAsTheyAre) {
  // 1.1 * 1.3 lies between two values, and only the nearest one is right.
  const float nearest = 1.1f * 1.3f;
  EXPECT_TRUE(AllowsF32({1.1f}, {1.3f}, nearest, "assay"));
  EXPECT_FALSE(
      AllowsF32({1.1f}, {1.3f}, std::nextafter(nearest, 2.0f), "assay"));
  EXPECT_FALSE(
      AllowsF32({1.1f}, {1.3f}, std::nextafter(nearest, 0.0f), "assay"));
}

TEST(DotGeneral, KnowsWhichZerosAreRight) {
  EXPECT_TRUE(AllowsF32({-0.0f, 0}, {1, -1}, -0.0f, "assay"));
  EXPECT_TRUE(AllowsF32({-0.0f, 0}, {1, -1}, 0.0f, "assay"));
  EXPECT_FALSE(AllowsF32({1, -1}, {1, 1}, -0.0f, "assay"));
  EXPECT_FALSE(AllowsF32({0, 0}, {1, 1}, -0.0f, "assay"));
  EXPECT_FALSE(AllowsF32({}, {}, -0.0f, "assay"));
}

TEST(DotGeneral, MayOverflowWhereAnOrderDoes) {
  const std::vector<float> lhs = {3e38f, 3e38f, -3e38f}, ones = {1, 1, 1};
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(AllowsF32(lhs, ones, infinity, "assay"));
  EXPECT_TRUE(AllowsF32(lhs, ones, 3e38f, "assay"));
  EXPECT_FALSE(AllowsF32(lhs, ones, -infinity, "assay"));
  EXPECT_FALSE(AllowsF32({1e38f, 1e38f}, {1, 1}, infinity, "assay"));
}

// In the order of reduce, of four products that are rounded, few sums are left.
TEST(DotGeneral, MayBeInTheOrderOfReduce) {
  const Policy in_order =
      Policy::Find("assay").With("contraction_order", "in_order");
  const FloatCall call = DotCall(VectorOf(F32s({33554432, 1, -33554432, 1})),
                                 VectorOf(F32s({1, 1, 1, 1})), kF32);
  const Evaluation evaluation =
      Evaluate(call.op, call.inputs, in_order, Marks::kNone);
  const auto allows = [&](float value) {
    return AllowsFirst(evaluation, std::bit_cast<uint32_t>(value));
  };
  // A 1 is lost beside a term of 2^25, and is not if it comes last.
  EXPECT_TRUE(allows(0));
  EXPECT_TRUE(allows(1));
  // Adding the large terms first is another order.
  EXPECT_FALSE(allows(2));
  EXPECT_TRUE(AllowsF32({33554432, 1, -33554432, 1}, {1, 1, 1, 1}, 2, "assay"));
}

}  // namespace
}  // namespace assay
