// Tests StableHLO's inequality against its definition, value by value.
#include "oracle/real/tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracle/real/ball.h"
#include "oracle/real/real.h"

namespace assay {
namespace {

using Exact = __float128;

// Returns the accepted values, by bits: those within the distance; if there are
// none, those nearest to the real value. Beyond the format, they are its
// replacements for overflow.
template <class T>
std::vector<bool> AcceptedByDefinition(Exact real, Exact allowed) {
  std::vector<Exact> errors;
  Exact least = -1;
  bool any = false;
  for (uint64_t bits = 0; bits < uint64_t{1} << T::kBitWidth; ++bits) {
    const T y = T::FromBits(static_cast<typename T::Bits>(bits));
    const Exact error = static_cast<Exact>(y.ToDouble()) - real;
    const bool is_number = !y.IsNan() && !y.IsInfinite();
    errors.push_back(!is_number ? Exact(-1) : error < 0 ? -error : error);
    if (!is_number) continue;
    any = any || errors.back() <= allowed;
    if (least < 0 || errors.back() < least) least = errors.back();
  }
  const Rounded<T> nearest = T::Round(static_cast<double>(real));
  const bool overflows = nearest.value.IsInfinite() ||
                         nearest.unencodable == Unencodable::kOverflow;
  std::vector<bool> accepted;
  for (uint64_t bits = 0; bits < errors.size(); ++bits) {
    const T y = T::FromBits(static_cast<typename T::Bits>(bits));
    const bool holds = errors[bits] >= 0 && errors[bits] <= allowed;
    // A zero that is only the nearest value has the sign of the real value.
    const bool is_right_zero = !y.IsZero() || !T::kFormat.has_negative_zero() ||
                               y.SignBit() == (real < 0);
    const bool is_nearest =
        !overflows && !any && errors[bits] == least && is_right_zero;
    accepted.push_back(holds || is_nearest);
  }
  return accepted;
}

template <class T>
void ExpectDefinition(Exact real, const ResultAccuracy& rule) {
  const Exact epsilon = std::ldexp(1.0, 1 - T::kFormat.precision());
  const Exact relative =
      std::max<Exact>(rule.rtol, static_cast<Exact>(rule.ulps) * epsilon);
  const Exact magnitude = real < 0 ? -real : real;
  const auto accepted = AcceptedByDefinition<T>(
      real, std::max<Exact>(rule.atol, magnitude * relative));
  // A quotient by 1 gives any real value.
  const RealRange<T> range = RangeByTolerance<T>(
      RealFunction::kDivide, static_cast<double>(real), 1, rule);
  const auto is_beyond = [](const Rounded<T>& end) {
    return end.value.IsInfinite() || end.unencodable == Unencodable::kOverflow;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const double lo =
      is_beyond(range.lo) && real < 0 ? -infinity : range.lo.value.ToDouble();
  const double hi =
      is_beyond(range.hi) && real > 0 ? infinity : range.hi.value.ToDouble();
  const Rounded<T> nearest = T::Round(static_cast<double>(real));
  EXPECT_EQ(is_beyond(nearest), is_beyond(real < 0 ? range.lo : range.hi));
  const bool is_empty = is_beyond(range.lo) && is_beyond(range.hi);
  for (uint64_t bits = 0; bits < accepted.size(); ++bits) {
    const T y = T::FromBits(static_cast<typename T::Bits>(bits));
    if (y.IsNan() || y.IsInfinite()) continue;
    const double value = y.ToDouble();
    // -0 is below +0.
    const bool is_above =
        lo < value ||
        (lo == value &&
         (!y.IsZero() || range.lo.value.SignBit() || !y.SignBit()));
    const bool is_below =
        value < hi ||
        (hi == value &&
         (!y.IsZero() || !range.hi.value.SignBit() || y.SignBit()));
    ASSERT_EQ(!is_empty && is_above && is_below, accepted[bits])
        << Name(T::kElementType) << ": " << value << " for "
        << static_cast<double>(real) << " within atol " << rule.atol << " rtol "
        << rule.rtol << " ulps " << rule.ulps << ": " << lo << " to " << hi;
  }
}

template <class T>
void ExpectDefinitionEverywhere() {
  const ResultAccuracy rules[] = {{0, 0, 0},
                                  {0, 0, 1},
                                  {0, 0, 3},
                                  {0.25, 0, 0},
                                  {0, 0.125, 0},
                                  {0.5, 0.25, 2},
                                  {2, 0, 0},
                                  {0, 1, 0},
                                  {0.75, 0, 1},
                                  {0, 2, 0},
                                  {1e-300, 0, 0},
                                  {0, 5e-324, 0},
                                  {0, 0, int64_t{1} << 52},
                                  {1e300, 0, 0}};
  for (uint64_t code = 0; code < T::kFormat.max_code(); ++code) {
    const auto value = [](uint64_t of) {
      return T::FromBits(static_cast<typename T::Bits>(of)).ToDouble();
    };
    const Exact width = value(code + 1) - value(code);
    for (int part = 0; part <= 32; ++part) {
      const Exact real = value(code) + width * part / 32;
      if (real == 0) continue;
      for (const ResultAccuracy& rule : rules) {
        ExpectDefinition<T>(real, rule);
        ExpectDefinition<T>(-real, rule);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Tolerance, IsTheInequalityItself) {
  ExpectDefinitionEverywhere<Float<ElementType::kF4E2M1FN>>();
  ExpectDefinitionEverywhere<Float<ElementType::kF6E3M2FN>>();
}

// The ends are values that rounding would miss, and some results are beyond the
// format.
TEST(Tolerance, IsTheInequalityItselfWhereFormatsDiffer) {
  const ResultAccuracy rules[] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {300, 0, 0}};
  const auto expect = [&]<class T>(double real) {
    for (const ResultAccuracy& rule : rules) {
      ExpectDefinition<T>(real, rule);
      ExpectDefinition<T>(-real, rule);
    }
  };
  for (const double real : {1e-9, 1.0, 1.0625, 449.0, 464.0, 465.0, 1e6}) {
    expect.template operator()<Float<ElementType::kF8E4M3FN>>(real);
    expect.template operator()<Float<ElementType::kF8E4M3FNUZ>>(real);
    expect.template operator()<Float<ElementType::kF8E5M2>>(real);
    expect.template operator()<Float<ElementType::kF8E3M4>>(real);
  }
}

template <class T>
std::pair<double, double> Ends(RealFunction f, double x, double y,
                               const ResultAccuracy& rule) {
  const RealRange<T> range =
      RangeOf<T>(f, T::Round(x).value, T::Round(y).value, {0.5, rule});
  EXPECT_FALSE(range.undecided);
  return {range.lo.value.ToDouble(), range.hi.value.ToDouble()};
}

TEST(Tolerance, OfNothingIsTheNearestValueAndBothOnlyHalfway) {
  const auto exp = [](double x) {
    return Ends<F32>(RealFunction::kExponential, x, x, {0, 0, 0});
  };
  EXPECT_EQ(exp(0), std::pair(1.0, 1.0));
  EXPECT_EQ(exp(0x1p-149), std::pair(1.0, 1.0));
  EXPECT_EQ(exp(-0x1p-149), std::pair(1.0, 1.0));
  const auto nearest = static_cast<double>(static_cast<float>(std::exp(1.0)));
  EXPECT_EQ(exp(1), std::pair(nearest, nearest));
  const auto quotient = [](double x, double y) {
    return Ends<F32>(RealFunction::kDivide, x, y, {0, 0, 0});
  };
  EXPECT_EQ(quotient(3, 2), std::pair(1.5, 1.5));
  EXPECT_EQ(quotient(0x1p-149, 2), std::pair(0.0, 0x1p-149));
  EXPECT_EQ(quotient(-0x1p-149, 2), std::pair(-0x1p-149, -0.0));
  EXPECT_EQ(quotient(0x1p-149, 4), std::pair(0.0, 0.0));
}

// These ends are exactly numbers, or differ from one by less than any precision
// shows.
TEST(Tolerance, KnowsTheSideOfWhatNoPrecisionTells) {
  using enum RealFunction;
  const double below = 1 - 0x1p-53, step = 0x1p-52;
  // The real value is less than 1 by e^-2000000.
  EXPECT_EQ(Ends<F64>(kTanh, 1e6, 0, {0x1p-10, 0, 0}),
            std::pair(1 - 0x1p-10, 1 + 0x1p-10 - step));
  EXPECT_EQ(Ends<F64>(kTanh, -1e6, 0, {0x1p-10, 0, 0}),
            std::pair(-1 - 0x1p-10 + step, -1 + 0x1p-10));
  EXPECT_EQ(Ends<F64>(kTanh, 1e300, 0, {0, 0, 0}), std::pair(1.0, 1.0));
  EXPECT_EQ(Ends<F64>(kLogistic, 1e6, 0, {0, 0x1p-53, 0}),
            std::pair(below, 1.0));
  EXPECT_EQ(Ends<F64>(kExponentialMinusOne, -1e6, 0, {0, 0, 1}),
            std::pair(-1 - step + step, -1 + step));
  EXPECT_EQ(Ends<F64>(kExponential, -1e300, 0, {0, 0.5, 0}),
            std::pair(0.0, 0.0));
  EXPECT_EQ(Ends<F64>(kExponential, -1e300, 0, {0, 1, 0}),
            std::pair(-0.0, 0.0));
  // A third, and half as much again, is a half.
  EXPECT_EQ(Ends<F64>(kPower, 3, -1, {0, 0.5, 0}).second, 0.5);
  EXPECT_EQ(Ends<F64>(kRsqrt, 9, 0, {0, 0.5, 0}).second, 0.5);
  // 3^40 has 64 bits: it and the nearest number of 53 bits differ by a whole
  // number.
  const double power = std::pow(3.0, 40);
  EXPECT_EQ(Ends<F64>(kPower, 81, 10, {power, 0, 0}),
            std::pair(33.0, 2 * power));
  // An exponential beyond every format may be off by its own distance from 0.
  EXPECT_EQ(Ends<F32>(kExponential, 1e6, 0, {0, 1, 0}).first, 0);
  EXPECT_EQ(Ends<F32>(kPower, 1e30, 1e30, {0, 1, 0}).first, 0);
}

TEST(Tolerance, WhatNoEnclosureTellsIsSaidAndOpen) {
  const ScopedMostPrecision few(64);
  const F32 x = F32::Round(1).value;
  const RealRange<F32> range =
      RangeOf<F32>(RealFunction::kSine, x, x, {0.5, ResultAccuracy{0, 0, 1}});
  EXPECT_TRUE(range.undecided);
  EXPECT_EQ(range.flags, Expectation::kOpen);
  EXPECT_TRUE(RangeByBalls<F32>(RealFunction::kSine, 1, 1, Bounds()).undecided);
}

}  // namespace
}  // namespace assay
