// The complex functions against those of GNU MPC, on the operands that are
// hardest, and at points where the results are known.
#include "backends/cuda/elementwise/complex_functions.h"

#include <gtest/gtest.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limits>
#include <optional>
#include <string>

#include "backends/calls/complex_reference_test_support.h"
#include "backends/cuda/elementwise/complex_operands_test_support.h"
#include "backends/cuda/elementwise/complex_ops.h"

namespace assay::cuda_test {
namespace {

using cuda::Complex;
using reference::BigComplex;
using reference::ReferenceFunction;

template <class T>
struct Function {
  const char* op;
  double budget;
  Complex<T> (*of)(const Complex<T>& a, const Complex<T>& b, bool* undecided);
};

template <class T>
using C = const Complex<T>&;

template <class T>
const Function<T> kFunctions[] = {
    {"abs", 2,
     [](C<T> z, C<T>, bool*) {
       return Complex<T>{cuda::ComplexAbs(z), 0};
     }},
    {"atan2", 8,
     [](C<T> y, C<T> x, bool*) { return cuda::ComplexAtan2(y, x); }},
    {"cbrt", 8, [](C<T> z, C<T>, bool*) { return cuda::ComplexCbrt(z); }},
    {"cosine", 4, [](C<T> z, C<T>, bool*) { return cuda::ComplexCosine(z); }},
    {"divide", 8,
     [](C<T> a, C<T> b, bool*) { return cuda::ComplexDivide(a, b); }},
    {"exponential", 4,
     [](C<T> z, C<T>, bool*) { return cuda::ComplexExponential(z); }},
    {"exponential_minus_one", 4,
     [](C<T> z, C<T>, bool*) { return cuda::ComplexExponentialMinusOne(z); }},
    {"log", 4, [](C<T> z, C<T>, bool*) { return cuda::ComplexLog(z); }},
    {"log_plus_one", 4,
     [](C<T> z, C<T>, bool*) { return cuda::ComplexLogPlusOne(z); }},
    {"logistic", 8,
     [](C<T> z, C<T>, bool*) { return cuda::ComplexLogistic(z); }},
    {"multiply", 4,
     [](C<T> a, C<T> b, bool*) { return cuda::ComplexMultiply(a, b); }},
    {"power", 8, cuda::ComplexPower<T>},
    {"rsqrt", 8, [](C<T> z, C<T>, bool*) { return cuda::ComplexRsqrt(z); }},
    {"sign", 8, [](C<T> z, C<T>, bool*) { return cuda::ComplexSign(z); }},
    {"sine", 4, [](C<T> z, C<T>, bool*) { return cuda::ComplexSine(z); }},
    {"sqrt", 4, [](C<T> z, C<T>, bool*) { return cuda::ComplexSqrt(z); }},
    {"tan", 8, [](C<T> z, C<T>, bool*) { return cuda::ComplexTan(z); }},
    {"tanh", 8, [](C<T> z, C<T>, bool*) { return cuda::ComplexTanh(z); }},
};

template <class T>
const Function<T>& FunctionOf(const char* op) {
  for (const Function<T>& f : kFunctions<T>) {
    if (strcmp(f.op, op) == 0) return f;
  }
  ADD_FAILURE() << op;
  abort();
}

template <class T>
Complex<T> Result(const char* op, C<T> a, C<T> b, bool* undecided) {
  return FunctionOf<T>(op).of(a, b, undecided);
}

class ComplexFunctions : public testing::TestWithParam<ReferenceFunction> {
 protected:
  // A root or a logarithm of atan2 is taken on its cut, so that the signs of
  // zeros that its formula makes tell the sides, which MPFR's need not be.
  static bool IsOnCut(const BigComplex& y, const BigComplex& x) {
    const BigComplex iy = reference::kI * y;
    const BigComplex square = (x + iy) * (x - iy);
    const BigComplex w = (x + iy) / By(mpc_sqrt, square);
    const BigComplex inner = By(mpc_conj, x) * y;
    return (IsZero(square.im()) && !(0 < ToDouble(square.re()))) ||
           (IsZero(inner.re()) && IsNegative(w.re()));
  }

