// Tests both readings of logistic: accepted are the values within the budget of
// the real value, and the results of the steps, and nothing else.
#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <set>
#include <vector>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;

Expectation Evaluated(const std::string& id, const Tensor& operand,
                      const char* policy) {
  const FloatCall call = MakeFloatCall(id, {operand}, operand.type());
  const Policy& p = Policy::Find(policy);
  const Expectation counted =
      Evaluate(call.op, call.inputs, p, Marks::kCounted).outputs[0];
  const Expectation silent =
      Evaluate(call.op, call.inputs, p, Marks::kNone).outputs[0];
  for (int64_t i = 0; i < operand.size(); ++i)
    EXPECT_EQ(AllowedText(counted, i), AllowedText(silent, i));
  return counted;
}

template <class T>
T ValueAt(const Tensor& tensor, int64_t i) {
  return T::FromBits(static_cast<typename T::Bits>(tensor.Bits(i)));
}

bool AcceptsBits(const Expectation& expectation, int64_t i, ElementBits bits) {
  Tensor actual(expectation.lo.type());
  actual.SetBits(i, bits);
  return Accepts(expectation, actual, i);
}

// For a format with infinities, returns the results of the steps from every
// value of the exponential.
template <class T>
std::set<uint64_t> OfSteps(T least, T greatest) {
  std::set<uint64_t> results;
  const T one = T::Round(1).value;
  for (uint64_t code = least.magnitude(); code <= greatest.magnitude();
       ++code) {
    const T power = T::FromBits(static_cast<typename T::Bits>(code));
    results.insert((one / (one + power).value).value.ToBits());
  }
  return results;
}

template <class T>
void ExpectBothReadings(int64_t count, uint64_t step) {
  SCOPED_TRACE(Name(T::kElementType));
  Tensor x(TensorType{{count}, T::kElementType}), negated(x.type());
  for (int64_t i = 0; i < count; ++i) {
    x.SetBits(i, static_cast<ElementBits>(static_cast<uint64_t>(i) * step));
    const double value = ValueAt<T>(x, i).ToDouble();
    negated.SetBits(i, T::Round(-value).value.ToBits());
  }
  const Expectation both = Evaluated("logistic", x, "stablehlo");
  const Expectation real = Evaluated("logistic", x, "assay");
  const Expectation power = Evaluated("exponential", negated, "assay");
  int64_t more = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (ValueAt<T>(x, i).IsNan()) continue;
    const std::set<uint64_t> steps =
        OfSteps(ValueAt<T>(power.lo, i), ValueAt<T>(power.hi, i));
    // The candidates are 0, 1, and everything beside the right results.
    std::set<uint64_t> candidates = {0, T::Round(1).value.magnitude()};
    const auto add = [&](uint64_t code) {
      for (uint64_t beside = 0; beside < 7; ++beside)
        candidates.insert(std::max<uint64_t>(code + beside, 3) - 3);
    };
    for (const uint64_t code : steps) add(code);
    add(ValueAt<T>(real.lo, i).magnitude());
    add(ValueAt<T>(real.hi, i).magnitude());
    for (const uint64_t code : candidates) {
      const bool is_real = AcceptsBits(real, i, code);
      const bool is_step = steps.contains(code);
      more += is_step && !is_real;
      ASSERT_EQ(AcceptsBits(both, i, code), is_real || is_step)
          << ValueAt<T>(x, i).ToDouble() << ": " << code << " of "
          << AllowedText(both, i);
    }
  }
  EXPECT_GT(more, count / 100);
}

TEST(Logistic, ResultsOfRoundedStepsAreRightBesideTheRealValue) {
  ExpectBothReadings<Float<kF8E5M2>>(256, 1);
  ExpectBothReadings<Float<kF8E4M3>>(256, 1);
  ExpectBothReadings<Float<kF8E3M4>>(256, 1);
  ExpectBothReadings<Float<kF16>>(2048, 31);
  ExpectBothReadings<Float<kBF16>>(2048, 31);
}

TEST(Logistic, AnExponentialThatOverflowsGivesZeroAndNothingBeside) {
  const auto accepted = [](const char* policy, const char* x, double result) {
    const Expectation e = Evaluated("logistic", RowOfTexts(kF32, {x}), policy);
    return AcceptsBits(e, 0, F32::Round(result).value.ToBits());
  };
  const double real = std::exp(-89.0);
  EXPECT_FALSE(accepted("assay", "-89", 0));
  EXPECT_TRUE(accepted("assay", "-89", real));
  for (const char* policy : {"stablehlo", "numpy"}) {
    EXPECT_TRUE(accepted(policy, "-89", 0));
    EXPECT_TRUE(accepted(policy, "-89", real));
    EXPECT_FALSE(accepted(policy, "-89", -0.0));
    EXPECT_FALSE(accepted(policy, "-89", real / 2));
    EXPECT_FALSE(accepted(policy, "-88", 0));
  }
}

