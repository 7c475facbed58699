// Tests arithmetic and elementary functions of sums of two doubles against
// MPFR, for the errors that the comments and the function power rely on.
#include "backends/cuda/elementwise/double_double.h"

#include <gtest/gtest.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <random>

#include "backends/calls/complex_reference_test_support.h"
#include "backends/cuda/elementwise/complex_logarithm.h"
#include "backends/cuda/elementwise/elementary.h"

namespace assay::cuda_test {
namespace {

using cuda::DoubleDouble;
using reference::Big;
using reference::BigComplex;

constexpr int kCount = 2000;

Big ToBig(const DoubleDouble& x) { return Big(x.hi) + Big(x.lo); }

// Worst records the largest relative error, which must be at most 2^bound.
class Worst {
 public:
  Worst(const char* what, double bound) : what_(what), bound_(bound) {
    mpfr_set_default_prec(800);
  }
  ~Worst() {
    printf("%-16s 2^%.2f\n", what_, log2(worst_));
    EXPECT_LE(log2(worst_), bound_) << what_;
  }
  void See(const DoubleDouble& value, const Big& exact) {
    EXPECT_EQ(value.hi + value.lo, value.hi) << what_;
    if (IsZero(exact)) {
      EXPECT_EQ(value.hi, 0) << what_;
      return;
    }
    const double error = ToDouble(Abs((ToBig(value) - exact) / exact));
    worst_ = fmax(worst_, error);
  }

 private:
  const char* what_;
  double bound_;
  double worst_ = 0;
};

class Numbers {
 public:
  // Returns a number with 2^low <= |x| < 2^(high + 1) and a second part of any
  // size.
  DoubleDouble Between(int low, int high) {
    const double hi = Double(low, high);
    const double lo =
        ldexp(Double(-20, -1), static_cast<int>(floor(log2(fabs(hi)))) - 53);
    return cuda::FastTwoSum(hi, random_() % 4 == 0 ? 0 : lo);
  }
  double Double(int low, int high) {
    const double fraction = 1 + static_cast<double>(random_() >> 12) * 0x1p-52;
    const int range = high - low + 1;
    const int exponent =
        low + static_cast<int>(random_() % static_cast<uint64_t>(range));
    return ldexp(random_() % 2 == 0 ? fraction : -fraction, exponent);
  }

