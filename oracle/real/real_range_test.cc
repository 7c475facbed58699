// Tests Decide against the definition, in exact arithmetic (__float128 holds
// every number here): with a budget, a value is accepted if some real number
// within the allowed distance may be rounded to it, ties either way; the
// numbers that round to it lie between two midpoints.
#include "oracle/real/real_range.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace assay {
namespace {

using Exact = __float128;

Exact Power(int exponent) { return std::ldexp(1.0L, exponent); }

constexpr double kInfinity = std::numeric_limits<double>::infinity();
Bounds Within(double ulp, double least = -kInfinity,
              double greatest = kInfinity) {
  return {ulp, std::nullopt, least, greatest};
}

// Returns the unit in the last place as accuracy.md (C.2) defines it.
template <class T>
int UnitOfReal(Exact r) {
  constexpr int kLeast = T::kFormat.min_exponent();
  int k = kLeast;
  while (k < T::kFormat.max_exponent() && r > Power(k + 1)) ++k;
  return k - T::kFormat.mantissa_bits;
}

// A Scale numbers results by their order of magnitudes; f8E8M0FNU has nothing
// where others have zero.
template <class T>
class Scale {
 public:
  Scale() {
    if (!T::kFormat.has_zero) values_.push_back(0);
    for (uint64_t code = 0; code <= T::kFormat.max_code(); ++code)
      values_.push_back(
          T::FromBits(static_cast<typename T::Bits>(code)).ToDouble());
    const size_t n = values_.size();
    beyond_ = values_[n - 1] +
              Power(T::kFormat.max_exponent() - T::kFormat.mantissa_bits);
  }
  // The places are zero, the values, and what counts as infinity or overflow.
  int size() const { return static_cast<int>(values_.size()) + 1; }
  Exact operator[](int i) const {
    return i + 1 == size() ? beyond_ : values_[static_cast<size_t>(i)];
  }
  int PlaceOf(const Rounded<T>& r) const {
    if (r.unencodable == Unencodable::kOverflow ||
        r.unencodable == Unencodable::kE8m0Overflow || r.value.IsInfinite())
      return size() - 1;
    if (r.unencodable == Unencodable::kE8m0Zero ||
        r.unencodable == Unencodable::kE8m0TooSmall)
      return 0;
    return static_cast<int>(r.value.magnitude()) +
           (T::kFormat.has_zero ? 0 : 1);
  }
  // Returns whether |real - t| <= allowed for a t >= 0 that may be rounded to
  // place i.
  bool Accepts(int i, Exact real, Exact allowed) const {
    const bool above = i == 0 || real + allowed >= Middle(i - 1);
    const bool below = i + 1 == size() || real - allowed <= Middle(i);
    if (allowed != 0 || !above || !below) return above && below;
    // Rounding goes to the even one of two values that are equally near; in
    // f8E8M0FNU, where neither is even, to the larger one, but no number rounds
    // to the missing zero.
    const bool is_even = T::kFormat.has_zero ? i % 2 == 0 : true;
    const bool is_low_tie = i > 0 && real == Middle(i - 1);
    const bool is_high_tie = i + 1 < size() && real == Middle(i);
    if (T::kFormat.has_zero) return (!is_low_tie && !is_high_tie) || is_even;
    if (is_low_tie) return i > 1;
    return !is_high_tie || i == 0;
  }

