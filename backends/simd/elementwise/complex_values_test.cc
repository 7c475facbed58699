// Tests complex functions at points where the result is known without a
// library: zeros and infinities, the sides of cuts, overflow and underflow of
// intermediate results, whole powers; and in every floating-point environment
// that a caller may have.
#include <fenv.h>
#include <float.h>
#include <gtest/gtest.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <xmmintrin.h>

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/complex_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {
namespace {

using Z = std::complex<double>;

Z Result(const std::string& op, const Z& a) {
  const Parts<double> parts = Results<double>(op, {{a.real(), a.imag()}});
  return {parts[0], parts[1]};
}

Z Result(const std::string& op, const Z& a, const Z& b) {
  const Parts<double> parts =
      Results<double>(op, {{a.real(), a.imag()}, {b.real(), b.imag()}});
  return {parts[0], parts[1]};
}

bool IsNan(const Z& z) { return isnan(z.real()) && isnan(z.imag()); }

TEST(ComplexValues, SidesOfCuts) {
  const double pi = M_PI;
  const double root3 = 1.7320508075688772;
  for (const double side : {0.0, -0.0}) {
    const double s = copysign(1, side);
    EXPECT_EQ(Result("sqrt", {-4, side}), Z(0, 2 * s));
    EXPECT_EQ(Result("rsqrt", {-4, side}), Z(0, -0.5 * s));
    EXPECT_EQ(Result("cbrt", {-8, side}), Z(1, root3 * s));
    EXPECT_EQ(Result("log", {-1, side}), Z(0, pi * s));
    EXPECT_EQ(Result("log_plus_one", {-2, side}), Z(0, pi * s));
    EXPECT_EQ(Result("power", {-4, side}, {0.5, 0}).imag(), 2 * s);
    EXPECT_EQ(Result("sqrt", {4, side}), Z(2, 0));
    EXPECT_EQ(Result("log", {1, side}), Z(0, 0));
  }
}

TEST(ComplexValues, Zero) {
  for (const double re : {0.0, -0.0}) {
    for (const double im : {0.0, -0.0}) {
      const Z zero = {re, im};
      for (const char* op :
           {"abs", "sign", "sqrt", "cbrt", "exponential_minus_one",
            "log_plus_one", "sine", "tan", "tanh"}) {
        EXPECT_EQ(Result(op, zero), Z(0, 0)) << op;
      }
      EXPECT_EQ(Result("exponential", zero), Z(1, 0));
      EXPECT_EQ(Result("cosine", zero), Z(1, 0));
      EXPECT_EQ(Result("logistic", zero), Z(0.5, 0));
      EXPECT_EQ(Result("power", zero, zero), Z(1, 0));
      EXPECT_EQ(Result("power", zero, {0.5, -3}), Z(0, 0));
      EXPECT_EQ(Result("power", {3, INFINITY}, zero), Z(1, 0));
    }
  }
}

TEST(ComplexValues, NanAndInfinity) {
  for (const double x : {0.0, 1.0, double{INFINITY}}) {
    EXPECT_TRUE(IsNan(Result("sign", {NAN, x})));
    EXPECT_TRUE(IsNan(Result("sign", {x, NAN})));
    EXPECT_EQ(Result("abs", {-INFINITY, x}), Z(INFINITY, 0));
    EXPECT_EQ(Result("abs", {x, -INFINITY}), Z(INFINITY, 0));
  }
  EXPECT_EQ(Result("abs", {NAN, INFINITY}), Z(INFINITY, 0));
  EXPECT_TRUE(isnan(Result("abs", {NAN, 1}).real()));
}

TEST(ComplexValues, NothingOverflowsOrUnderflowsInBetween) {
  const double big = 0x1p1023;
  const double small = 0x1p-1074;
  EXPECT_EQ(Result("abs", {0x3p1020, 0x4p1020}), Z(0x5p1020, 0));
  EXPECT_EQ(Result("abs", {3 * small, 4 * small}), Z(5 * small, 0));
  EXPECT_EQ(Result("sign", {0x3p1020, -0x4p1020}), Z(0.6, -0.8));
  EXPECT_EQ(Result("sign", {-3 * small, 4 * small}), Z(-0.6, 0.8));
  EXPECT_EQ(Result("sqrt", {0, big}), Z(0x1p511, 0x1p511));
  EXPECT_EQ(Result("sqrt", {0, 2 * small}), Z(0x1p-537, 0x1p-537));
  EXPECT_EQ(Result("divide", {big, big}, {big, -big}), Z(0, 1));
  EXPECT_EQ(Result("divide", {small, small}, {small, small}), Z(1, 0));
  EXPECT_EQ(Result("multiply", {1.5 * big, big}, {1.5, big / big}),
            Z(1.25 * big, INFINITY));
  EXPECT_EQ(Result("multiply", {1.5 * big, big}, {1, 1}).real(), big / 2);
  // The products are beyond f64, but their difference is not.
  EXPECT_EQ(Result("multiply", {big, big}, {2, 1.5}).real(), big / 2);
  EXPECT_EQ(Result("exponential", {-800, 1}), Z(0, 0));
  EXPECT_EQ(Result("logistic", {-1e308, 1}), Z(0, 0));
  EXPECT_EQ(Result("logistic", {1e308, 1}), Z(1, 0));
  EXPECT_EQ(Result("tanh", {-1e308, 1}), Z(-1, 0));
  EXPECT_EQ(Result("tan", {1e308, 1e308}), Z(0, 1));
}

// The angle of a base on an axis or a diagonal is exact.
TEST(ComplexValues, WholePowers) {
  const double even = 1e18;
  const double odd = 0x1p52 + 1;
  for (const double s : {1.0, -1.0}) {
    EXPECT_EQ(Result("power", {-1, 0}, {s * even, 0}).real(), 1);
    EXPECT_EQ(Result("power", {-1, 0}, {s * odd, 0}).real(), -1);
    EXPECT_EQ(Result("power", {0, s}, {odd, 0}).imag(), s);
    EXPECT_EQ(Result("power", {0, s}, {1e300, 0}).real(), 1);
  }
  EXPECT_EQ(Result("power", {2, 0}, {10, 0}), Z(1024, 0));
  const Z square = Result("power", {1, 2}, {2, 0});
  EXPECT_EQ(square, Z(-3, 4));
  EXPECT_EQ(Result("power", {0.5, 0.25}, {1e300, 7}), Z(0, 0));
}

// The angle of the power is 2^60 times the angle of a base within 2^-50 of the
// unit circle.
TEST(ComplexValues, PowersWhoseAngleIsNotKnownAreDeclined) {
  const FloatInput base = InputOf<double>({0.6, 0.8});
  const FloatInput exponent = InputOf<double>({0x1p60, 0});
  const auto a = MakeTensor(base, 1, {});
  const auto b = MakeTensor(exponent, 1, {});
  const auto out = MakeTensor(base, 1, {});
  std::string message;
  EXPECT_EQ(RunOp({"power", "", ""}, {a->assay(), b->assay()}, out->assay(),
                  &message),
            ASSAY_UNSUPPORTED);
  EXPECT_NE(message.find("angle"), std::string::npos) << message;
  // f32 needs 29 bits less of the angle.
  const Parts<float> known =
      Results<float>("power", {{0.6f, 0.8f}, {0x1p24f, 0}});
  EXPECT_TRUE(isfinite(known[0]) && isfinite(known[1]));
}

// Computes in `environment` of SSE and `control` of the x87 unit, and checks
// that both are the same afterwards.
Raw ResultIn(const char* op, const std::vector<AssayTensor>& operands,
             unsigned environment, uint16_t control) {
  const FloatInput pair = InputOf<double>({0, 0});
  const bool is_real = std::string(op) == "abs";
  const auto out =
      MakeTensor({pair.type, {0}, false, !is_real}, is_real ? 8 : 4, {});
  if (is_real) *out->assay().tensor.shape = 4;
  fenv_t callers;
  fegetenv(&callers);
  __asm__ volatile("fldcw %0" : : "m"(control));
  _mm_setcsr(environment);
  const int32_t status = RunOp({op, "", ""}, operands, out->assay());
  const unsigned after = _mm_getcsr();
  uint16_t control_after;
  uint16_t flags;
  __asm__ volatile("fnstcw %0" : "=m"(control_after));
  __asm__ volatile("fnstsw %0" : "=m"(flags));
  fesetenv(&callers);
  EXPECT_EQ(status, ASSAY_OK) << op;
  EXPECT_EQ(after, environment) << op;
  EXPECT_EQ(control_after, control) << op;
  EXPECT_EQ(flags & 0x3F, 0) << op;
  Raw raw;
  for (size_t i = 0; i < (is_real ? 4 : 8); ++i) raw.push_back(out->At(i));
  return raw;
}

TEST(ComplexValues, TheCallersEnvironmentIsLeftAndDoesNotMatter) {
  const auto a = MakeTensor(
      InputOf<double>({1e300, 1e300, 1e-310, 0.1, 3, INFINITY, 0, 0}), 4, {});
  const auto b = MakeTensor(
      InputOf<double>({0.3, 1e-310, -7, 1e-300, NAN, 2, 0, 0}), 4, {});
  const auto run = [&](const char* op, unsigned environment, uint16_t control) {
    const std::string name = op;
    std::vector<AssayTensor> operands = {a->assay()};
    if (name == "power" || name == "divide" || name == "multiply" ||
        name == "atan2") {
      operands.push_back(b->assay());
    }
    return ResultIn(op, operands, environment, control);
  };
  for (const char* op :
       {"abs", "atan2", "cbrt", "cosine", "divide", "exponential",
        "exponential_minus_one", "log", "log_plus_one", "logistic", "multiply",
        "power", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh"}) {
    const Raw wanted = run(op, 0x1F80, 0x037F);
    EXPECT_EQ(run(op, 0x5F80, 0x0B7F), wanted)
        << op;  // The rounding mode is upward.
    EXPECT_EQ(run(op, 0x9FC0, 0x007F), wanted)
        << op;  // FTZ and DAZ are on, and the x87 unit has 24 bits.
    EXPECT_EQ(run(op, 0x0000, 0x0340), wanted) << op;  // Every trap is enabled.
  }
}

}  // namespace
}  // namespace assay::simd_test
