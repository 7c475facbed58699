// Tests one unit in the last place, as docs/accuracy.md defines it, at every
// power of two of every format: exactly there, just below and just above. A
// budget's ends are checked by the midpoints that they are rounded between.
#include <gtest/gtest.h>

#include "oracle/real/budget_test_support.h"
#include "oracle/real/real.h"

namespace assay {
namespace {

using Exact = __float128;

Exact Power(int exponent) {
  return static_cast<Exact>(std::ldexp(1.0L, exponent));
}

// Returns the distance of the two finite values between which r lies; if r is
// one of them, the smaller of the two distances that meet there.
template <class T>
Exact UnitOfReal(Exact r) {
  Exact below = 0;
  for (int k = T::kFormat.min_exponent() - T::kFormat.mantissa_bits;
       k <= T::kFormat.max_exponent(); ++k) {
    if (Power(k) < r) below = Power(k);
  }
  // Values are spaced evenly from the power of two below r on.
  const Exact least =
      Power(T::kFormat.min_exponent() - T::kFormat.mantissa_bits);
  return std::max(below * Power(-T::kFormat.mantissa_bits), least);
}

// Checks that t is rounded to `end`, ties in this direction.
template <class T>
void ExpectRoundsTo(Exact t, const Rounded<T>& end, int direction) {
  constexpr FloatFormat kFormat = T::kFormat;
  const auto value = [](uint64_t code) -> Exact {
    return T::FromBits(static_cast<typename T::Bits>(code)).ToDouble();
  };
  const Exact last = value(kFormat.max_code());
  const Exact step = Power(kFormat.max_exponent() - kFormat.mantissa_bits);
  const bool is_beyond = end.value.IsInfinite() ||
                         end.unencodable == Unencodable::kOverflow ||
                         end.unencodable == Unencodable::kE8m0Overflow;
  if (is_beyond) {
    EXPECT_GE(static_cast<long double>(t - last - step / 2), 0);
    return;
  }
  if (!kFormat.has_zero && end.unencodable == Unencodable::kE8m0Zero) return;
  const uint64_t code = end.value.magnitude();
  const Exact at = value(code);
  const Exact above = code == kFormat.max_code() ? at + step : value(code + 1);
  const Exact high = (at + above) / 2;
  EXPECT_TRUE(direction < 0 ? t <= high : t < high);
  if (code == 0) return;  // clipped: no error changes the sign
  const Exact low = (at + value(code - 1)) / 2;
  EXPECT_TRUE(direction < 0 ? low < t : low <= t);
}

enum class Side { kBelow, kAt, kAbove };

// Checks 2^exponent, or a number that differs from it by less than any end of a
// budget shows.
template <class T>
void ExpectUnit(int exponent, Side side) {
  SCOPED_TRACE(testing::Message() << Name(T::kElementType) << " 2^" << exponent
                                  << " side " << static_cast<int>(side));
  const Exact hair = Power(std::max(exponent, T::kFormat.min_exponent()) -
                           T::kFormat.mantissa_bits - 40);
  const Exact real = Power(exponent) + (side == Side::kBelow   ? -hair
                                        : side == Side::kAbove ? hair
                                                               : Exact(0));
  const Exact unit = UnitOfReal<T>(real);
  Enclosure enclosure;
  while (Power(enclosure.unit) > unit) --enclosure.unit;
  while (Power(enclosure.unit) < unit) ++enclosure.unit;
  // The oracle computes it by the binade.
  const int binade = side == Side::kAbove ? exponent : exponent - 1;
  ASSERT_EQ(UnitOf<T>(binade), enclosure.unit);
  const Exact units = real * Power(Fixed::kFractionBits - enclosure.unit);
  enclosure.low.value = static_cast<unsigned __int128>(units);
  ASSERT_TRUE(static_cast<Exact>(enclosure.low.value) == units);
  enclosure.high = enclosure.low;
  for (const double ulp : {0.51, 1.0, 2.0, 3.5}) {
    SCOPED_TRACE(ulp);
    Bounds bounds;
    bounds.ulp = ulp;
    const auto range = Decide<T>(enclosure, bounds);
    ASSERT_TRUE(range.has_value());
    EXPECT_EQ(range->unit, enclosure.unit);
    const Exact allowed = (static_cast<Exact>(ulp) - Exact(0.5)) * unit;
    ExpectRoundsTo<T>(real - allowed, range->lo, -1);
    ExpectRoundsTo<T>(real + allowed, range->hi, 1);
  }
}

template <class T>
void ExpectUnits() {
  constexpr int kLeast = T::kFormat.min_exponent() - T::kFormat.mantissa_bits;
  for (int k = kLeast; k <= T::kFormat.max_exponent(); ++k) {
    if (k > kLeast) ExpectUnit<T>(k, Side::kBelow);
    ExpectUnit<T>(k, Side::kAt);
    ExpectUnit<T>(k, Side::kAbove);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Unit, IsTheDistanceOfTheValuesAroundTheRealOneInEveryFormat) {
  const auto on = []<ElementType... kTypes>() {
    (ExpectUnits<Float<kTypes>>(), ...);
  };
  using enum ElementType;
  on.template operator()<kF4E2M1FN, kF6E2M3FN, kF6E3M2FN, kF8E3M4, kF8E4M3>();
  on.template operator()<kF8E4M3FN, kF8E4M3FNUZ, kF8E4M3B11FNUZ, kF8E5M2>();
  on.template operator()<kF8E5M2FNUZ, kF8E8M0FNU, kBF16, kF16, kF32, kF64>();
}

// The example of docs/accuracy.md is computed by the quick way of sweeps and by
// the other one.
TEST(Unit, JustAboveAPowerOfTwoIsThatOfTheUpperBinade) {
  const auto ends = [](double x) {
    const Expectation e =
        ExpectedByFast("exponential", ElementType::kF32, {x}, "assay");
    return std::pair(static_cast<uint32_t>(e.lo.Bits(0)),
                     static_cast<uint32_t>(e.hi.Bits(0)));
  };
  EXPECT_EQ(ends(0x1p-149), std::pair(0x3f7ffffdu, 0x3f800002u));
  EXPECT_EQ(ends(0), std::pair(0x3f7ffffeu, 0x3f800001u));
  EXPECT_EQ(ends(-0x1p-149), std::pair(0x3f7ffffeu, 0x3f800001u));
}

// Neither of the two values around a real one is farther than one unit, so a
// faithful result is within a budget of 1.
TEST(Unit, AFaithfulResultIsWithinOne) {
  Bounds one;
  one.ulp = 1;
  for (const float x : {0x1p-149f, 0x1p-60f, 0x1p-24f, -0x1p-149f, -0x1p-60f}) {
    const F32 operand = F32::Round(x).value;
    const RealRange<F32> range =
        RangeOf<F32>(RealFunction::kExponential, operand, operand, one);
    const float other = std::nextafter(1.0f, x > 0 ? 2.0f : 0.0f);
    EXPECT_LE(range.lo.value.ToDouble(), std::min(other, 1.0f)) << x;
    EXPECT_GE(range.hi.value.ToDouble(), std::max(other, 1.0f)) << x;
  }
}

}  // namespace
}  // namespace assay
