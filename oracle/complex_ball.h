// Complex functions by ball arithmetic (Arb), normwise: each part of a result
// lies within the budget, in units in the last place of the larger part, of the
// real value. Componentwise accuracy means nothing under cancellation: a part
// that is a difference of rounded products may have no correct digit.
//
// An end that lies on a midpoint is rounded outward, and so is the end of an
// enclosure around it. So precision is raised until the enclosure decides both
// ends, or is so close around a midpoint that it is taken for one. The unit of
// a norm that may be a power of two is decided alike.
#ifndef ASSAY_ORACLE_COMPLEX_BALL_H_
#define ASSAY_ORACLE_COMPLEX_BALL_H_

#include "oracle/real_range.h"
#include "spec/complex.h"

namespace assay {

// By StableHLO's names. Principal values throughout: the logarithm is cut along
// the negative real axis, and
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

// Whether the sign of a zero part alone tells on which side of a branch cut of
// the function the operands lie. Of atan2: whether its formula has a number on
// a cut, where no sign of a zero of an operand tells anything.
template <class E>
bool IsOnCut(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w);

template <class E>
struct ComplexRange {
  RealRange<E> real, imag;  // the unit is that of the norm in both
};

// nullopt where a part of an operand or of the result is not finite: an
// infinity or a NaN, a pole, an overflow within the budget. Of kAbs the result
// is the real part.
template <class E>
std::optional<ComplexRange<E>> ComplexRangeOf(ComplexFunction f,
                                              ComplexNumber<E> z,
                                              ComplexNumber<E> w,
                                              const Bounds& bounds);

}  // namespace assay

#endif  // ASSAY_ORACLE_COMPLEX_BALL_H_
