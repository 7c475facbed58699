// Real functions are computed by ball arithmetic (Arb): the enclosures are
// proven, and as close as needed.
//
// Results that no enclosure of a ball would ever decide are found otherwise
// (real_value.h). All others are irrational, so a closer enclosure decides in
// the end.
#ifndef ASSAY_ORACLE_REAL_BALL_H_
#define ASSAY_ORACLE_REAL_BALL_H_

#include <functional>

#include "oracle/real/approximation.h"
#include "oracle/real/real_range.h"

namespace assay {

// A RealBall encloses f(x) or f(x, y) in `precision` bits, if f(x) is not 0: it
// has the sign, an enclosure and the unit in its last place by
// `unit_of(exponent of the binade)`. There is nothing if the enclosure spans
// two units.
class RealBall {
 public:
  RealBall(RealFunction f, double x, double y) : f_(f), x_(x), y_(y) {}
  std::optional<Enclosure> Enclose(int precision,
                                   int (*unit_of)(int binade)) const;
  // Returns the enclosure of an f(x) that is known exactly, up to the bit for
  // what follows.
  std::optional<Enclosure> Known(int (*unit_of)(int binade)) const;

 private:
  RealFunction f_;
  double x_, y_;
};

// Results need no more than 2^13 bits: operands differ from numbers of few
// digits by 2^-1074 or more, and functions by the square of that.
inline constexpr int kMostPrecision = 1 << 16;
// Returns the bits that an enclosure may have in this thread; what remains
// undecided with so many is reported (RealRange::undecided).
int MostPrecision();
// A test uses fewer bits, so that something remains undecided.
class ScopedMostPrecision {
 public:
  explicit ScopedMostPrecision(int bits);
  ~ScopedMostPrecision();
};

// Preconditions: f(x) is a number other than 0, and the operands are finite,
// except for those of atan2.
template <class T>
RealRange<T> RangeByBalls(RealFunction f, double x, double y,
                          const Bounds& bounds) {
  const RealBall ball(f, x, y);
  std::optional<RealRange<T>> range;
  if (const auto known = ball.Known(UnitOf<T>))
    range = Decide<T>(*known, bounds);
  for (int precision = 96; !range; precision *= 2) {
    if (precision > MostPrecision()) return RealRange<T>::Undecided();
    if (const auto real = ball.Enclose(precision, UnitOf<T>))
      range = Decide<T>(*real, bounds);
  }
  range->tier = Tier::kBall;
  return *range;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_BALL_H_