 private:
  Exact Middle(int i) const { return ((*this)[i] + (*this)[i + 1]) / 2; }
  std::vector<Exact> values_;
  Exact beyond_;
};

// Returns an enclosure without width: exact, or with `follows` a number beside
// it.
template <class T>
Enclosure At(bool negative, Exact real, bool follows = false) {
  Enclosure enclosure{negative, {}, {}, UnitOfReal<T>(real)};
  const Exact units = real * Power(Fixed::kFractionBits - enclosure.unit);
  enclosure.low.value = static_cast<unsigned __int128>(units);
  EXPECT_EQ(static_cast<Exact>(enclosure.low.value), units);
  EXPECT_EQ(enclosure.low.value & 1, 0u);
  if (follows) enclosure.low.value |= 1;
  enclosure.high = enclosure.low;
  return enclosure;
}

template <class T>
void ExpectDefinition(const Scale<T>& scale, Exact real, double ulp) {
  const Exact allowed = (ulp - 0.5) * Power(UnitOfReal<T>(real));
  for (const bool negative : {false, true}) {
    if (negative && !T::kFormat.has_sign) continue;
    const auto range = Decide<T>(At<T>(negative, real), Within(ulp));
    ASSERT_TRUE(range.has_value());
    const Rounded<T>& inner = negative ? range->hi : range->lo;
    const Rounded<T>& outer = negative ? range->lo : range->hi;
    const int least = scale.PlaceOf(inner), greatest = scale.PlaceOf(outer);
    const auto accepts = [&](int i) { return least <= i && i <= greatest; };
    // Checks all values, or in a long scale those near the range.
    const int from = scale.size() > 40 ? std::max(least - 4, 0) : 0;
    const int to =
        scale.size() > 40 ? std::min(greatest + 5, scale.size()) : scale.size();
    for (int i = from; i < to; ++i) {
      ASSERT_EQ(accepts(i), scale.Accepts(i, real, allowed))
          << "place " << i << " of " << scale.size() << " for "
          << static_cast<double>(real) << " within " << ulp << " ulp: " << least
          << " to " << greatest;
    }
    // The sign is that of the real value, also of a zero.
    if (T::kFormat.has_negative_zero()) {
      EXPECT_TRUE(inner.value.IsNan() || inner.value.SignBit() == negative);
    }
    EXPECT_EQ(range->unit, UnitOfReal<T>(real));
    if (scale.PlaceOf(outer) + 1 == scale.size() || least == 0) continue;
    const Exact near = range->near.ToDouble();
    const Exact measured =
        near + static_cast<Exact>(range->rest) * Power(range->unit);
    const Exact wrong = measured - (negative ? -real : real);
    EXPECT_LT(std::fabs(static_cast<double>(wrong / Power(range->unit))), 1e-6);
  }
}

// Checks every value (one in `step` values, besides powers of two and the edges
// of the format), its midpoints and the places beside both: ties, subnormals.
template <class T>
void ExpectDefinitionEverywhere(int step) {
  SCOPED_TRACE(Name(T::kElementType));
  const Scale<T> scale;
  const double budgets[] = {0.5, 0.51, 1, 2, 3.5};
  std::vector<Exact> reals;
  for (int i = 0; i + 1 < scale.size(); ++i) {
    const bool is_edge = i < 12 || i + 12 > scale.size();
    const bool is_beside_power =
        (i + 2) % static_cast<int>(T::kFormat.min_normal_code() + 1) < 4;
    if (step > 1 && !is_edge && !is_beside_power && i % step != 0) continue;
    const Exact width = scale[i + 1] - scale[i];
    const Exact tiny = width / (int64_t{1} << 30);
    for (const double part : {0.0, 0.25, 0.49, 0.5, 0.51, 0.75}) {
      const Exact at = scale[i] + width * part;
      for (const Exact real : {at - tiny, at, at + tiny})
        if (real > 0) reals.push_back(real);
    }
  }
  const Exact last = scale[scale.size() - 1];
  for (const double beyond : {1.0, 1.0625, 1.25, 1.75, 2.0, 3.0})
    reals.push_back(last * beyond);
  for (const Exact real : reals) {
    for (const double ulp : budgets) {
      // 0.49 of a width has 53 bits more than the format.
      const Exact rounded = static_cast<Exact>(static_cast<int64_t>(
                                real * Power(40 - UnitOfReal<T>(real)))) *
                            Power(UnitOfReal<T>(real) - 40);
      if (rounded == 0) continue;
      ExpectDefinition<T>(scale, rounded, ulp);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Decide, AcceptsByTheDefinitionInTheFormatsOf4And6Bits) {
  ExpectDefinitionEverywhere<Float<ElementType::kF4E2M1FN>>(1);
  ExpectDefinitionEverywhere<Float<ElementType::kF6E2M3FN>>(1);
  ExpectDefinitionEverywhere<Float<ElementType::kF6E3M2FN>>(1);
}

TEST(Decide, AcceptsByTheDefinitionInTheFormatsOf8Bits) {
  ExpectDefinitionEverywhere<Float<ElementType::kF8E3M4>>(5);
  ExpectDefinitionEverywhere<Float<ElementType::kF8E4M3>>(7);
  ExpectDefinitionEverywhere<Float<ElementType::kF8E4M3FN>>(2);
  ExpectDefinitionEverywhere<Float<ElementType::kF8E4M3FNUZ>>(7);
  ExpectDefinitionEverywhere<Float<ElementType::kF8E4M3B11FNUZ>>(3);
  ExpectDefinitionEverywhere<Float<ElementType::kF8E5M2>>(7);
  ExpectDefinitionEverywhere<Float<ElementType::kF8E5M2FNUZ>>(7);
}

TEST(Decide, AcceptsByTheDefinitionWithoutAZero) {
  ExpectDefinitionEverywhere<Float<ElementType::kF8E8M0FNU>>(5);
}

TEST(Decide, AcceptsByTheDefinitionInF16) {
  ExpectDefinitionEverywhere<Float<ElementType::kF16>>(511);
}

TEST(Decide, ANumberOfOneSidedPowerHasNoSign) {
  using T = Float<ElementType::kF8E8M0FNU>;
  const auto range = Decide<T>(At<T>(true, 3), Within(1));
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->lo.unencodable, Unencodable::kE8m0Negative);
  EXPECT_EQ(range->hi.unencodable, Unencodable::kE8m0Negative);
}

template <class T>
void ExpectEnclosures() {
  SCOPED_TRACE(Name(T::kElementType));
  const Scale<T> scale;
  for (const double ulp : {0.5, 0.51, 1.0, 3.5}) {
    int undecided = 0;
    for (int i = 1; i + 2 < scale.size(); ++i) {
      const Exact width = scale[i + 1] - scale[i];
      for (int part = 1; part <= 15; ++part) {
        const Exact real = scale[i] + width * part / 16;
        // The enclosure extends by a sixteenth to both sides, and must stay
        // within a binade.
        const int unit = UnitOfReal<T>(real);
        if (UnitOfReal<T>(real - width / 64) != unit ||
            UnitOfReal<T>(real + width / 64) != unit)
          continue;
        Enclosure enclosure = At<T>(false, real - width / 64, true);
        enclosure.high = At<T>(false, real + width / 64, true).low;
        const Exact allowed = (ulp - 0.5) * Power(unit);
        // This says whether all numbers of the enclosure accept the same
        // values.
        bool is_same = true;
        for (int k = 0; k < scale.size(); ++k) {
          const bool first = scale.Accepts(k, real - width / 64, allowed);
          for (const int at : {0, 32})
            is_same &=
                first == scale.Accepts(k, real + width * at / 2048, allowed);
        }
        const auto range = Decide<T>(enclosure, Within(ulp));
        // Where tininess decides about flushing, more must be known.
        const double least = std::ldexp(1, T::kFormat.min_exponent());
        const bool is_tiny =
            real - allowed - width <= least && real + 4 * width > least;
        ASSERT_TRUE(range ? is_same : !is_same || is_tiny)
            << static_cast<double>(real) << ' ' << ulp;
        if (!range) ++undecided;
      }
    }
    EXPECT_GT(undecided, 0) << ulp;
  }
}

TEST(Decide, SaysNothingWhereTheEnclosureLeavesAChoice) {
  ExpectEnclosures<Float<ElementType::kF6E3M2FN>>();
  ExpectEnclosures<Float<ElementType::kF8E4M3>>();
}

TEST(Decide, WhatFollowsBreaksATie) {
  using T = Float<ElementType::kF8E4M3>;
  // 17 lies between 16 and 18.
  const auto value = [](Exact real, bool follows, double ulp, bool upper) {
    const auto range = Decide<T>(At<T>(false, real, follows), Within(ulp));
    return (upper ? range->hi : range->lo).value.ToDouble();
  };
  EXPECT_EQ(value(17, false, 0.5, true), 16);
  EXPECT_EQ(value(17, true, 0.5, true), 18);
  EXPECT_EQ(value(19, false, 0.5, true), 20);
  EXPECT_EQ(value(19, true, 0.5, false), 20);
  // With a budget of one unit, 18 - 1 and 18 + 1 are ties, which go outward.
  EXPECT_EQ(value(18, false, 1, false), 16);
  EXPECT_EQ(value(18, false, 1, true), 20);
  EXPECT_EQ(value(18, true, 1, false), 18);
  EXPECT_EQ(value(18, true, 1, true), 20);
}

TEST(Decide, ResultsKeepTheRangeOfTheFunction) {
  using T = Float<ElementType::kF16>;
  const auto range = [](bool negative, double real, Bounds bounds) {
    const auto decided = Decide<T>(At<T>(negative, real), bounds);
    return std::pair(decided->lo.value.ToDouble(),
                     decided->hi.value.ToDouble());
  };
  const double below = 1 - std::ldexp(1, -12), step = std::ldexp(1, -11);
  EXPECT_EQ(range(false, below, Within(3.5)).second, 1 + 2 * step);
  EXPECT_EQ(range(false, below, Within(3.5, -1, 1)),
            std::pair(1 - 4 * step, 1.0));
  EXPECT_EQ(range(true, below, Within(3.5, -1, 1)),
            std::pair(-1.0, -1 + 4 * step));
  EXPECT_EQ(range(true, below, Within(3.5, -1)).first, -1);
  EXPECT_EQ(range(true, below, Within(3.5)).first, -1 - 2 * step);
}

}  // namespace
}  // namespace assay
