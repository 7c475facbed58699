// Tests powers of f32 against MPFR.
#include "backends/cuda/elementwise/power.h"

#include <gtest/gtest.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <algorithm>
#include <random>

#include "backends/calls/complex_reference_test_support.h"

namespace assay::cuda_test {
namespace {

using reference::Big;

// How far off the real value, in units in the last place of f32 there.
double ErrorOf(float x, float y) {
  const float result = cuda::ieee::Pow(x, y);
  mpfr_set_default_prec(200);
  const Big exact = Power(Big(x), Big(y));
  const double real = ToDouble(exact);
  if (isinf(result)) return fabs(real) >= 0x1.ffffffp127 ? 0 : HUGE_VAL;
  int exponent = 0;
  frexp(real, &exponent);
  const double unit = ldexp(1, std::max(exponent, -125) - 24);
  return ToDouble(Abs(Big(result) - exact)) / unit;
}

class Draw {
 public:
  uint32_t Bits() { return static_cast<uint32_t>(random_()); }
  double Between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_()) * 0x1p-64;
  }

 private:
  std::mt19937_64 random_{1};
};

// This is the bound that power.h states, plus the rounding.
constexpr double kBound = 0.5 + 0x1p-6;
constexpr int kCount = 100000;

TEST(PowerTest, IsRoundedOnceButForAFewBits) {
  Draw draw;
  double worst = 0;
  const auto see = [&](float x, float y) {
    const double error = ErrorOf(x, y);
    ASSERT_LE(error, kBound) << x << " " << y;
    worst = std::max(worst, error);
  };
  for (int i = 0; i < kCount; ++i) {
    // Bases and results have all sizes, subnormal ones included.
    const auto x = static_cast<float>(exp2(draw.Between(-149, 128)));
    const double log = log2(x);
    const double size = draw.Between(-151, 129);
    if (log != 0) see(x, static_cast<float>(size / log));
    // Bases are next to 1.
    const float near = 1 + static_cast<float>(draw.Bits() % 65536) * 0x1p-23f;
    if (near != 1) see(near, static_cast<float>(size / log2(near)));
    // Negative bases have whole exponents.
    const auto negative = static_cast<float>(draw.Between(-16, -0x1p-4));
    see(negative, static_cast<float>(draw.Bits() % 61) - 30);
  }
  printf("worst: %.5f\n", worst);
}

TEST(PowerTest, IsThatOfIeee754WhereAnOperandIsSpecial) {
  const float kValues[] = {0,
                           1,
                           2,
                           3,
                           0.5f,
                           2.5f,
                           0x1p-149f,
                           0x1p-126f,
                           0x1.fffffep-1f,
                           0x1.000002p+0f,
                           0x1.fffffep+22f,  // The largest with a fraction.
                           0x1.000002p+23f,  // An odd number.
                           0x1.fffffep+23f,  // The last odd number.
                           0x1p+24f,
                           0x1.fffffep+127f,
                           HUGE_VALF,
                           NAN};
  for (const float x : kValues) {
    for (const float y : kValues) {
      for (int signs = 0; signs < 4; ++signs) {
        const float a = signs % 2 == 0 ? x : -x;
        const float b = signs < 2 ? y : -y;
        const float result = cuda::ieee::Pow(a, b);
        const auto expected = static_cast<float>(pow(double{a}, double{b}));
        if (isnan(expected)) {
          EXPECT_TRUE(isnan(result)) << a << " " << b;
        } else {
          EXPECT_EQ(result, expected) << a << " " << b;
          EXPECT_EQ(signbit(result), signbit(expected)) << a << " " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::cuda_test
