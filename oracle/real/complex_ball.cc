#include "oracle/real/complex_ball.h"

#include <algorithm>
#include <cmath>

#include "oracle/real/arb.h"
#include "spec/error.h"

namespace assay {
namespace {

using enum ComplexFunction;

constexpr int kFirstPrecision = 128;
// So many bits tell the sign of a number other than 0 that is not a sum.
constexpr int kPrecisionOfSign = 1024;
// The parts of operands differ by up to 2^2098, and atan2 squares them.
constexpr int kMostComplexPrecision = 1 << 16;
// An end that is so near to a midpoint, in units, is taken for one.
constexpr int kTieBits = 512;
// Beyond this, e^x and cosh(x) are so far beyond every format that their parts
// are infinite, or may be anything within a unit of the larger part. How far
// beyond makes no difference to the result, but Arb's exponents are kept short.
constexpr int kFarExponent = 3000;

// Sets the parts of z to balls of one number each.
void Set(acb_ptr z, double real, double imag) {
  arb_set_d(acb_realref(z), real);
  arb_set_d(acb_imagref(z), imag);
}

// Computes e^z / (1 + e^z), which does not overflow where Re(z) < 0.
void Logistic(acb_ptr result, acb_ptr z, slong precision) {
  const bool is_left = arb_is_negative(acb_realref(z)) != 0;
  Acb power, sum;
  if (is_left) {
    acb_exp(power, z, precision);
    acb_add_ui(sum, power, 1, precision);
    return acb_div(result, power, sum, precision);
  }
  acb_neg(power, z);
  acb_exp(power, power, precision);
  acb_add_ui(sum, power, 1, precision);
  acb_inv(result, sum, precision);
}

// Computes (x + iy) and x^2 + y^2 exactly: either may cancel to a number that
// is 2^2000 times smaller than its terms, or to 0.
void Atan2Parts(acb_ptr y, acb_ptr x, acb_ptr sum, acb_ptr squares) {
  Acb t;
  acb_mul_onei(t, y);
  acb_add(sum, x, t, ARF_PREC_EXACT);
  acb_mul(squares, x, x, ARF_PREC_EXACT);
  acb_mul(t, y, y, ARF_PREC_EXACT);
  acb_add(squares, squares, t, ARF_PREC_EXACT);
}

// Atan2Sides are the values that atan2 has at operands that are no pole.
struct Atan2Sides {
  // The sum of the squares is real and negative: its root has two values.
  bool two_roots = false;
  // (x + iy) / sqrt(x^2 + y^2) is real, and with the root above the cut below
  // zero: its logarithm has two values.
  bool is_real = false, is_negative = false;

