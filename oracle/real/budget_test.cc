// Tests budgets of every kind against their definition, in MPFR with 300 bits:
// the last values that are accepted satisfy it, and the next ones do not.
// Policy cuda_fast has all kinds.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "oracle/judge.h"
#include "oracle/real/budget_test_support.h"

namespace assay {
namespace {

using enum ElementType;

// A BigReal is a real number.
class BigReal {
 public:
  BigReal(double x = 0) {  // implicit: tests are formulas
    mpfr_init2(value_, 300);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  BigReal(const BigReal& other) : BigReal() {
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  BigReal& operator=(const BigReal& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~BigReal() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

template <int (*kFunction)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
BigReal FunctionOf(const BigReal& x) {
  BigReal result;
  kFunction(result.get(), x.get(), MPFR_RNDN);
  return result;
}
template <int (*kFunction)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
BigReal FunctionOf(const BigReal& x, const BigReal& y) {
  BigReal result;
  kFunction(result.get(), x.get(), y.get(), MPFR_RNDN);
  return result;
}
BigReal operator+(const BigReal& x, const BigReal& y) {
  return FunctionOf<mpfr_add>(x, y);
}
BigReal operator-(const BigReal& x, const BigReal& y) {
  return FunctionOf<mpfr_sub>(x, y);
}
BigReal operator*(const BigReal& x, const BigReal& y) {
  return FunctionOf<mpfr_mul>(x, y);
}
BigReal operator/(const BigReal& x, const BigReal& y) {
  return FunctionOf<mpfr_div>(x, y);
}
bool operator<=(const BigReal& x, const BigReal& y) {
  return mpfr_lessequal_p(x.get(), y.get()) != 0;
}
BigReal BigMagnitude(const BigReal& x) {
  BigReal result;
  mpfr_abs(result.get(), x.get(), MPFR_RNDN);
  return result;
}
BigReal BigPowerOfTwo(double exponent) {
  return FunctionOf<mpfr_exp2>(BigReal(exponent));
}

// Returns the unit of a format, by Harrison: the distance of the two values
// nearest to r.
template <class T>
BigReal BigUnit(const BigReal& r) {
  const int binade = static_cast<int>(mpfr_get_exp(r.get())) - 1;
  const bool is_power = BigMagnitude(r) <= BigPowerOfTwo(binade) &&
                        BigPowerOfTwo(binade) <= BigMagnitude(r);
  const int k =
      std::clamp(binade - (is_power ? 1 : 0), T::kFormat.min_exponent(),
                 T::kFormat.max_exponent());
  return BigPowerOfTwo(k - T::kFormat.mantissa_bits);
}

// An Allowance has the real value, and the numbers that a budget allows before
// the last rounding, or with `as_it_is` as the result itself.
struct Allowance {
  BigReal real;
  BigReal below, above;  // the least and the greatest number
  bool as_it_is = false;
};
Allowance AllowAround(const BigReal& real, const BigReal& error,
                      bool as_it_is = false) {
  return {real, real - error, real + error, as_it_is};
}

// Returns whether a value satisfies the definition.
template <class T>
bool IsAllowedBy(const Allowance& a, T y) {
  const BigReal value = y.ToDouble();
  if (a.as_it_is) return a.below <= value && value <= a.above;
  // Numbers between the midpoints to its neighbours are rounded to the value.
  const auto middle = [&](int step) {
    const auto bits = static_cast<typename T::Bits>(
        y.ToBits() + static_cast<typename T::Bits>(step));
    return (value + BigReal(T::FromBits(bits).ToDouble())) / BigReal(2);
  };
  const bool away = !y.SignBit();
  return a.below <= middle(away ? 1 : -1) && middle(away ? -1 : 1) <= a.above;
}

// Returns the next value up or down.
template <class T>
T NextValue(T x, bool up) {
  const int step = x.SignBit() == up ? -1 : 1;
  return T::FromBits(static_cast<typename T::Bits>(
      x.ToBits() + static_cast<typename T::Bits>(step)));
}

// Checks that the ends are the last values that satisfy the definition, except
// for those that the function's range cuts off, and that the judge says so.
template <class T>
void ExpectBudgetEnds(const std::string& op,
                      const std::vector<double>& operands,
                      const Allowance& allowance, double least = -HUGE_VAL,
                      double greatest = HUGE_VAL) {
  SCOPED_TRACE(fmt::format("{} {} {}", op, Name(T::kElementType),
                           testing::PrintToString(operands)));
  const Expectation e = ExpectedByFast(op, T::kElementType, operands);
  ASSERT_FALSE(e.IsOpen(0));
  const auto accepts = [&](T y) {
    Tensor actual(e.lo.type());
    actual.SetBits(0, y.ToBits());
    return Judge(e, actual).ok();
  };
  const auto expect_end = [&](const Tensor& end, bool up) {
    const T last = T::FromBits(static_cast<typename T::Bits>(end.Bits(0)));
    const double limit = up ? greatest : least;
    EXPECT_TRUE(accepts(last));
    EXPECT_TRUE(IsAllowedBy(allowance, last)) << last.ToDouble();
    if (last.ToDouble() == limit) return;
    ASSERT_FALSE(last.IsZero() || last.IsInfinite());
    EXPECT_FALSE(accepts(NextValue(last, up)));
    EXPECT_FALSE(IsAllowedBy(allowance, NextValue(last, up)))
        << last.ToDouble();
  };
  expect_end(e.lo, false);
  expect_end(e.hi, true);
}

std::vector<float> DrawBetween(int count, double least, double greatest) {
  std::mt19937_64 random(7);
  std::vector<float> all;
  for (int i = 0; i < count; ++i) {
    const double part = std::ldexp(static_cast<double>(random() >> 11), -53);
    all.push_back(static_cast<float>(least + part * (greatest - least)));
  }
  return all;
}

TEST(Budget, OfUnitsThatGrowWithTheOperand) {
  for (const float x : DrawBetween(300, -80, 80)) {
    const BigReal real = FunctionOf<mpfr_exp>(BigReal(x));
    const double units = 2 + std::floor(1.173 * std::fabs(double{x}));
    ExpectBudgetEnds<F32>(
        "exponential", {x},
        AllowAround(real, BigReal(units) * BigUnit<F32>(real)));
  }
  // The units grow by one where 1.173 x is next to a whole number.
  const float below = std::nextafter(float(5 / 1.173), 0.0f);
  const float above = std::nextafter(float(5 / 1.173), 9.0f);
  for (const auto& [x, units] : {std::pair(below, 6), std::pair(above, 7)}) {
    const BigReal real = FunctionOf<mpfr_exp>(BigReal(x));
    ExpectBudgetEnds<F32>(
        "exponential", {x},
        AllowAround(real, BigReal(units) * BigUnit<F32>(real)));
  }
}

TEST(Budget, OfOpsThatTheTextWantsExact) {
  const std::vector<float> x = DrawBetween(300, -4, 4),
                           y = DrawBetween(301, 0.5, 9);
  for (size_t i = 0; i < x.size(); ++i) {
    const BigReal quotient = BigReal(x[i]) / BigReal(y[i + 1]);
    ExpectBudgetEnds<F32>(
        "divide", {x[i], y[i + 1]},
        AllowAround(quotient, BigReal(2) * BigUnit<F32>(quotient)));
    const BigReal root = FunctionOf<mpfr_sqrt>(BigReal(y[i]));
    ExpectBudgetEnds<F32>(
        "sqrt", {y[i]},
        AllowAround(root, root * BigPowerOfTwo(-23), /*as_it_is=*/true));
    const BigReal inverse = FunctionOf<mpfr_rec_sqrt>(BigReal(y[i]));
    ExpectBudgetEnds<F32>(
        "rsqrt", {y[i]},
        AllowAround(inverse, inverse * BigPowerOfTwo(-22.9), true));
  }
  // Some results are values, and some quotients have ends that lie halfway.
  ExpectBudgetEnds<F32>(
      "divide", {3, 2},
      AllowAround(BigReal(1.5), BigReal(2) * BigPowerOfTwo(-23)));
  ExpectBudgetEnds<F32>(
      "sqrt", {6.25},
      AllowAround(BigReal(2.5), BigReal(2.5) * BigPowerOfTwo(-23), true));
  // In f64, and under other policies, they are exact.
  for (const auto& [op, operands] :
       {std::pair("divide", std::vector<double>{1, 3}),
        std::pair("sqrt", std::vector<double>{2})}) {
    EXPECT_FALSE(ExpectedByFast(op, kF64, operands).reals.has_value());
    EXPECT_FALSE(ExpectedByFast(op, kF32, operands, "assay").reals.has_value());
    EXPECT_TRUE(ExpectedByFast(op, kF32, operands).reals.has_value());
  }
}

TEST(Budget, OfAnAbsoluteErrorOnAnInterval) {
  const auto expect_log = [](float x) {
    const BigReal real = FunctionOf<mpfr_log>(BigReal(x));
    ExpectBudgetEnds<F32>(
        "log", {x},
        x >= 0.5f && x <= 2.0f
            ? AllowAround(real, BigPowerOfTwo(-21.41), true)
            : AllowAround(real, BigReal(3) * BigUnit<F32>(real)));
  };
  for (const float x : DrawBetween(200, 0.4, 2.2)) expect_log(x);
  // Both ends are in, and the next numbers are out; beside 1 signs may change.
  for (const float end : {0.5f, 2.0f}) {
    expect_log(end);
    expect_log(std::nextafter(end, 0.0f));
    expect_log(std::nextafter(end, 3.0f));
  }
  expect_log(1.0000001f);
  const Expectation beside_one = ExpectedByFast("log", kF32, {1.0000001f});
  EXPECT_TRUE(F32::FromBits(beside_one.lo.As<F32>()[0]).SignBit());
  EXPECT_FALSE(F32::FromBits(beside_one.hi.As<F32>()[0]).SignBit());

  const float pi = 3.1415925f;  // the last below
  const struct {
    float least, greatest;
    double exponent;
  } parts[] = {{0, pi, 0},
               {std::nextafter(pi, 4.0f), 6.2831850f, -20.5},
               {6.2831855f, 314.15924f, -14.7}};
  for (const auto& part : parts) {
    std::vector<float> operands = DrawBetween(60, part.least, part.greatest);
    operands.push_back(part.greatest);
    if (part.least > 0) operands.push_back(part.least);
    for (const float magnitude : operands) {
      for (const float x : {magnitude, -magnitude}) {
        const bool is_first = part.exponent == 0;
        ExpectBudgetEnds<F32>(
            "sine", {x},
            AllowAround(FunctionOf<mpfr_sin>(BigReal(x)),
                        BigPowerOfTwo(is_first ? -21.41 : part.exponent), true),
            -1, 1);
        ExpectBudgetEnds<F32>(
            "cosine", {x},
            AllowAround(FunctionOf<mpfr_cos>(BigReal(x)),
                        BigPowerOfTwo(is_first ? -21.19 : part.exponent), true),
            -1, 1);
      }
    }
  }
  // An absolute error is the same for an operand that is next to 0.
  for (const float x : {1e-20f, 1e-38f, 1e-45f, -1e-40f})
    ExpectBudgetEnds<F32>("sine", {x},
                          AllowAround(FunctionOf<mpfr_sin>(BigReal(x)),
                                      BigPowerOfTwo(-21.41), true));
}

TEST(Budget, OfARelativeError) {
  for (const float x : DrawBetween(300, -6, 6)) {
    const BigReal real = FunctionOf<mpfr_tanh>(BigReal(x));
    const BigReal error = BigMagnitude(real) * BigPowerOfTwo(-11);
    ExpectBudgetEnds<F32>("tanh", {x}, AllowAround(real, error, true), -1, 1);
  }
  // If values are farther apart than that, the nearest is accepted.
  const Expectation subnormal = ExpectedByFast("tanh", kF32, {0x1p-149});
  EXPECT_EQ(subnormal.lo.Bits(0), 1u);
  EXPECT_EQ(subnormal.hi.Bits(0), 1u);
}

// Returns the tangents of the angle's neighbours, and 2 units.
Allowance OfAngle(float x, double error) {
  const BigReal real = FunctionOf<mpfr_tan>(BigReal(x));
  const BigReal below = FunctionOf<mpfr_tan>(BigReal(x) - BigPowerOfTwo(error));
  const BigReal above = FunctionOf<mpfr_tan>(BigReal(x) + BigPowerOfTwo(error));
  const BigReal units = BigReal(2) * BigUnit<F32>(real);
  return {real, below - units, above + units};
}

TEST(Budget, OfAnErrorOfTheOperand) {
  for (const float x : DrawBetween(200, -3.1, 3.1))
    ExpectBudgetEnds<F32>("tan", {x}, OfAngle(x, -20.79));
  for (const float x : DrawBetween(100, 3.2, 6.28))
    ExpectBudgetEnds<F32>("tan", {x}, OfAngle(x, -20));
  for (const float x : DrawBetween(100, -314, -6.3))
    ExpectBudgetEnds<F32>("tan", {x}, OfAngle(x, -14.2));
  // The operands are 4.4e-8 and 1.2e-6 from a pole: the error reaches it from
  // the first and not from the second.
  EXPECT_TRUE(ExpectedByFast("tan", kF32, {1.57079637f}).IsOpen(0));
  ExpectBudgetEnds<F32>("tan", {1.5707975f}, OfAngle(1.5707975f, -20.79));

  for (const float x : DrawBetween(300, -80, 20)) {
    // The error is r (1 - r) (e^error - 1), and the roundings of a sum and a
    // quotient.
    const BigReal one(1), e = FunctionOf<mpfr_exp>(BigReal(-x)),
                          real = one / (one + e);
    const BigReal error =
        (BigReal(2.5) + BigReal(1.173) * BigMagnitude(BigReal(x))) *
        BigPowerOfTwo(-23);
    const BigReal of_operand =
        real * (e / (one + e)) * (FunctionOf<mpfr_exp>(error) - one);
    ExpectBudgetEnds<F32>(
        "logistic", {x},
        AllowAround(real, of_operand + real * BigPowerOfTwo(-24) +
                              BigReal(2) * BigUnit<F32>(real)),
        0, 1);
  }
  ExpectBudgetEnds<F32>(
      "logistic", {3.4028234663852886e38},
      AllowAround(BigReal(1), BigReal(3) * BigPowerOfTwo(-24)), 0, 1);
}

// Returns 2 to a power that is off by |y| (absolute + relative |log2(x)|).
Allowance OfPower(float x, float y, double absolute, double relative) {
  const BigReal logarithm = FunctionOf<mpfr_log2>(BigReal(x));
  const BigReal error =
      BigMagnitude(BigReal(y)) *
      (BigReal(absolute) + BigReal(relative) * BigMagnitude(logarithm));
  const BigReal exponent = BigReal(y) * logarithm;
  const BigReal real = FunctionOf<mpfr_exp2>(exponent);
  const BigReal units = BigReal(2) * BigUnit<F32>(real);
  return {real, FunctionOf<mpfr_exp2>(exponent - error) - units,
          FunctionOf<mpfr_exp2>(exponent + error) + units};
}

TEST(Budget, OfAPowerIsThatOfItsLogarithm) {
  for (const float x : DrawBetween(200, 0.5, 2))
    ExpectBudgetEnds<F32>("power", {x, 9.5f},
                          OfPower(x, 9.5f, 0x1p-22, 0x1p-24));
  for (const float x : DrawBetween(100, 2.1, 1e4))
    ExpectBudgetEnds<F32>("power", {x, -3.25f},
                          OfPower(x, -3.25f, 0, 1.25 * 0x1p-22));
  // Beside 1 the exponent multiplies an error of the logarithm that is as large
  // as elsewhere, until nothing of the result is known.
  const float x = 1 + 0x1p-20f;
  ExpectBudgetEnds<F32>("power", {x, 0x1.8p21f},
                        OfPower(x, 0x1.8p21f, 0x1p-22, 0x1p-24));
  EXPECT_FALSE(ExpectedByFast("power", kF32, {x, 0x1.5p21f}).IsOpen(0));
  EXPECT_TRUE(ExpectedByFast("power", kF32, {x, 0x1p22f}).IsOpen(0));
  EXPECT_TRUE(ExpectedByFast("power", kF32, {x, -0x1p22f}).IsOpen(0));
}

TEST(Budget, OfAtan2IsOpenBeyondWhereDivisionIsStated) {
  const std::vector<float> x = DrawBetween(200, -4, 4),
                           y = DrawBetween(201, -9, 9);
  for (size_t i = 0; i < x.size(); ++i) {
    const BigReal real =
        FunctionOf<mpfr_atan2>(BigReal(x[i]), BigReal(y[i + 1]));
    ExpectBudgetEnds<F32>(
        "atan2", {x[i], y[i + 1]},
        AllowAround(real, BigReal(3) * BigUnit<F32>(real) +
                              BigMagnitude(real) * BigPowerOfTwo(-22)),
        -3.14159274f, 3.14159274f);
  }
  EXPECT_FALSE(ExpectedByFast("atan2", kF32, {0x1p126, -0x1p126}).IsOpen(0));
  EXPECT_TRUE(ExpectedByFast("atan2", kF32, {0x1.000002p126, 1}).IsOpen(0));
  EXPECT_TRUE(ExpectedByFast("atan2", kF32, {1, -0x1.000002p126}).IsOpen(0));
}

// The result is computed in f32 with its errors, and rounded once more.
template <class T>
void ExpectNarrow() {
  const auto value = [](double x) { return T::Round(x).value.ToDouble(); };
  for (const float drawn : DrawBetween(100, 0.51, 1.99)) {
    const double x = value(drawn);
    if (x != 1) {  // an exact zero
      ExpectBudgetEnds<T>(
          "log", {x},
          AllowAround(FunctionOf<mpfr_log>(BigReal(x)), BigPowerOfTwo(-21.41)));
    }
    ExpectBudgetEnds<T>(
        "sine", {x},
        AllowAround(FunctionOf<mpfr_sin>(BigReal(x)), BigPowerOfTwo(-21.41)),
        -1, 1);
    ExpectBudgetEnds<T>(
        "cosine", {x},
        AllowAround(FunctionOf<mpfr_cos>(BigReal(x)), BigPowerOfTwo(-21.19)),
        -1, 1);
    const BigReal tanh = FunctionOf<mpfr_tanh>(BigReal(x));
    ExpectBudgetEnds<T>("tanh", {x},
                        AllowAround(tanh, tanh * BigPowerOfTwo(-11)), -1, 1);
    const BigReal root = FunctionOf<mpfr_sqrt>(BigReal(x));
    ExpectBudgetEnds<T>(
        "sqrt", {x}, AllowAround(root, BigReal(0.51 - 0.5) * BigUnit<T>(root)));
  }
}

TEST(Budget, OfNarrowerFloatsHasARoundingMore) {
  ExpectNarrow<Float<kF16>>();
  ExpectNarrow<Float<kBF16>>();
  ExpectNarrow<Float<kF8E4M3>>();
  ExpectNarrow<Float<kF8E5M2>>();
}

}  // namespace
}  // namespace assay