// e^8 is beyond 448, and e^2 beyond 6.
TEST(Logistic, WhatOverflowsWithoutAnInfinityIsAsThePolicyHasIt) {
  using Narrow = Float<kF8E4M3FN>;
  const auto text = [](ElementType type, const char* x, const char* policy) {
    return Evaluated("logistic", RowOfTexts(type, {x}), policy);
  };
  const ElementBits nan = Narrow::Nan().ToBits();
  const ElementBits real = Narrow::Round(std::exp(-8.0)).value.ToBits();
  const ElementBits saturated = Narrow::Round(1.0 / 448).value.ToBits();
  ASSERT_NE(real, saturated);
  const Expectation numpy = text(kF8E4M3FN, "-8", "numpy");
  EXPECT_TRUE(AcceptsBits(numpy, 0, nan));
  EXPECT_TRUE(AcceptsBits(numpy, 0, real));
  EXPECT_FALSE(AcceptsBits(numpy, 0, saturated));
  const Expectation stablehlo = text(kF8E4M3FN, "-8", "stablehlo");
  EXPECT_TRUE(AcceptsBits(stablehlo, 0, nan));
  EXPECT_TRUE(AcceptsBits(stablehlo, 0, real));
  EXPECT_TRUE(AcceptsBits(stablehlo, 0, saturated));
  EXPECT_FALSE(AcceptsBits(text(kF8E4M3FN, "-8", "assay"), 0, nan));
  // 1 / (1 + 6) is 1 / 6 with saturation, and nearer to 0 than to a half.
  const Expectation narrowest = text(kF4E2M1FN, "-2", "stablehlo");
  EXPECT_TRUE(AcceptsBits(narrowest, 0, BitsOfText(kF4E2M1FN, "0")));
  EXPECT_FALSE(AcceptsBits(narrowest, 0, BitsOfText(kF4E2M1FN, "1")));
}

using Complex = std::complex<double>;

ElementBits BitsOfComplex(Complex z) {
  return ComplexF32(F32::Round(z.real()).value, F32::Round(z.imag()).value)
      .ToBits();
}

// Computes in f32, with each step rounded once.
std::complex<float> OfComplexSteps(Complex z) {
  const Complex power = std::exp(-z);
  const std::complex<float> rounded(power);
  const std::complex<float> sum = 1.0f + rounded;
  return std::complex<float>(1.0 / Complex(sum));
}

TEST(Logistic, OfComplexNumbersNextToAPoleHasTheErrorsOfTheSteps) {
  const double pi = static_cast<float>(std::numbers::pi);
  std::vector<Complex> operands = {{0.0009765625, pi}, {-2, 1}, {5, -9}};
  for (int i = 1; i < 100; ++i) {
    const Complex turn = std::polar(1.0, 0.7 * i);
    operands.push_back(Complex(0, i % 2 == 0 ? pi : -3 * pi) +
                       turn / (8.0 * i));
  }
  int64_t beyond = 0;
  for (const Complex z : operands) {
    SCOPED_TRACE(testing::Message() << z);
    const Complex x(static_cast<float>(z.real()), static_cast<float>(z.imag()));
    Tensor operand(TensorType{{1}, kComplexF32});
    operand.SetBits(0, BitsOfComplex(x));
    const Expectation steps = Evaluated("logistic", operand, "stablehlo");
    const Expectation real = Evaluated("logistic", operand, "assay");
    const Complex w = 1.0 / (1.0 + std::exp(-x));
    EXPECT_FALSE(steps.IsOpen(0));
    const Complex by_steps(OfComplexSteps(x));
    EXPECT_TRUE(AcceptsBits(steps, 0, BitsOfComplex(by_steps)));
    EXPECT_TRUE(AcceptsBits(steps, 0, BitsOfComplex(w)));
    EXPECT_TRUE(AcceptsBits(real, 0, BitsOfComplex(w)));
    beyond += !AcceptsBits(real, 0, BitsOfComplex(by_steps));
    // The bound is ten times the error of an exponential of 4 units, and of the
    // other steps.
    const double relative =
        10 * (4 * std::abs(std::exp(-x) * w) + 1 + 8) * 0x1p-23;
    for (const double factor : {1 + relative, 1 - relative})
      EXPECT_FALSE(AcceptsBits(steps, 0, BitsOfComplex(w * factor)));
  }
  EXPECT_GE(beyond, 10);
}

TEST(Logistic, OfComplexNumbersIsOpenOnlyWhereTheStepsKnowNothing) {
  const auto evaluated = [](Complex z, const char* policy) {
    Tensor operand(TensorType{{1}, kComplexF32});
    operand.SetBits(0, BitsOfComplex(z));
    return Evaluated("logistic", operand, policy);
  };
  const double pi = static_cast<float>(std::numbers::pi);
  EXPECT_TRUE(evaluated({0, pi}, "stablehlo").IsOpen(0));
  EXPECT_FALSE(evaluated({0, pi}, "assay").IsOpen(0));
  // The exponential overflows, and the result does not.
  const Expectation far = evaluated({-89, 1}, "stablehlo");
  EXPECT_FALSE(far.IsOpen(0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Complex right :
       {Complex(0, 0), Complex(-0.0, 0), Complex(nan, nan), Complex(0, nan),
        std::exp(Complex(-89, 1))})
    EXPECT_TRUE(AcceptsBits(far, 0, BitsOfComplex(right))) << right;
  for (const Complex wrong : {Complex(1, 0), Complex(1e-30, 0)})
    EXPECT_FALSE(AcceptsBits(far, 0, BitsOfComplex(wrong))) << wrong;
  EXPECT_FALSE(
      AcceptsBits(evaluated({-89, 1}, "assay"), 0, BitsOfComplex({0, 0})));
}

}  // namespace
}  // namespace assay