 private:
  std::mt19937_64 random_{1};
};

TEST(DoubleDouble, Arithmetic) {
  Worst sum("sum", -104.4);
  Worst part_sum("sum with double", -104.9);
  Worst product("product", -103.4);
  Worst part_product("by double", -104.9);
  Worst quotient("quotient", -102.1);
  Worst root("square root", -102.1);
  Numbers numbers;
  for (int i = 0; i < 20 * kCount; ++i) {
    const DoubleDouble a = numbers.Between(-10, 10);
    DoubleDouble b = numbers.Between(-10, 10);
    if (i % 3 == 0) b = {-a.hi, a.lo + numbers.Double(-60, -50) * a.lo};
    const Big x = ToBig(a);
    const Big y = ToBig(b);
    sum.See(a + b, x + y);
    part_sum.See(a + b.hi, x + b.hi);
    product.See(a * b, x * y);
    part_product.See(a * b.hi, x * b.hi);
    quotient.See(a / b, x / y);
    const DoubleDouble size = a.hi < 0 ? -a : a;
    root.See(cuda::Sqrt(size), Sqrt(ToBig(size)));
  }
}

// Nearly all of a b + c d and of x^2 + y^2 - 1 cancels.
TEST(DoubleDouble, ExactSum) {
  Worst products("a b + c d", -104.9);
  Worst excess("x^2 + y^2 - 1", -104.9);
  Numbers numbers;
  for (int i = 0; i < 5 * kCount; ++i) {
    const double a = numbers.Double(-3, 3);
    const double b = numbers.Double(-3, 3);
    const double c = nextafter(a, numbers.Double(-3, 3));
    const double d = i % 2 == 0 ? nextafter(-a * b / c, numbers.Double(-3, 3))
                                : numbers.Double(-60, -3);
    const DoubleDouble first = cuda::TwoProduct(a, b);
    const DoubleDouble second = cuda::TwoProduct(c, d);
    double terms[] = {second.lo, first.lo, second.hi, first.hi};
    products.See(cuda::ExactSum(terms), Big(a) * b + Big(c) * d);

    const double x = i % 2 == 0 ? cos(a) : 1 - numbers.Double(-50, -3);
    const double y = i % 2 == 0 ? sin(a) : numbers.Double(-60, -1);
    const DoubleDouble of_x = cuda::TwoProduct(x, x);
    const DoubleDouble of_y = cuda::TwoProduct(y, y);
    double squares[] = {of_x.lo, of_y.lo, of_y.hi, of_x.hi, -1};
    excess.See(cuda::ExactSum(squares), Big(x) * x + Big(y) * y - 1);
  }
}

TEST(DoubleDouble, PowersOfTwo) {
  EXPECT_EQ(cuda::PowerOfTwo(-1022), 0x1p-1022);
  EXPECT_EQ(cuda::PowerOfTwo(1023), 0x1p1023);
  EXPECT_EQ(cuda::ExponentOf(0x1.8p-1022), -1022);
  EXPECT_EQ(cuda::ExponentOf(-0x1p-1074), -1022);
  EXPECT_EQ(cuda::ExponentOf(-0x1.8p1022), 1022);
  EXPECT_EQ(cuda::ExponentOf(0x1p1023), 1022);
  EXPECT_EQ(cuda::TimesPowerOfTwo(0x1.0000000000001p0, -1022),
            0x1.0000000000001p-1022);
  // The number is slightly more than halfway to an even one, which rounding
  // twice would lose.
  EXPECT_EQ(cuda::TimesPowerOfTwo(0x1.8000000000001p0, -1074), 0x1p-1073);
  EXPECT_EQ(cuda::TimesPowerOfTwo(0x1.4000000000001p1, -1074), 0x3p-1074);
  EXPECT_EQ(cuda::TimesPowerOfTwo(-1.0, 5000), -HUGE_VAL);
  EXPECT_EQ(cuda::TimesPowerOfTwo(0x1p-30, 1053), 0x1p1023);
}

using cuda::Digits;

// These are the accuracies of Digits::kEnough and Digits::kAll.
constexpr double kEnough = -63;
constexpr double kAll = -103;

TEST(Elementary, Exponentials) {
  Worst exp("exp", kEnough);
  Worst minus_one("exp - 1", kEnough);
  Worst of_small("all of exp - 1", kAll);
  Numbers numbers;
  for (int i = 0; i < kCount; ++i) {
    const DoubleDouble x = numbers.Between(-12, 8);
    exp.See(cuda::Exp(x), Exp(ToBig(x)));
    const DoubleDouble y = numbers.Between(-90, 4);
    minus_one.See(cuda::ExpMinusOne(y), ExpMinusOne(ToBig(y)));
    const DoubleDouble small = numbers.Between(-90, -3);
    of_small.See(cuda::ExpMinusOneOfSmall<Digits::kAll>(small),
                 ExpMinusOne(ToBig(small)));
  }
}

TEST(Elementary, Logarithms) {
  Worst log("log", kEnough);
  Worst plus_one("log(1 + x)", kEnough);
  Numbers numbers;
  for (int i = 0; i < kCount; ++i) {
    DoubleDouble x =
        i % 2 == 0 ? numbers.Between(-900, 900) : numbers.Between(-2, 1);
    if (x.hi < 0) x = -x;
    log.See(cuda::Log(x), Log(ToBig(x)));
    DoubleDouble y = numbers.Between(-300, 3);
    if (y.hi < -0.9) y = -y;
    plus_one.See(cuda::LogPlusOne(y), Log(ToBig(y) + 1));
  }
}

// The errors are relative to each part of the logarithm. The numbers are near
// the unit circle too, and have any exponents.
TEST(Elementary, ComplexLogarithms) {
  Worst size("log |z|", kEnough);
  Worst angle("angle of z", kEnough);
  Worst all_of_size("all of log |z|", log2(cuda::kLogarithmError));
  Worst all_of_angle("all of angle", log2(cuda::kLogarithmError));
  Numbers numbers;
  for (int i = 0; i < kCount; ++i) {
    const int range = i % 3 == 0 ? 900 : 4;
    double x = numbers.Double(-range, range);
    double y = numbers.Double(-range, range);
    if (i % 3 == 1) {
      y = sin(x);
      x = cos(x);
    }
    if (x > 0 && fabs(y) / 0x1p-968 < x) continue;
    mpfr_set_default_prec(2400);
    const BigComplex exact = By(mpc_log, BigComplex{x, y});
    const auto log = cuda::LogarithmOf<Digits::kEnough>({x, y});
    size.See(log.real, exact.re());
    angle.See(log.imag, exact.im());
    const auto all_of_log = cuda::LogarithmOf<Digits::kAll>({x, y});
    all_of_size.See(all_of_log.real, exact.re());
    all_of_angle.See(all_of_log.imag, exact.im());
  }
}

// The angles are doubles nearest to multiples of pi / 2, any doubles, and the
// small angles that a Newton step takes.
TEST(Elementary, SineAndCosine) {
  Worst sine("sine", kEnough);
  Worst cosine("cosine", kEnough);
  Worst all_of_sine("all of sine", kAll);
  Worst all_of_cosine("all of cosine", kAll);
  Numbers numbers;
  mpfr_set_default_prec(1400);
  for (const double x : {0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+1,
                         0x1.921fb54442d18p+0, 0x1p1023}) {
    const auto pair = cuda::SinCos(DoubleDouble{x});
    sine.See(pair.sine, Sin(Big(x)));
    cosine.See(pair.cosine, Cos(Big(x)));
  }
  for (int i = 0; i < kCount; ++i) {
    const double x = numbers.Double(-30, i % 2 == 0 ? 1023 : 3);
    const auto pair = cuda::SinCos(DoubleDouble{x});
    sine.See(pair.sine, Sin(Big(x)));
    cosine.See(pair.cosine, Cos(Big(x)));
    const DoubleDouble angle = {fmod(x, M_PI)};
    const auto all = cuda::SinCos<Digits::kAll>(angle);
    all_of_sine.See(all.sine, Sin(Big(angle.hi)));
    all_of_cosine.See(all.cosine, Cos(Big(angle.hi)));
  }
  const auto infinite = cuda::SinCos(DoubleDouble{HUGE_VAL});
  EXPECT_TRUE(isnan(infinite.sine.hi) && isnan(infinite.cosine.hi));
}

// These are the angles of powers, up to the largest that f32 allows. Errors are
// relative to 1.
TEST(Elementary, SineAndCosineOfTwoDoubles) {
  Numbers numbers;
  mpfr_set_default_prec(400);
  double worst = 0;
  for (int i = 0; i < kCount; ++i) {
    const DoubleDouble x = numbers.Between(-4, 80);
    const auto pair = cuda::SinCos(x);
    for (const Big& error : {ToBig(pair.sine) - Sin(ToBig(x)),
                             ToBig(pair.cosine) - Cos(ToBig(x))}) {
      worst = fmax(worst, ToDouble(Abs(error)));
    }
  }
  EXPECT_LE(log2(worst), kEnough);
}

TEST(Elementary, Angles) {
  Worst angle("atan2", kEnough);
  Worst all_of_angle("all of atan2", kAll);
  Numbers numbers;
  for (int i = 0; i < kCount; ++i) {
    const int range = i % 2 == 0 ? 300 : 2;
    const DoubleDouble y = numbers.Between(-range, range);
    const DoubleDouble x = numbers.Between(-range, range);
    const Big exact = ATan2(ToBig(y), ToBig(x));
    angle.See(cuda::ATan2(y, x), exact);
    all_of_angle.See(cuda::ATan2<Digits::kAll>(y, x), exact);
  }
}

}  // namespace
}  // namespace assay::cuda_test
