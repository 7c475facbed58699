// Real functions by ball arithmetic (Arb): enclosures that are proven, as close
// as it takes.
//
// Results that no enclosure of a ball would ever decide, numbers with an end in
// base 2, are found first: quotients, powers and roots of small numbers. All
// others are irrational (Lindemann-Weierstrass; roots that are not exact) or
// fractions without such an end, so a closer enclosure decides in the end.
#ifndef ASSAY_ORACLE_BALL_H_
#define ASSAY_ORACLE_BALL_H_

#include <functional>

#include "oracle/approximation.h"
#include "oracle/real_range.h"

namespace assay {

// `precision` bits of f(x) or f(x, y), if f(x) is not 0: the sign, an enclosure
// and the unit in its last place by `unit_of(exponent of the binade)`. Nothing
// where the enclosure spans two units.
class RealBall {
 public:
  RealBall(RealFunction f, double x, double y) : f_(f), x_(x), y_(y) {}
  std::optional<Enclosure> Enclose(int precision,
                                   int (*unit_of)(int binade)) const;
  // f(x) exactly, if it is a number of at most 64 bits.
  struct Dyadic {
    bool negative;
    uint64_t significand;
    int exponent;
  };
  std::optional<Dyadic> Exact() const;

 private:
  RealFunction f_;
  double x_, y_;
};

// More would be a number that has an end after all.
inline constexpr int kMostPrecision = 1 << 20;
[[noreturn]] void UndecidedBall(RealFunction f, double x, double y);

// Precondition: the operands and f(x) are finite, and f(x) is not 0.
template <class T>
RealRange<T> RangeByBalls(RealFunction f, double x, double y,
                          const Bounds& bounds) {
  const RealBall ball(f, x, y);
  std::optional<RealRange<T>> range;
  if (const auto exact = ball.Exact()) {
    const int width = std::bit_width(exact->significand);
    const bool is_power = std::has_single_bit(exact->significand);
    const int binade = exact->exponent + width - (is_power ? 2 : 1);
    Enclosure real{exact->negative, {}, {}, UnitOf<T>(binade)};
    const int shift = exact->exponent - real.unit + Fixed::kFractionBits;
    const unsigned __int128 value = exact->significand;
    // Far beyond the format, or below all that Fixed has.
    real.low.value =
        shift + width > 126
            ? static_cast<unsigned __int128>(1) << (T::kFormat.precision() + 66)
        : shift >= 0  ? value << shift
        : shift > -64 ? value >> -shift | ((value >> -shift << -shift) != value)
                      : 1;
    real.high = real.low;
    range = Decide<T>(real, bounds);
  }
  for (int precision = 96; !range; precision *= 2) {
    if (precision > kMostPrecision) UndecidedBall(f, x, y);
    if (const auto real = ball.Enclose(precision, UnitOf<T>))
      range = Decide<T>(*real, bounds);
  }
  range->tier = Tier::kBall;
  return *range;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_BALL_H_
