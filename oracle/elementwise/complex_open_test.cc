// Tests that no more of complex functions is open than should be: sides of a
// cut, and parts of a result that overflows. No finite value is open.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <optional>
#include <random>

#include "oracle/elementwise/complex_test_support.h"
#include "oracle/real/complex_ball.h"

namespace assay {
namespace {

using enum ElementType;
using enum ComplexFunction;

TEST(ComplexOpen, OnItsCutsAtan2IsWhatItIsOnEitherSide) {
  const double pi = 3.14159265358979323846;
  const struct {
    std::vector<std::string> operands;
    std::vector<std::complex<double>> sides;
  } rows[] = {
      // x^2 + y^2 = -3, and (x + iy) / sqrt(-3) = +-i / sqrt(3).
      {{"0 2", "1 0"},
       {{pi / 2, std::log(3.0) / 2}, {-pi / 2, std::log(3.0) / 2}}},
      // The quotient is -1, and its logarithm is i pi or -i pi.
      {{"0 0", "-1 0"}, {{pi, 0}, {-pi, 0}}},
      // Both apply: x^2 + y^2 = -3, x + iy = i, and the quotient is +-1 /
      // sqrt(3).
      {{"-1 0", "0 2"},
       {{0, -std::log(1 / std::sqrt(3.0))},
        {pi, -std::log(1 / std::sqrt(3.0))},
        {-pi, -std::log(1 / std::sqrt(3.0))}}}};
  for (const auto& row : rows) {
    for (const char* policy : {"assay", "stablehlo"}) {
      SCOPED_TRACE(row.operands[0] + " " + policy);
      const Expectation e = Expected("atan2", row.operands, policy);
      EXPECT_FALSE(e.IsPartlyOpen(0));
      for (const auto& side : row.sides) {
        EXPECT_TRUE(Accepts(e, ComplexRow(side), 0)) << side;
        EXPECT_FALSE(Accepts(e, ComplexRow(side + 1e-5), 0));
        EXPECT_FALSE(
            Accepts(e, ComplexRow({side.real(), side.imag() + 1e-5}), 0));
      }
      EXPECT_EQ(e.AlternativesOf(0).size(), row.sides.size() - 1);
    }
  }
  EXPECT_EQ(Ask("atan2", {"0 2", "1 0"}).labels, "S5");
}

TEST(ComplexOpen, WhatOverflowsIsJudgedByPart) {
  const struct {
    const char* op;
    std::vector<std::string> operands;
    std::vector<const char*> right;     // by either policy
    std::vector<const char*> by_steps;  // under policy stablehlo alone
    std::vector<const char*> wrong;
  } rows[] = {
      // The larger part is e^501, whose unit is beyond the type.
      {"exponential",
       {"501 0"},
       {"inf 0", "inf -0", "inf 5", "inf inf"},
       {"inf nan"},
       {"-inf 0", "0x1.fffffep127 0", "nan 0", "nan nan"}},
      {"exponential",
       {"89 1"},
       {"0x1.6cfc6cp127 inf"},
       {},
       {"inf inf", "0x1.6cfc6cp127 -inf", "0x1.6cfc6cp127 0x1.fffffep127",
        "0x1.6cfc6cp127 nan", "nan inf", "0x1p127 inf"}},
      {"multiply",
       {"1e20 0", "1e20 0"},
       {"inf 0", "inf 1e33"},
       {},
       {"inf 1e34", "inf nan", "-inf 0", "nan nan", "inf inf"}},
      {"multiply",
       {"1e20 1e20", "1e20 1e20"},
       {"0 inf", "-1e33 inf"},
       {"nan inf", "inf inf", "-inf inf"},
       {"1e35 inf", "0 nan", "0 -inf", "inf nan", "nan nan"}},
      // Both parts of the dividend times the divisor's conjugate cancel.
      {"divide",
       {"3e38 3e38", "1e19 -1e19"},
       {"0 3e19"},
       {},
       {"nan inf", "inf inf", "nan nan"}},
      {"divide",
       {"1e30 -1e30", "1e-30 0"},
       {"inf -inf"},
       {"nan -inf", "inf nan", "nan nan"},
       {"inf inf", "0 0", "inf 0"}},
      {"power",
       {"1e30 0", "2 0"},
       {"inf 0"},
       {"inf nan", "nan nan"},
       {"0 0", "-inf 0"}},
      {"sine", {"0 200"}, {"0 inf"}, {"nan inf"}, {"0 nan", "0 0", "nan nan"}},
      {"cosine", {"0 -200"}, {"inf 0"}, {"inf nan"}, {"nan 0", "0 0"}},
      {"exponential_minus_one",
       {"300 -2"},
       {"-inf -inf"},
       {},
       {"inf -inf", "-inf nan", "-inf 0"}},
      // The result is a real number, which no step makes a NaN.
      {"abs",
       {"3e38 3e38"},
       {"inf"},
       {},
       {"nan", "0x1.fffffep127", "-inf", "0"}},
      // The result is within the budget of the largest value.
      {"abs",
       {"0x1.fffffep127 0x1p104"},
       {"0x1.fffffep127", "inf"},
       {},
       {"nan", "0x1.ffffe0p127"}}};
  for (const auto& row : rows) {
    SCOPED_TRACE(fmt::format("{} {}", row.op, fmt::join(row.operands, ", ")));
    const Expectation ours =
        Expected(row.op, row.operands, "assay", kComplexF32);
    const Expectation texts =
        Expected(row.op, row.operands, "stablehlo", kComplexF32);
    const auto value = [&](const char* text) {
      return RowOfTexts(ours.lo.element_type(), {text});
    };
    EXPECT_FALSE(ours.IsPartlyOpen(0));
    EXPECT_FALSE(texts.IsPartlyOpen(0));
    for (const char* right : row.right) {
      EXPECT_TRUE(Accepts(ours, value(right), 0)) << right;
      EXPECT_TRUE(Accepts(texts, value(right), 0)) << right;
    }
    for (const char* by_steps : row.by_steps) {
      EXPECT_FALSE(Accepts(ours, value(by_steps), 0)) << by_steps;
      EXPECT_TRUE(Accepts(texts, value(by_steps), 0)) << by_steps;
    }
    for (const char* wrong : row.wrong) {
      EXPECT_FALSE(Accepts(ours, value(wrong), 0)) << wrong;
      EXPECT_FALSE(Accepts(texts, value(wrong), 0)) << wrong;
    }
  }
  const Policy any = Policy::Find("assay").With("complex_overflow", "any");
  EXPECT_TRUE(Expected("exponential", {"501 0"}, any, kComplexF32).IsOpen(0));
  EXPECT_TRUE(Expected("abs", {"3e38 3e38"}, any, kComplexF32).IsOpen(0));
  // However far beyond the type the result is, a part that is negligible beside
  // the other one may be any number.
  const Expectation beyond =
      Expected("power", {"32 0", "20480 0x1p-997"}, "assay");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double imag : {-infinity, 0.0, 1e308, infinity})
    EXPECT_TRUE(Accepts(beyond, ComplexRow({infinity, imag}), 0)) << imag;
  EXPECT_FALSE(Accepts(beyond, ComplexRow({infinity, NAN}), 0));
  EXPECT_FALSE(Accepts(beyond, ComplexRow({1e308, 0}), 0));
  // Our backends do not compute the exact angle of 1.6e35 modulo a turn, and
  // the text asks for no accuracy.
  const std::vector<std::string> far = {"-0.5 0", "3 -1.6e35"};
  EXPECT_TRUE(Expected("power", far, "assay", kComplexF32).IsOpen(0));
  EXPECT_TRUE(Expected("power", far, "stablehlo", kComplexF32).IsOpen(0));
  const Policy by_part =
      Policy::Find("assay").With("complex_overflow", "by_part");
  EXPECT_FALSE(Expected("power", far, by_part, kComplexF32).IsPartlyOpen(0));
  // |lhs| is 1 + 2^-105, and rhs is 2^343 i.
  EXPECT_TRUE(
      Expected("power", {"-1 -0x1p-52", "0 0x1p343"}, "assay").IsOpen(0));
  EXPECT_FALSE(Expected("power", {"1e30 1", "1e5 1"}, "assay", kComplexF32)
                   .IsPartlyOpen(0));
  const Policy any_side =
      Policy::Find("assay").With("complex_branch_cut", "any");
  EXPECT_TRUE(Expected("sqrt", {"-4 0"}, any_side).IsOpen(0));
  EXPECT_TRUE(Expected("atan2", {"0 2", "1 0"}, any_side).IsOpen(0));
}

template <class E>
bool IsPoleOf(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w) {
  const double re = z.real().ToDouble(), im = z.imag().ToDouble();
  const double x = w.real().ToDouble(), y = w.imag().ToDouble();
  const bool is_zero = re == 0 && im == 0;
  switch (f) {
    case kLog:
    case kRsqrt:
    case kSign:  // by a clause of its own
      return is_zero;
    case kLogPlusOne:
      return re == -1 && im == 0;
    case kDivide:
      return x == 0 && y == 0;
    case kPower:
      return is_zero && !(x == 0 && y == 0) && !(x > 0);
    case kAtan2:  // w = iz, or w = -iz
      return (x == -im && y == re) || (x == im && y == -re);
    default:
      return false;
  }
}

// No result of finite operands that are no pole may be open, however near to a
// cut, a pole or a cancellation they lie.
template <class E>
void ExpectNoneOpen(ComplexFunction f) {
  using Native = typename E::Native;
  using Limits = std::numeric_limits<Native>;
  const Native one = 1, tiny = Limits::denorm_min(), eps = Limits::epsilon();
  const Native parts[] = {0,
                          -Native(0),
                          tiny,
                          -tiny,
                          Limits::min(),
                          eps,
                          Native(0.5),
                          -Native(0.5),
                          one,
                          -one,
                          one + eps,
                          -1 - eps,
                          Native(3.14159265358979),
                          Limits::max(),
                          -Limits::max()};
  const auto number = [](Native re, Native im) {
    return ComplexNumber<E>(E::OfNative(re).value, E::OfNative(im).value);
  };
  const bool is_binary =
      f == kAtan2 || f == kDivide || f == kMultiply || f == kPower;
  std::mt19937_64 random(5);
  for (const Native re : parts) {
    for (const Native im : parts) {
      for (int k = 0; k < (is_binary ? 12 : 1); ++k) {
        const auto drawn = [&] { return parts[random() % std::size(parts)]; };
        const ComplexNumber<E> z = number(re, im);
        ComplexNumber<E> w = number(drawn(), drawn());
        if (k == 0) w = number(im, re);
        if (k == 1) w = number(-im, re + tiny);
        if (IsPoleOf<E>(f, z, w)) continue;
        const auto range = ComplexRangeOf<E>(f, z, w, Bounds{4, std::nullopt});
        ASSERT_TRUE(range.has_value())
            << static_cast<int>(f) << ' ' << re << ' ' << im << ' '
            << w.real().ToDouble() << ' ' << w.imag().ToDouble();
        EXPECT_FALSE(range->real.near.IsNan());
        EXPECT_FALSE(range->imag.near.IsNan());
        // Functions whose results stay within the type have no clause for
        // overflow.
        const bool may = f == kAbs || f == kCosine || f == kDivide ||
                         f == kExponential || f == kExponentialMinusOne ||
                         f == kMultiply || f == kPower || f == kSine;
        EXPECT_TRUE(may || !range->overflows)
            << static_cast<int>(f) << ' ' << re << ' ' << im;
      }
    }
  }
}

TEST(ComplexOpen, NoFiniteValueIsOpen) {
  for (const ComplexFunction f :
       {kAbs, kAtan2, kCbrt, kCosine, kDivide, kExponential,
        kExponentialMinusOne, kLog, kLogPlusOne, kLogistic, kMultiply, kPower,
        kRsqrt, kSign, kSine, kSqrt, kTan, kTanh}) {
    ExpectNoneOpen<F32>(f);
    ExpectNoneOpen<F64>(f);
    if (HasFatalFailure()) return;
  }
  // x + iy = i, and x^2 + y^2 = -2^-1073 i: the terms cancel to 2100 bits.
  const Expectation e =
      Expected("atan2", {"0.5 -0x1p-1074", "-0x1p-1074 0.5"}, "assay");
  EXPECT_FALSE(e.IsPartlyOpen(0));
  EXPECT_TRUE(e.AlternativesOf(0).empty());
  const double pi = 3.14159265358979323846;
  const std::complex<double> value(3 * pi / 4, -1073 * std::log(2.0) / 2);
  EXPECT_TRUE(Accepts(e, ComplexRow(value), 0)) << AllowedText(e, 0);
}

}  // namespace
}  // namespace assay