  int count() const {
    if (two_roots) return is_real ? 3 : 2;
    return is_real && is_negative ? 2 : 1;
  }
  struct Side {
    bool other_root, lower_logarithm;
  };
  Side At(int side) const {
    if (!two_roots) return {false, side == 1};
    if (!is_real) return {side == 1, false};
    // One root has a positive quotient, the other one a negative.
    const bool positive = side == 0;
    return {positive == is_negative, side == 2};
  }
};

Atan2Sides SidesOfAtan2(acb_ptr sum, acb_ptr squares) {
  Atan2Sides sides;
  sides.two_roots = arb_is_zero(acb_imagref(squares)) &&
                    arb_is_negative(acb_realref(squares));
  // (x + iy) / sqrt(x^2 + y^2) is real if its square, (x + iy)^2 over the
  // squares, is real and positive. This is decided exactly, after a
  // multiplication by the conjugate of the squares.
  Acb square, quotient;
  acb_mul(square, sum, sum, ARF_PREC_EXACT);
  acb_conj(quotient, squares);
  acb_mul(square, square, quotient, ARF_PREC_EXACT);
  sides.is_real =
      arb_is_zero(acb_imagref(square)) && arb_is_positive(acb_realref(square));
  if (!sides.is_real) return sides;
  acb_sqrt(quotient, squares, kPrecisionOfSign);
  acb_div(quotient, sum, quotient, kPrecisionOfSign);
  sides.is_negative = arb_is_negative(acb_realref(quotient)) != 0;
  return sides;
}

// Computes -i log((x + iy) / sqrt(x^2 + y^2)).
void Atan2(acb_ptr result, acb_ptr y, acb_ptr x, int side, slong precision) {
  Acb sum, squares;
  Atan2Parts(y, x, sum, squares);
  const Atan2Sides sides = SidesOfAtan2(sum, squares);
  const Atan2Sides::Side of = sides.At(side);
  acb_sqrt(squares, squares, precision);
  if (of.other_root) acb_neg(squares, squares);
  acb_div(sum, sum, squares, precision);
  // No ball would tell that it is real, and every one would span the cut.
  if (sides.is_real) arb_zero(acb_imagref(sum));
  acb_log(sum, sum, precision);
  if (of.lower_logarithm) acb_conj(sum, sum);
  acb_div_onei(result, sum);
}

// Computes e^(w log(z)). If it is far beyond every format it is infinite or
// next to 0, and no number whose exponent has 100 digits.
void Power(acb_ptr result, acb_ptr z, acb_ptr w, slong precision) {
  constexpr slong kNothing = -1000000;
  // Computes by products, so that parts that are 0 stay 0.
  const arf_ptr count = arb_midref(acb_realref(w));
  if (acb_is_real(w) && arf_is_int(count) && arf_cmpabs_ui(count, 64) <= 0)
    return acb_pow_si(result, z, arf_get_si(count, ARF_RND_DOWN), precision);
  Acb exponent;
  acb_log(exponent, z, precision);
  acb_mul(exponent, exponent, w, precision);
  Arb far;
  arb_set_si(far, kFarExponent);
  if (arb_gt(acb_realref(exponent), far))
    arb_set_si(acb_realref(exponent), kFarExponent);
  arb_set_si(far, kNothing);
  if (arb_lt(acb_realref(exponent), far)) {
    acb_zero(result);
    arb_add_error_2exp_si(acb_realref(result), kNothing);
    return arb_add_error_2exp_si(acb_imagref(result), kNothing);
  }
  acb_exp(result, exponent, precision);
}

// Limits a part of an operand at a value beyond which the exponent makes no
// difference.
void KeepExponent(arb_ptr x) {
  if (arf_cmpabs_ui(arb_midref(x), kFarExponent) > 0)
    arb_set_si(x, arf_sgn(arb_midref(x)) * kFarExponent);
}

void Apply(ComplexFunction f, acb_ptr z, acb_ptr w, int side, slong precision,
           acb_ptr result) {
  switch (f) {
    case kAbs:
      acb_zero(result);
      return acb_abs(acb_realref(result), z, precision);
    case kAtan2:
      return Atan2(result, z, w, side, precision);
    case kCbrt:
      return acb_root_ui(result, z, 3, precision);
    case kCosine:
      return acb_cos(result, z, precision);
    case kDivide:
      return acb_div(result, z, w, precision);
    case kExponential:
      return acb_exp(result, z, precision);
    case kExponentialMinusOne:
      return acb_expm1(result, z, precision);
    case kLog:
      return acb_log(result, z, precision);
    case kLogPlusOne:
      return acb_log1p(result, z, precision);
    case kLogistic:
      return Logistic(result, z, precision);
    case kMultiply:
      return acb_mul(result, z, w, precision);
    case kPower:
      return Power(result, z, w, precision);
    case kRsqrt:
      return acb_rsqrt(result, z, precision);
    case kSign: {
      Arb modulus;
      acb_abs(modulus, z, precision);
      return acb_div_arb(result, z, modulus, precision);
    }
    case kSine:
      return acb_sin(result, z, precision);
    case kSqrt:
      return acb_sqrt(result, z, precision);
    case kTan:
      return acb_tan(result, z, precision);
    case kTanh:
      return acb_tanh(result, z, precision);
  }
}

bool IsBinary(ComplexFunction f) {
  return f == kAtan2 || f == kDivide || f == kMultiply || f == kPower;
}

template <class E>
bool IsFinite(E x) {
  return !x.IsNan() && !x.IsInfinite();
}
template <class E>
bool IsFinite(ComplexNumber<E> z) {
  return IsFinite(z.real()) && IsFinite(z.imag());
}
template <class E>
bool IsZero(ComplexNumber<E> z) {
  return z.real().IsZero() && z.imag().IsZero();
}

// Returns whether the operands, which are finite, are a pole of the function.
template <class E>
bool IsPole(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w) {
  switch (f) {
    case kLog:
    case kRsqrt:
      return IsZero(z);
    case kLogPlusOne:
      return z.real().ToDouble() == -1 && z.imag().IsZero();
    case kDivide:
      return IsZero(w);
    case kPower:
      return IsZero(z) && !IsZero(w) && !(w.real().ToDouble() > 0);
    case kAtan2: {
      Acb y, x, sum, squares;
      Set(y, z.real().ToDouble(), z.imag().ToDouble());
      Set(x, w.real().ToDouble(), w.imag().ToDouble());
      Atan2Parts(y, x, sum, squares);
      return acb_is_zero(squares) != 0;
    }
    default:
      return false;
  }
}

// magnitude = significand * 2^exponent, where bit 0 stands for the rest; a
// significand of 0 is zero.
struct Sticky {
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
};
constexpr int kHuge = 100000;

// `tie` is +1 or -1, and moves a number that is exact by less than anything.
Sticky ToSticky(arf_ptr x, int tie) {
  Sticky sticky;
  sticky.negative = arf_sgn(x) < 0;
  if (arf_is_zero(x)) return sticky;
  Fmpz exponent, floor;
  arf_abs_bound_lt_2exp_fmpz(exponent, x);
  const bool is_far =
      fmpz_cmpabs(exponent, Fmpz()) != 0 &&
      (fmpz_cmp_si(exponent, kHuge) > 0 || fmpz_cmp_si(exponent, -kHuge) < 0);
  if (is_far) {
    sticky.significand = 1;
    sticky.exponent = fmpz_sgn(exponent) < 0 ? -kHuge : kHuge;
    return sticky;
  }
  const int width = static_cast<int>(fmpz_get_si(exponent));
  Arf scaled;
  arf_abs(scaled, x);
  arf_mul_2exp_si(scaled, scaled, 62 - width);
  arf_get_fmpz(floor, scaled, ARF_RND_FLOOR);
  arf_sub_fmpz(scaled, scaled, floor, ARF_PREC_EXACT, ARF_RND_DOWN);
  const bool follows = !arf_is_zero(scaled);
  const int away = sticky.negative ? -tie : tie;
  sticky.significand = 2 * fmpz_get_ui(floor);
  if (follows || away > 0) sticky.significand |= 1;
  if (!follows && away < 0) --sticky.significand;
  sticky.exponent = width - 63;
  return sticky;
}

template <class E>
Rounded<E> ToRounded(const Sticky& x) {
  return E::Round(x.negative, x.significand, x.exponent);
}

// Moves a number that is nearer to 0 than any used here, or farther, to where
// exact sums with it are short. The ends of a ball that is still wide are far.
void KeepWithin(arf_ptr x) {
  if (arf_is_zero(x)) return;
  const int sign = arf_sgn(x);
  if (arf_cmpabs_2exp_si(x, -kHuge) < 0) arf_set_si_2exp_si(x, sign, -kHuge);
  if (arf_cmpabs_2exp_si(x, kHuge) > 0) arf_set_si_2exp_si(x, sign, kHuge);
}

// Returns the ends and the real values of a part of a result whose norm has
// this unit.
template <class E>
RealRange<E> PartRange(arb_ptr part, slong precision, int unit, double budget,
                       bool* decided) {
  Arf low, high, allowed, end;
  arb_get_interval_arf(low, high, part, precision + 64);
  KeepWithin(low);
  KeepWithin(high);
  arf_set_d(allowed, budget);
  arf_mul_2exp_si(allowed, allowed, unit);
  const auto ends = [&](arf_ptr bound, int direction) {
    if (direction < 0) {
      arf_sub(end, bound, allowed, ARF_PREC_EXACT, ARF_RND_DOWN);
    } else {
      arf_add(end, bound, allowed, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    // Without an allowance ties go to even.
    return ToRounded<E>(ToSticky(end, budget == 0 ? 0 : direction));
  };
  RealRange<E> range{ends(low, -1), ends(high, 1), E()};
  *decided = *decided && real_range::Same(range.lo, ends(high, -1)) &&
             real_range::Same(range.hi, ends(low, 1));
  Arf middle;
  arf_set(middle, arb_midref(part));
  KeepWithin(middle);
  range.near = ToRounded<E>(ToSticky(middle, 0)).value;
  range.unit = static_cast<int16_t>(std::clamp(unit, -30000, 30000));
  range.tier = Tier::kBall;
  if (IsFinite(range.near)) {
    arf_set_d(end, range.near.ToDouble());
    arf_sub(end, middle, end, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(end, end, -unit);
    range.rest = static_cast<float>(arf_get_d(end, ARF_RND_NEAR));
  }
  return range;
}

// Returns the exponent of the binade of the norm; for a power of two, or a norm
// that may be one, that of the lower binade. `decided` says that no other is
// possible.
int BinadeOfNorm(acb_ptr z, slong precision, bool* decided) {
  Arb norm, other;
  arb_abs(norm, acb_realref(z));
  arb_abs(other, acb_imagref(z));
  arb_max(norm, norm, other, precision);
  Arf low, high;
  arb_get_interval_arf(low, high, norm, precision);
  const auto binade = [](arf_ptr x) {
    if (arf_sgn(x) <= 0) return -kHuge;
    Fmpz exponent;
    arf_abs_bound_le_2exp_fmpz(exponent, x);  // x <= 2^exponent
    if (fmpz_cmp_si(exponent, kHuge) > 0) return kHuge;
    if (fmpz_cmp_si(exponent, -kHuge) < 0) return -kHuge;
    return static_cast<int>(fmpz_get_si(exponent)) - 1;
  };
  *decided = *decided && binade(low) == binade(high);
  return binade(low);
}

// Returns whether the only thing undecided is whether an end is a midpoint.
bool IsTie(acb_ptr z, int unit) {
  return mag_cmp_2exp_si(arb_radref(acb_realref(z)), unit - kTieBits) < 0 &&
         mag_cmp_2exp_si(arb_radref(acb_imagref(z)), unit - kTieBits) < 0;
}

// Limits the far exponents of the operands.
void KeepExponents(ComplexFunction f, acb_ptr z) {
  if (f == kExponential || f == kExponentialMinusOne)
    KeepExponent(acb_realref(z));
  if (f == kCosine || f == kSine) KeepExponent(acb_imagref(z));
}

// Returns whether the operands lie on a cut of a function of one root, power or
// logarithm.
template <class E>
bool IsOnCut(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w) {
  const double real = z.real().ToDouble();
  switch (f) {
    case kCbrt:
    case kLog:
    case kRsqrt:
    case kSqrt:
      return z.imag().IsZero() && real < 0;
    case kLogPlusOne:
      return z.imag().IsZero() && real < -1;
    case kPower: {
      // An integer power is the same on both sides.
      const double exponent = w.real().ToDouble();
      const bool is_integer =
          w.imag().IsZero() && std::trunc(exponent) == exponent;
      return z.imag().IsZero() && real < 0 && !is_integer;
    }
    default:
      return false;
  }
}

}  // namespace

template <class E>
int SidesOf(ComplexFunction f, ComplexNumber<E> z, ComplexNumber<E> w) {
  if (f != kAtan2) return IsOnCut(f, z, w) ? 2 : 1;
  Acb y, x, sum, squares;
  Set(y, z.real().ToDouble(), z.imag().ToDouble());
  Set(x, w.real().ToDouble(), w.imag().ToDouble());
  Atan2Parts(y, x, sum, squares);
  return SidesOfAtan2(sum, squares).count();
}

template <class E>
std::optional<ComplexRange<E>> ComplexRangeOf(ComplexFunction f,
                                              ComplexNumber<E> z,
                                              ComplexNumber<E> w,
                                              const Bounds& bounds, int side) {
  FreeAtThreadExit();
  if (!IsFinite(z) || (IsBinary(f) && !IsFinite(w)) || IsPole(f, z, w))
    return std::nullopt;
  ASSAY_CHECK(!bounds.tolerance);
  // Arb computes the upper side of every cut; the lower one is its mirror
  // image.
  const bool is_mirrored =
      IsOnCut(f, z, w) && z.imag().SignBit() != (side == 1);
  Acb a, b, result;
  Set(a, z.real().ToDouble(), z.imag().ToDouble());
  Set(b, w.real().ToDouble(), w.imag().ToDouble());
  KeepExponents(f, a);
  if (is_mirrored) acb_conj(b, b);
  const double budget = bounds.ulp - 0.5;
  std::optional<ComplexRange<E>> range;
  // The ends are outside of the enclosure of the real value, so that values
  // that the last precision leaves undecided are accepted, and no value is
  // refused.
  for (int precision = kFirstPrecision; precision <= kMostComplexPrecision;
       precision *= 2) {
    if (f == kPower && IsZero(z)) {
      acb_set_ui(result, IsZero(w) ? 1 : 0);
    } else {
      Apply(f, a, b, side, precision, result);
    }
    if (!acb_is_finite(result)) continue;
    if (is_mirrored) acb_conj(result, result);
    bool decided = true;
    const int binade = BinadeOfNorm(result, precision, &decided);
    const int unit =
        std::max(binade, E::kFormat.min_exponent()) - E::kFormat.mantissa_bits;
    range = ComplexRange<E>{
        PartRange<E>(acb_realref(result), precision, unit, budget, &decided),
        PartRange<E>(acb_imagref(result), precision, unit, budget, &decided)};
    if (decided || IsTie(result, unit)) break;
  }
  if (!range) return std::nullopt;
  const auto overflows = [](const RealRange<E>& part) {
    return part.lo.value.IsInfinite() || part.hi.value.IsInfinite();
  };
  range->overflows = overflows(range->real) || overflows(range->imag);
  return range;
}

template int SidesOf(ComplexFunction, ComplexF32, ComplexF32);
template int SidesOf(ComplexFunction, ComplexF64, ComplexF64);
template std::optional<ComplexRange<F32>> ComplexRangeOf(ComplexFunction,
                                                         ComplexF32, ComplexF32,
                                                         const Bounds&, int);
template std::optional<ComplexRange<F64>> ComplexRangeOf(ComplexFunction,
                                                         ComplexF64, ComplexF64,
                                                         const Bounds&, int);

}  // namespace assay
