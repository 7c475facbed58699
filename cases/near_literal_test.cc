#include "cases/near_literal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace assay {
namespace {

ElementBits F32(float value) { return std::bit_cast<uint32_t>(value); }
ElementBits C64(float real, float imag) { return F32(real) | F32(imag) << 32; }

bool Near(float a, float b, const Nearness& nearness) {
  return IsNear(ElementType::kF32, F32(a), F32(b), nearness);
}

TEST(NearLiteral, ZerosAreOneAndSoAreNans) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(Near(0.0f, -0.0f, {}));
  EXPECT_TRUE(Near(kNan, -kNan, {}));
  EXPECT_FALSE(Near(kNan, 1, {1e30, INT64_MAX}));
  EXPECT_TRUE(Near(kInfinity, kInfinity, {}));
  EXPECT_FALSE(Near(kInfinity, 3e38f, {1e300, INT64_MAX}));
  EXPECT_FALSE(Near(kInfinity, -kInfinity, {1e300, INT64_MAX}));
}

TEST(NearLiteral, ADifferenceIsAbsoluteOrInUnits) {
  EXPECT_FALSE(Near(1, std::nextafter(1.0f, 2.0f), {}));
  EXPECT_TRUE(Near(1, std::nextafter(1.0f, 2.0f), {0, 1}));
  EXPECT_FALSE(Near(1, 1.00000024f, {0, 1}));
  EXPECT_TRUE(Near(1, 1.5f, {0.5, 0}));
  EXPECT_FALSE(Near(1, 1.5f, {0.49, 0}));
  // Across zero, of which there is one.
  EXPECT_TRUE(Near(1.4e-45f, -1.4e-45f, {0, 2}));
  EXPECT_FALSE(Near(1.4e-45f, -1.4e-45f, {0, 1}));
  // A format without a sign has its neighbours too.
  EXPECT_TRUE(IsNear(ElementType::kF8E8M0FNU, 0x7f, 0x80, {0, 1}));
  EXPECT_FALSE(IsNear(ElementType::kF8E8M0FNU, 0x7f, 0x80, {}));
}

TEST(NearLiteral, AnElementMovesToAnAllowedOneThatIsNear) {
  Expectation expectation(TensorType({3}, ElementType::kF32));
  Tensor literal(expectation.lo.type());
  for (int64_t i = 0; i < 3; ++i) expectation.lo.SetBits(i, F32(-0.0f));
  literal.SetBits(0, F32(0.0f));
  literal.SetBits(1, F32(1e-5f));
  literal.SetBits(2, F32(1));
  const Tensor moved = MovedToAllowed(literal, {1e-4, 0}, expectation);
  EXPECT_EQ(moved.Bits(0), F32(-0.0f));
  EXPECT_EQ(moved.Bits(1), F32(-0.0f));
  EXPECT_EQ(moved.Bits(2), F32(1)) << "too far";
  EXPECT_EQ(literal.Bits(0), F32(0.0f)) << "stays as it is";
}

TEST(NearLiteral, ComplexNumbersMoveByPart) {
  Expectation expectation(TensorType({2}, ElementType::kComplexF32));
  expectation.hi = Tensor(expectation.lo.type());
  Tensor literal(expectation.lo.type());
  for (int64_t i = 0; i < 2; ++i) {
    expectation.lo.SetBits(i, C64(1, 2));
    expectation.hi.SetBits(i, C64(1.5f, 3));
  }
  literal.SetBits(0, C64(1.6f, 1.9f));
  literal.SetBits(1, C64(1.6f, 1));
  const Tensor moved = MovedToAllowed(literal, {0.2, 0}, expectation);
  EXPECT_EQ(moved.Bits(0), C64(1.5f, 2));
  EXPECT_EQ(moved.Bits(1), C64(1.6f, 1)) << "one part is too far";
}

}  // namespace
}  // namespace assay