  template <class T>
  static void ExpectClose(const ReferenceFunction& reference) {
    constexpr int kCount = 400;
    const double budget = FunctionOf<T>(reference.op).budget;
    const bool is_power = strcmp(reference.op, "power") == 0;
    const bool is_atan2 = strcmp(reference.op, "atan2") == 0;
    Operands<T> operands(1);
    double worst = 0;
    int judged = 0;
    for (int i = 0; i < kCount; ++i) {
      const Complex<T> a = operands.One();
      const Complex<T> b = is_power ? operands.Exponent() : operands.Other(a);
      mpfr_set_default_prec(ReferenceFunction::kBits);
      if (is_atan2 && IsOnCut({a.real, a.imag}, {b.real, b.imag})) continue;
      bool undecided = false;
      const Complex<T> z = Result<T>(reference.op, a, b, &undecided);
      if (undecided) continue;
      const std::optional<double> error =
          UlpError(z.real, z.imag, reference(a.real, a.imag, b.real, b.imag));
      if (!error) continue;
      ++judged;
      worst = fmax(worst, *error);
      char text[200];
      snprintf(text, sizeof(text), "%s (%a, %a) (%a, %a) gave (%a, %a)",
               reference.op, double{a.real}, double{a.imag}, double{b.real},
               double{b.imag}, double{z.real}, double{z.imag});
      EXPECT_LE(*error, budget / 2) << text;
    }
    EXPECT_GT(judged, kCount / 4);
    printf("%-22s complex<f%d>: %.3f of %g ulp, %d judged\n", reference.op,
           static_cast<int>(8 * sizeof(T)), worst, budget, judged);
  }
};

INSTANTIATE_TEST_SUITE_P(Ops, ComplexFunctions,
                         testing::ValuesIn(reference::kReferenceFunctions),
                         [](const auto& test) { return test.param.op; });

TEST_P(ComplexFunctions, StayWithinHalfTheBudget) {
  ExpectClose<float>(GetParam());
  ExpectClose<double>(GetParam());
}

// The calls must end, whatever the results are.
TEST_P(ComplexFunctions, EndOnOperandsThatAreNotFinite) {
  const double odd[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0, 1.5, -1e308};
  for (const double w : odd) {
    for (const double x : odd) {
      for (const double y : odd) {
        bool undecided = false;
        Result<double>(GetParam().op, {w, x}, {y, w}, &undecided);
        Result<float>(
            GetParam().op, {static_cast<float>(w), static_cast<float>(x)},
            {static_cast<float>(y), static_cast<float>(w)}, &undecided);
      }
    }
  }
}

struct Known {
  const char* op;
  Complex<double> a;
  Complex<double> b;
  Complex<double> result;
};

// These results need no reference. They are the same in f32 and f64 except for
// one rounding. The signs of zeros tell the sides of cuts; elsewhere zeros
// compare equal.
TEST(ComplexFunctionsAt, PointsThatAreKnown) {
  const double root3 = sqrt(3);
  const double big = 0x1p120;
  const Complex<double> none = {0, 0};
  const Known known[] = {
      {"sqrt", {-9, 0.0}, none, {0, 3}},
      {"sqrt", {-9, -0.0}, none, {0, -3}},
      {"sqrt", none, none, none},
      {"sqrt", {-3, -4}, none, {1, -2}},
      {"rsqrt", {-0.25, 0.0}, none, {0, -2}},
      {"rsqrt", {-0.25, -0.0}, none, {0, 2}},
      {"cbrt", {-27, 0.0}, none, {1.5, 1.5 * root3}},
      {"cbrt", {-27, -0.0}, none, {1.5, -1.5 * root3}},
      {"cbrt", none, none, none},
      {"log", {-1, 0.0}, none, {0, M_PI}},
      {"log", {-1, -0.0}, none, {0, -M_PI}},
      {"log", {0, 1}, none, {0, M_PI_2}},
      {"log", none, none, {-HUGE_VAL, 0}},
      {"log_plus_one", {-2, 0.0}, none, {0, M_PI}},
      {"log_plus_one", {-2, -0.0}, none, {0, -M_PI}},
      {"log_plus_one", none, none, none},
      {"exponential", none, none, {1, 0}},
      {"exponential", {-1e9, 1}, none, none},
      {"exponential", {1e9, 0}, none, {HUGE_VAL, 0}},
      {"exponential_minus_one", none, none, none},
      {"exponential_minus_one", {-1e9, 1}, none, {-1, 0}},
      {"logistic", none, none, {0.5, 0}},
      {"logistic", {1e9, 3}, none, {1, 0}},
      {"logistic", {-1e9, 3}, none, none},
      {"sine", none, none, none},
      {"cosine", none, none, {1, 0}},
      {"tan", none, none, none},
      {"tan", {3, 1e9}, none, {0, 1}},
      {"tanh", {-1e9, 3}, none, {-1, 0}},
      {"sign", none, none, none},
      {"sign", {-3, 4}, none, {-0.6, 0.8}},
      {"sign", {3 * big, 4 * big}, none, {0.6, 0.8}},
      {"abs", none, none, none},
      {"abs", {3 * big, -4 * big}, none, {5 * big, 0}},
      {"multiply", {1, 2}, {3, 4}, {-5, 10}},
      {"divide", {-5, 10}, {3, 4}, {1, 2}},
      {"divide", {big, big}, {big, -big}, {0, 1}},
      {"atan2", {1, 0}, {-1, 0}, {0.75 * M_PI, 0}},
      {"atan2", {-1, 0}, {-1, 0}, {-0.75 * M_PI, 0}},
      {"atan2", {-2, 0}, none, {-M_PI_2, 0}},
      {"power", none, none, {1, 0}},
      {"power", none, {0.5, -3}, none},
      {"power", {-4, 0.0}, {0.5, 0}, {0, 2}},
      {"power", {-4, -0.0}, {0.5, 0}, {0, -2}},
      {"power", {1, 2}, {2, 0}, {-3, 4}},
      {"power", {1, -1}, {4, 0}, {-4, 0}},
      {"power", {-1, 0}, {0x1p24 - 1, 0}, {-1, 0}},
      {"power", {0, 1}, {1e30, 0}, {1, 0}},
      {"power", {0.5, 0.25}, {1e30, 7}, none},
  };
  const auto expect = [&]<class T>(T epsilon) {
    for (const Known& k : known) {
      bool undecided = false;
      const Complex<T> z = Result<T>(k.op, cuda::ConvertComplex<T>(k.a),
                                     cuda::ConvertComplex<T>(k.b), &undecided);
      EXPECT_FALSE(undecided) << k.op;
      // The angles contain the bits of pi that f64 lacks.
      const Complex<T> want = cuda::ConvertComplex<T>(k.result);
      const T room = epsilon * fmax(fabs(want.real), fabs(want.imag)) / 4;
      EXPECT_TRUE(z.real == want.real || fabs(z.real - want.real) < room)
          << k.op << " " << z.real << " " << want.real;
      EXPECT_TRUE(z.imag == want.imag || fabs(z.imag - want.imag) < room)
          << k.op << " " << z.imag << " " << want.imag;
    }
  };
  expect(std::numeric_limits<float>::epsilon());
  expect(std::numeric_limits<double>::epsilon());
}

TEST(ComplexFunctionsAt, OverflowAndUnderflowInBetween) {
  const double huge = 0x1p1023;
  const double tiny = 0x1p-1074;
  bool undecided = false;
  const auto expect = [&](const char* op, C<double> a, C<double> b,
                          C<double> want) {
    const Complex<double> z = Result<double>(op, a, b, &undecided);
    EXPECT_EQ(z.real, want.real) << op;
    EXPECT_EQ(z.imag, want.imag) << op;
  };
  expect("abs", {3 * tiny, 4 * tiny}, {}, {5 * tiny, 0});
  expect("sign", {-3 * tiny, 4 * tiny}, {}, {-0.6, 0.8});
  expect("sqrt", {0, huge}, {}, {0x1p511, 0x1p511});
  expect("sqrt", {0, 2 * tiny}, {}, {0x1p-537, 0x1p-537});
  expect("divide", {huge, huge}, {huge, -huge}, {0, 1});
  expect("divide", {tiny, 3 * tiny}, {tiny, tiny}, {2, 1});
  // The products are infinite, but their difference is not.
  expect("multiply", {huge, 0}, {1.5, -1}, {1.5 * huge, -huge});
  expect("multiply", {huge, huge}, {2, 1.5}, {huge / 2, HUGE_VAL});
  expect("sine", {tiny, tiny}, {}, {tiny, tiny});
  expect("tan", {tiny, -tiny}, {}, {tiny, -tiny});
  expect("log_plus_one", {-tiny, tiny}, {}, {-tiny, tiny});
  expect("atan2", {tiny, 0}, {1, 0}, {tiny, 0});
}

TEST(ComplexFunctionsAt, NanAndInfinity) {
  const double nan = NAN;
  for (const double x : {0.0, 1.0, HUGE_VAL}) {
    for (const Complex<double>& z :
         {cuda::ComplexSign(Complex<double>{nan, x}),
          cuda::ComplexSign(Complex<double>{x, nan})}) {
      EXPECT_TRUE(isnan(z.real) && isnan(z.imag));
    }
    EXPECT_EQ(cuda::ComplexAbs(Complex<double>{x, -HUGE_VAL}), HUGE_VAL);
  }
  EXPECT_EQ(cuda::ComplexAbs(Complex<float>{-HUGE_VALF, NAN}), HUGE_VALF);
  EXPECT_TRUE(isnan(cuda::ComplexAbs(Complex<double>{nan, 1})));
}

// The angle is 2^60 times an angle that is not a simple fraction of a turn; f32
// needs fewer digits of it.
TEST(ComplexFunctionsAt, PowersOfTooLargeAnglesAreUndecided) {
  bool undecided = false;
  const Complex<float> near = {0.6F, 0.8F};
  const Complex<float> known =
      cuda::ComplexPower(near, {0x1p20F, 0}, &undecided);
  EXPECT_TRUE(isfinite(known.real) && !undecided);
  cuda::ComplexPower(Complex<double>{3, 4}, {-0x1p60, 0}, &undecided);
  EXPECT_FALSE(undecided) << "is zero";
  cuda::ComplexPower(Complex<double>{3, 4}, {0x1p60, 0}, &undecided);
  EXPECT_FALSE(undecided) << "is infinite";
  cuda::ComplexPower(Complex<double>{3, 4}, {1, 0x1p60}, &undecided);
  EXPECT_FALSE(undecided) << "is zero";
  cuda::ComplexPower(Complex<double>{1, 0}, {-HUGE_VAL, 3}, &undecided);
  EXPECT_FALSE(undecided) << "is anything";
  cuda::ComplexPower(Complex<double>{0.6, 0.8}, {0x1p60, 0}, &undecided);
  EXPECT_TRUE(undecided);
}

// A NaN is not lost in the magnitudes and scales that functions compute.
TEST(ComplexFunctions, OfNanAreNan) {
  const cuda::Parameters parameters = {};
  const auto all_nan = [&](auto op) {
    for (const Complex<double> z :
         {Complex<double>{NAN, 0}, Complex<double>{0, NAN}}) {
      const auto result = op(z, parameters);
      const auto* parts = reinterpret_cast<const double*>(&result);
      for (size_t i = 0; i < sizeof(result) / sizeof(double); ++i)
        EXPECT_TRUE(isnan(parts[i])) << op.kName;
    }
  };
  const int ops = 13;
  for (int op = 0; op < ops; ++op) cuda::ComplexUnary::Visit(op, all_nan);
  EXPECT_EQ(cuda::ComplexUnary::Find("tanh", 1), ops - 1) << "all of them";
  cuda::ComplexMagnitudes::Visit(0, all_nan);
  const Complex<double> one = {1, 1}, nan = {1, NAN};
  cuda::ComplexBinary::Visit(
      cuda::ComplexBinary::Find("power", 2), [&](auto op) {
        EXPECT_TRUE(isnan(op(one, nan, parameters).real));
        EXPECT_TRUE(isnan(op(nan, one, parameters).imag));
      });
}

}  // namespace
}  // namespace assay::cuda_test
