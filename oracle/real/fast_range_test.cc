// Tests the quick way to a range against Decide, of which it is a special case,
// and the enclosures from libm's values against balls.
#include "oracle/real/fast_range.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "oracle/real/real.h"

namespace assay {
namespace {

// Returns the range that the op file of the function states.
Bounds BoundsOf(RealFunction f, double ulp) {
  using enum RealFunction;
  Bounds bounds{ulp, {}};
  if (f == kCosine || f == kSine || f == kTanh) bounds.least = -1;
  if (f == kExponentialMinusOne) bounds.least = -1;
  if (f == kExponential || f == kLogistic || f == kRsqrt) bounds.least = 0;
  if (f == kCosine || f == kSine || f == kTanh || f == kLogistic)
    bounds.greatest = 1;
  return bounds;
}

bool IsPlain(const Approximation<double>& near, bool is_short, double ulp) {
  PlainRange<F32> range;
  return FastRange<F32>(near, is_short, BoundsOf(RealFunction::kLog, ulp),
                        &range);
}

// Draws operands of all magnitudes, near powers of two, near the ends of
// functions (overflow, underflow, where tanh is 1), and small ones.
template <class T>
T DrawFloat(std::mt19937_64& random) {
  const auto value = [](double x) { return T::Round(x).value; };
  const auto bits = static_cast<typename T::Bits>(random());
  const double part = std::ldexp(static_cast<double>(random() >> 11), -53);
  const double sign = random() % 2 == 0 ? 1 : -1;
  switch (random() % 6) {
    case 0: {
      const int power = static_cast<int>(random() % 64) - 40;
      return value(sign *
                   (std::ldexp(1, power) + std::ldexp(part - 0.5, power - 20)));
    }
    case 1: {
      constexpr bool kIsF32 = T::kBitWidth == 32;
      const double ends[] = {kIsF32 ? 88.7 : 709.7, kIsF32 ? 87.3 : 708.3,
                             kIsF32 ? 103.9 : 745.1, kIsF32 ? 9.0 : 19.0};
      return value(sign * (ends[random() % 4] + part - 0.5));
    }
    case 2:
      return value(sign * 20 * part);
    case 3:
      return value(sign * std::ldexp(part, -static_cast<int>(random() % 140)));
    default:
      return T::FromBits(bits);
  }
}

// Returns budgets with other errors than units that a function may have.
std::vector<Bounds> BoundsOfTerms(RealFunction f) {
  std::vector<Bounds> all;
  const auto add = [&](double ulp, const ErrorTerms& terms) {
    all.push_back(BoundsOf(f, ulp));
    all.back().terms = terms;
  };
  add(0, {.absolute = 0x1p-21});
  add(0.5, {.absolute = 3e-7});
  add(0, {.relative = 0x1p-11});
  add(2.5, {.absolute = 1e-9, .relative = 2e-7});
  add(0.5, {.any = true});
  const auto of_operand = [&](ErrorTerms::Through through, double error) {
    ErrorTerms terms;
    terms.SetOperandError(through, error);
    add(2.5, terms);
  };
  if (f == RealFunction::kTan) {
    of_operand(ErrorTerms::Through::kTan, 6e-7);
    of_operand(ErrorTerms::Through::kTan, 1e-3);
  } else if (f == RealFunction::kLogistic) {
    of_operand(ErrorTerms::Through::kLogistic, 3e-6);
    of_operand(ErrorTerms::Through::kLogistic, 1);
  } else if (f == RealFunction::kPower) {
    of_operand(ErrorTerms::Through::kPower, 1e-6);
    of_operand(ErrorTerms::Through::kPower, 0.9);
  }
  return all;
}

template <RealFunction kF, class T>
void ExpectTheSame(int count) {
  SCOPED_TRACE(static_cast<int>(kF));
  using N = WideOf<T>;
  // libm's long double has 11 bits more than f64.
  constexpr N kResolution = T::kBitWidth == 32 ? 1e-5 : 0x1p-6;
  std::mt19937_64 random(static_cast<unsigned>(kF));
  std::vector<Bounds> all = BoundsOfTerms(kF);
  const size_t num_of_terms = all.size();
  for (const double ulp : {0.5, 2.0, 3.0, 3.5})
    all.push_back(BoundsOf(kF, ulp));
  std::vector<int> plain_count(all.size());
  for (int i = 0; i < count; ++i) {
    const T x = DrawFloat<T>(random), y = DrawFloat<T>(random);
    const Approximation<N> near =
        Approximate<kF, N>(N(x.ToNative()), N(y.ToNative()));
    for (size_t k = 0; k < all.size(); ++k) {
      const Bounds& bounds = all[k];
      PlainRange<T> plain{};
      if (!(AreUnits(bounds) ? FastRange<T>(near, IsShort(kF), bounds, &plain)
                             : FastRangeOfTerms<T>(near, bounds, &plain)))
        continue;
      ++plain_count[k];
      auto range = real::ByLibm<T>(near, bounds);
      if (!range)
        range = RangeByBalls<T>(kF, x.ToDouble(), y.ToDouble(), bounds);
      const bool is_open = bounds.terms && bounds.terms->any;
      ASSERT_EQ(range->flags, is_open ? Expectation::kOpen : 0);
      const auto same = [&](typename T::Native a, T b) {
        return std::bit_cast<typename T::Bits>(a) == b.ToBits() || is_open;
      };
      // The place is the same, which may be next to either of two values.
      const N apart = N(plain.near) - N(range->near.ToNative());
      const N rest = std::ldexp(apart, -plain.unit) + N(plain.rest);
      ASSERT_TRUE(same(plain.lo, range->lo.value) &&
                  same(plain.hi, range->hi.value) &&
                  plain.unit == range->unit &&
                  std::fabs(rest - static_cast<N>(range->rest)) < kResolution)
          << std::hexfloat << x.ToDouble() << ", " << y.ToDouble()
          << " clause budget " << k << ": " << plain.lo << " to " << plain.hi
          << " for " << range->lo.value.ToDouble() << " to "
          << range->hi.value.ToDouble() << "; " << plain.near << " + "
          << plain.rest << ", unit " << plain.unit << " for "
          << range->near.ToDouble() << " + " << range->rest << ", unit "
          << range->unit;
    }
  }
  // A quarter of all cases is not special, whatever the function; some of those
  // with other errors than units are plain.
  int of_units = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    if (k >= num_of_terms) of_units += plain_count[k];
    EXPECT_GT(plain_count[k], count / 25) << k;
  }
  EXPECT_GT(of_units, count);
}

template <class T>
void ExpectTheSameOfAll(int count) {
  using enum RealFunction;
  ExpectTheSame<kAtan2, T>(count);
  ExpectTheSame<kCbrt, T>(count);
  ExpectTheSame<kCosine, T>(count);
  ExpectTheSame<kDivide, T>(count);
  ExpectTheSame<kExponential, T>(count);
  ExpectTheSame<kExponentialMinusOne, T>(count);
  ExpectTheSame<kLog, T>(count);
  ExpectTheSame<kLogPlusOne, T>(count);
  ExpectTheSame<kLogistic, T>(count);
  ExpectTheSame<kPower, T>(count);
  ExpectTheSame<kRsqrt, T>(count);
  ExpectTheSame<kSine, T>(count);
  ExpectTheSame<kSqrt, T>(count);
  ExpectTheSame<kTan, T>(count);
  ExpectTheSame<kTanh, T>(count);
}

TEST(FastRange, IsWhatDecideGivesInF32) { ExpectTheSameOfAll<F32>(10000); }
TEST(FastRange, IsWhatDecideGivesInF64) { ExpectTheSameOfAll<F64>(4000); }

// A budget that is no multiple of one half is decided by the slow way where the
// function is next to a value.
TEST(FastRange, LeavesToDecideWhatItCannotTell) {
  const Approximation<double> beside{1, Distance::kGreater};
  EXPECT_TRUE(IsPlain(beside, true, 2));
  EXPECT_FALSE(IsPlain(beside, true, 2.3));
  EXPECT_FALSE(IsPlain(beside, false, 2));
  EXPECT_TRUE(IsPlain({1.3}, true, 2.3));
  // These are a power of two, a value (its ends are midpoints), a midpoint, a
  // subnormal, and the last binade.
  EXPECT_FALSE(IsPlain({2}, true, 2));
  EXPECT_FALSE(IsPlain({1.25}, true, 2));
  EXPECT_FALSE(IsPlain({1.25 + 0x1p-24}, true, 1.5));
  EXPECT_FALSE(IsPlain({0x1.3p-127}, true, 2));
  EXPECT_FALSE(IsPlain({0x1.3p127}, true, 2));
  EXPECT_TRUE(AreUnits(Bounds()));
  EXPECT_FALSE(AreUnits({2, ResultAccuracy{0, 0, 1}}));
}

TEST(RangeOf, AnErrorThatNoValueIsWithinLeavesTheNearest) {
  Bounds bounds{0, {}};
  bounds.terms = {.relative = 0x1p-40};
  for (const float sign : {1.0f, -1.0f}) {
    const F32 x = F32::Round(sign).value;
    const auto range = RangeOf<F32>(RealFunction::kTanh, x, x, bounds);
    EXPECT_EQ(range.lo.value.ToNative(), sign * 0x1.85efacp-1f);
    EXPECT_EQ(range.hi.value.ToNative(), sign * 0x1.85efacp-1f);
  }
}

}  // namespace
}  // namespace assay
