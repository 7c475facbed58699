// Complex functions are computed by ball arithmetic (Arb), and judged normwise:
// each part of a result lies within the budget, in units in the last place of
// the larger part, of the real value. Componentwise accuracy means nothing
// under cancellation: a part that is a difference of rounded products may have
// no correct digit.
//
// An end that lies on a midpoint is rounded outward, and so is the end of an
// enclosure around it. So precision is raised until the enclosure decides both
// ends, or is so close around a midpoint that it is taken for one. The unit of
// a norm that may be a power of two is decided in the same way.
#ifndef ASSAY_ORACLE_REAL_COMPLEX_BALL_H_
#define ASSAY_ORACLE_REAL_COMPLEX_BALL_H_

#include "oracle/real/real_range.h"
#include "spec/types/complex.h"

namespace assay {

// The functions have StableHLO's names. They are principal values: the
// logarithm is cut along the negative real axis, and
//   sqrt(z) = e^(log(z)/2), cbrt(z) = e^(log(z)/3), power(z, w) = e^(w log(z)),
//   atan2(y, x) = -i log((x + iy) / sqrt(x^2 + y^2)), sign(z) = z / |z|.
enum class ComplexFunction {
  kAbs,
  kAtan2,
  kCbrt,
  kCosine,
  kDivide,
  kExponential,
  kExponentialMinusOne,
  kLog,
  kLogPlusOne,
  kLogistic,
  kMultiply,
  kPower,
  kRsqrt,
  kSign,
  kSine,
  kSqrt,
  kTan,
  kTanh
};

// Returns how many values the function has at finite operands that are no pole.
// On a branch cut it has one for each side, which only the sign of a zero part
// tells apart; elsewhere it has 1. atan2, whose formula takes a root and a
// logarithm, has up to 3, and no sign of a zero of an operand tells them apart.
template <class E>
int SidesOf(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w);

template <class E>
struct ComplexRange {
  RealRange<E> real, imag;  // the unit is that of the norm in both
  // If true, an end is infinite: a part is beyond the largest value, or may be
  // within the budget. The unit is then that of unbounded exponents.
  bool overflows = false;
};

// Returns the range on side number `side` of a cut, where 0 is the side of the
// sign of the zero. Returns nullopt if a part of an operand is infinite or NaN,
// and at a pole. The result of kAbs is the real part.
template <class E>
std::optional<ComplexRange<E>> ComplexRangeOf(ComplexFunction f,
                                              ComplexNumber<E> z,
                                              ComplexNumber<E> w,
                                              const Bounds& bounds,
                                              int side = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_COMPLEX_BALL_H_
