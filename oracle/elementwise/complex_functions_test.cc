// Complex functions: real values and boxes against GNU MPC, branch
// cuts by the sign of a zero, and what is left open.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "oracle/elementwise/complex_test_support.h"
#include "oracle/real/complex_reference_test_support.h"

namespace assay {
namespace {

using enum ElementType;
using enum ComplexFunction;
using reference::Absolute;
using reference::Mpfr;
using reference::Scaled;

// Returns the exponent of the unit in the last place of a norm.
template <class E>
int UnitOfNorm(const Mpfr& norm) {
  constexpr int kLeast = E::kFormat.min_exponent();
  int binade = kLeast;
  if (!norm.IsZero()) {
    const auto exponent = mpfr_get_exp(norm.get());
    Mpfr power = 1;
    power = Scaled(power, static_cast<int>(exponent) - 1);
    const bool is_power = (norm - power).IsZero();
    binade = static_cast<int>(exponent) - (is_power ? 2 : 1);
  }
  return std::clamp(binade, kLeast, E::kFormat.max_exponent()) -
         E::kFormat.mantissa_bits;
}

// Returns whether `t` lies between the midpoints about `end`, which it is
// rounded to. A number that hundreds of bits cannot tell from a midpoint is
// taken for one.
template <class E>
bool RoundsTo(const Mpfr& t, E end) {
  using Native = typename E::Native;
  const Native x = end.ToNative();
  constexpr Native kInfinity = std::numeric_limits<Native>::infinity();
  const Mpfr below = double(std::nextafter(x, -kInfinity));
  const Mpfr above = double(std::nextafter(x, kInfinity));
  const Mpfr low = (Mpfr(double(x)) + below) * Mpfr(0.5);
  const Mpfr high = (Mpfr(double(x)) + above) * Mpfr(0.5);
  const Mpfr hair = Scaled(Absolute(t), -400);
  return !(t + hair < low) && !(high < t - hair);
}

template <class E>
void ExpectPart(const RealRange<E>& part, const Mpfr& real, int unit,
                double allowed) {
  EXPECT_EQ(part.unit, unit);
  const Mpfr measured =
      Mpfr(part.near.ToDouble()) + Scaled(Mpfr(double(part.rest)), part.unit);
  EXPECT_TRUE(Absolute(measured - real) < Scaled(Mpfr(1e-6), unit))
      << part.near.ToDouble();
  const Mpfr distance = Scaled(Mpfr(allowed), unit);
  EXPECT_TRUE(RoundsTo(real - distance, part.lo.value))
      << part.lo.value.ToDouble();
  EXPECT_TRUE(RoundsTo(real + distance, part.hi.value))
      << part.hi.value.ToDouble();
}

template <class E>
ComplexNumber<E> Draw(std::mt19937_64& random) {
  const auto part = [&] {
    const double x = std::ldexp(static_cast<double>(random() >> 11), -53);
    const double sign = random() % 2 == 0 ? 1 : -1;
    constexpr int kMost = E::kFormat.max_exponent();
    switch (random() % 8) {
      case 0:
        return sign * std::ldexp(x, -static_cast<int>(random() % kMost));
      case 1:
        return sign * std::ldexp(x, static_cast<int>(random() % 20));
      case 2:
        return sign * static_cast<double>(random() % 4);
      case 3:
        return sign * (1 + std::ldexp(x, -40));
      default:
        return sign * 4 * x;
    }
  };
  const double re = part(), im = part();
  const auto rounded = [](double x) {
    return E::Round(static_cast<typename E::Native>(x)).value;
  };
  return {rounded(re), rounded(im)};
}

template <class E>
void ExpectValues(ComplexFunction f, double ulp, int count) {
  std::mt19937_64 random(static_cast<unsigned>(f) + 7);
  int compared = 0;
  for (int n = 0; n < count; ++n) {
    const ComplexNumber<E> z = Draw<E>(random), w = Draw<E>(random);
    const auto range = ComplexRangeOf<E>(f, z, w, {ulp, std::nullopt});
    if (!range || range->overflows || SidesOf<E>(f, z, w) > 1) continue;
    const reference::Complex real =
        reference::Evaluate(f, {z.real().ToDouble(), z.imag().ToDouble()},
                            {w.real().ToDouble(), w.imag().ToDouble()});
    const Mpfr real_part = real.re(), imag_part = real.im();
    if (!real_part.IsFinite() || !imag_part.IsFinite()) continue;
    SCOPED_TRACE(testing::Message()
                 << "function " << static_cast<int>(f) << std::hexfloat
                 << " of " << z.real().ToDouble() << ' ' << z.imag().ToDouble()
                 << ", " << w.real().ToDouble() << ' ' << w.imag().ToDouble());
    const Mpfr re = Absolute(real_part), im = Absolute(imag_part);
    const Mpfr& norm = re < im ? im : re;
    const int unit = UnitOfNorm<E>(norm);
    // Hundreds of bits may tell this norm from a power of two, or not.
    const Mpfr hair = Scaled(norm, -400);
    if (unit != UnitOfNorm<E>(norm - hair)) continue;
    const double subnormal = std::max(std::fabs(z.real().ToDouble()),
                                      std::fabs(z.imag().ToDouble())) <
                             std::ldexp(1, E::kFormat.min_exponent());
    if (f == kSign && subnormal != 0) continue;
    ExpectPart(range->real, real_part, unit, ulp - 0.5);
    ExpectPart(range->imag, imag_part, unit, ulp - 0.5);
    ++compared;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(compared, count / 2) << static_cast<int>(f);
}

TEST(ComplexFunctions, AreWhatMpcSays) {
  for (const ComplexFunction f :
       {kAbs, kAtan2, kCbrt, kCosine, kDivide, kExponential,
        kExponentialMinusOne, kLog, kLogPlusOne, kLogistic, kMultiply, kPower,
        kRsqrt, kSign, kSine, kSqrt, kTan, kTanh}) {
    ExpectValues<F32>(f, 4, 100);
    ExpectValues<F64>(f, 8, 100);
    ExpectValues<F64>(f, 0.5, 50);
  }
}

TEST(ComplexFunctions, TheSignOfAZeroIsASideOfACut) {
  const double pi = 3.14159265358979323846, root = std::sqrt(3.0);
  const struct {
    const char* op;
    std::vector<std::string> operands;
    std::complex<double> upper;
  } rows[] = {
      {"log", {"-1 0"}, {0, pi}},
      {"log_plus_one", {"-2 0"}, {0, pi}},
      {"sqrt", {"-4 0"}, {0, 2}},
      {"rsqrt", {"-4 0"}, {0, -0.5}},
      {"cbrt", {"-8 0"}, {1, root}},
      {"power", {"-4 0", "0.5 0"}, {0, 2}},
      {"power", {"-4 0", "-1.5 0"}, {0, 0.125}},
      {"power", {"-1 0", "0 1"}, {std::exp(-pi), 0}},
      {"power", {"-8 0", "0.25 0"}, std::polar(std::pow(8.0, 0.25), pi / 4)}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.op);
    const Answer upper = Ask(row.op, row.operands);
    EXPECT_FALSE(upper.open);
    EXPECT_LT(std::abs(upper.near - row.upper), 1e-15);
    std::vector<std::string> other = row.operands;
    other[0].insert(other[0].find(' ') + 1, "-");
    const Answer lower = Ask(row.op, other);
    EXPECT_FALSE(lower.open);
    EXPECT_EQ(lower.labels, upper.labels);
    // This checks f(conj z, w) = conj f(z, conj w).
    const bool is_imaginary_power =
        row.operands.size() == 2 && row.operands[1] == "0 1";
    const std::complex<double> mirrored =
        is_imaginary_power ? std::complex<double>(std::exp(pi))
                           : std::conj(row.upper);
    EXPECT_LT(std::abs(lower.near - mirrored), 1e-14);
    // Either side is accepted, with both parts on the same one, and nothing
    // else.
    const auto accepts = [&](const std::string& policy,
                             const std::vector<std::string>& operands,
                             std::complex<double> value) {
      return Accepts(Expected(row.op, operands, policy), ComplexRow(value), 0);
    };
    const std::complex<double> sides[] = {upper.near, lower.near};
    for (const auto& operands : {row.operands, other}) {
      for (const auto& side : sides) {
        EXPECT_TRUE(accepts("stablehlo", operands, side));
        const bool is_own = side == (operands == other ? sides[1] : sides[0]);
        EXPECT_EQ(accepts("assay", operands, side), is_own);
        EXPECT_FALSE(accepts("stablehlo", operands, 1.00001 * side));
        EXPECT_FALSE(accepts("stablehlo", operands, 0.0));
        EXPECT_FALSE(accepts("stablehlo", operands, {NAN, side.imag()}));
      }
      if (std::abs(sides[0].real() - sides[1].real()) > 1e-9) {
        EXPECT_FALSE(accepts("stablehlo", operands,
                             {sides[0].real(), sides[1].imag() + 1e-9}));
      }
      EXPECT_FALSE(Ask(row.op, operands, "stablehlo").open);
    }
  }
  EXPECT_EQ(Ask("log", {"-1 0"}).labels, "S5");
  EXPECT_EQ(Ask("power", {"-4 0", "0.5 0"}).labels, "S8");
  // An integer power has no cut, and neither has the positive axis.
  EXPECT_FALSE(Ask("power", {"-4 -0", "3 0"}, "stablehlo").open);
  EXPECT_EQ(Ask("power", {"-4 -0", "3 0"}).near, std::complex<double>(-64));
  EXPECT_FALSE(Ask("log", {"2 -0"}, "stablehlo").open);
  EXPECT_FALSE(Ask("log_plus_one", {"-0.5 -0"}, "stablehlo").open);
}

TEST(ComplexFunctions, PolesAndWhatIsNotFiniteAreOpen) {
  const struct {
    const char* op;
    std::vector<std::string> operands;
    const char* labels;
  } rows[] = {{"log", {"0 0"}, "S4"},
              {"log", {"-0 0"}, "S4"},
              {"log", {"inf 1"}, "S4"},
              {"log_plus_one", {"-1 0"}, "S4"},
              {"rsqrt", {"0 -0"}, "S4"},
              {"divide", {"1 1", "0 0"}, "S7"},
              {"divide", {"0 0", "-0 0"}, "S7"},
              {"multiply", {"nan 1", "1 1"}, "S7"},
              {"power", {"0 0", "-1 0"}, "S7"},
              {"power", {"0 0", "0 1"}, "S7"},
              {"power", {"-0 0", "-1 5"}, "S7"},
              {"tanh", {"inf 0"}, "S4"},
              {"abs", {"inf nan"}, "S6"},
              {"atan2", {"0 0", "0 0"}, "S4"},
              {"atan2", {"0 1", "1 0"}, "S4"}};
  for (const auto& row : rows) {
    const Answer answer = Ask(row.op, row.operands);
    EXPECT_TRUE(answer.open) << row.op << ' ' << row.operands[0];
    EXPECT_EQ(answer.labels, row.labels) << row.op << ' ' << row.operands[0];
  }
  EXPECT_EQ(Ask("power", {"0 0", "0 0"}).near, std::complex<double>(1));
  EXPECT_EQ(Ask("power", {"-0 0", "2 7"}).near, std::complex<double>(0));
  EXPECT_FALSE(Ask("power", {"0 0", "2 7"}).open);
  EXPECT_FALSE(Ask("atan2", {"0 0.5", "1 0"}).open);
  EXPECT_FALSE(Ask("abs", {"3 4"}).open);
  EXPECT_EQ(Ask("abs", {"3 4"}).near, std::complex<double>(5));
}

TEST(ComplexFunctions, FarExponentsAreQuick) {
  for (const char* op : {"exponential", "exponential_minus_one", "sine",
                         "cosine", "tan", "tanh", "logistic"}) {
    for (const char* z : {"1e38 1e38", "-1e38 1e38", "1e38 -1", "1 -1e38"}) {
      Ask(op, {z}, "assay", kComplexF32);
      Ask(op, {z});
    }
    for (const char* z : {"1e308 1", "-1e308 1e308", "1 -1e308", "0 1e308"})
      Ask(op, {z});
  }
  EXPECT_EQ(Ask("exponential", {"-1e308 1"}).near, std::complex<double>(0));
  EXPECT_EQ(Ask("logistic", {"-1e308 1"}).near, std::complex<double>(0));
  EXPECT_EQ(Ask("logistic", {"1e308 1"}).near, std::complex<double>(1));
  EXPECT_EQ(Ask("tanh", {"-1e308 1"}).near, std::complex<double>(-1));
  EXPECT_EQ(Ask("tan", {"1 1e308"}).near, std::complex<double>(0, 1));
  EXPECT_EQ(Ask("exponential", {"1e308 1"}).labels, "S5");
  EXPECT_EQ(Ask("power", {"1e308 1", "1e308 1"}).labels, "S9");
  EXPECT_EQ(Ask("power", {"1e-308 0", "1e308 1"}).near,
            std::complex<double>(0));
}

TEST(ComplexFunctions, SignIsByItsClauses) {
  EXPECT_EQ(Ask("sign", {"nan 1"}).labels, "S9");
  EXPECT_FALSE(Ask("sign", {"nan inf"}).open);
  EXPECT_TRUE(std::isnan(Ask("sign", {"nan 1"}).near.imag()));
  EXPECT_EQ(Ask("sign", {"-0 0"}).labels, "S10");
  EXPECT_EQ(Ask("sign", {"-0 0"}).near, std::complex<double>(0));
  EXPECT_EQ(Ask("sign", {"3 -4"}).labels, "S11");
  EXPECT_LT(
      std::abs(Ask("sign", {"3 -4"}).near - std::complex<double>(0.6, -0.8)),
      1e-16);
  EXPECT_TRUE(Ask("sign", {"inf 1"}).open);
  EXPECT_EQ(Ask("sign", {"inf 1"}).labels, "S14");
  // The modulus of a subnormal is coarse, and so is a quotient by it: the
  // smallest subnormal times the root of 2 is rounded to the smallest.
  const Expectation e =
      Evaluate(MakeFloatCall("sign",
                             {RowOfTexts(kComplexF32, {"0x1p-149 0x1p-149"})},
                             TensorType{{1}, kComplexF32})
                   .op,
               {RowOfTexts(kComplexF32, {"0x1p-149 0x1p-149"})},
               Policy::Find("assay"), Marks::kCounted)
          .outputs[0];
  EXPECT_TRUE(Accepts(e, RowOfTexts(kComplexF32, {"1 1"}), 0));
}

}  // namespace
}  // namespace assay
