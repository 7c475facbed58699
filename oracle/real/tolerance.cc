#include "oracle/real/tolerance.h"

#include <cmath>

#include "oracle/real/ball.h"
#include "oracle/real/real_value.h"

namespace assay {
namespace {

// A number that is next to zero has this exponent, and so is nearer than
// everything that it is compared with.
constexpr int kNearZero = -20000;

// `beside` is +1 or -1, and moves the number by less than anything that it is
// compared with.
TruncatedReal Truncate(const fmpq* value, int beside) {
  TruncatedReal result;
  const int sign = fmpq_sgn(value);
  if (sign == 0) {
    if (beside == 0) return result;
    return {beside < 0, (uint64_t{1} << 63) | 1, kNearZero};
  }
  result.negative = sign < 0;
  // The significand is a quotient of 62 bits, and one bit for what follows.
  const int exponent = BinadeOf(value) - 61;
  Fmpz quotient, rest, divisor;
  fmpz_abs(quotient, fmpq_numref(value));
  fmpz_set(divisor, fmpq_denref(value));
  if (exponent >= 0) {
    fmpz_mul_2exp(divisor, divisor, static_cast<ulong>(exponent));
  } else {
    fmpz_mul_2exp(quotient, quotient, static_cast<ulong>(-exponent));
  }
  fmpz_fdiv_qr(quotient, rest, quotient, divisor);
  result.significand = 2 * fmpz_get_ui(quotient);
  result.exponent = exponent - 1;
  const bool follows = !fmpz_is_zero(rest);
  const int outward = sign * beside;
  if (follows || outward > 0) result.significand |= 1;
  if (!follows && outward < 0) --result.significand;
  return result;
}

// The inequality is computed with fractions: it allows the greater of an
// absolute part and a part of the real value.
class Inequality {
 public:
  Inequality(const ResultAccuracy& rule, int precision) {
    Arf number;
    arf_set_d(number, rule.atol);
    arf_get_fmpq(absolute_, number);
    arf_set_d(number, rule.rtol);
    arf_get_fmpq(relative_, number);
    Fmpq units;
    fmpq_set_si(units, rule.ulps, 1);
    if (precision > 1)
      fmpq_div_2exp(units, units, static_cast<ulong>(precision - 1));
    if (fmpq_cmp(units, relative_) > 0) fmpq_set(relative_, units);
  }

  // Returns whether the relative part is the greater one, for a number that is
  // this one or a little more or less.
  bool IsRelative(const fmpq* real, int beside) const {
    Fmpq part;
    fmpq_abs(part, real);
    fmpq_mul(part, part, relative_);
    const int order = fmpq_cmp(part, absolute_);
    return order > 0 || (order == 0 && fmpq_sgn(real) * beside > 0);
  }

  ToleranceEnds Ends(const fmpq* real, int beside, bool is_relative) const {
    return {Truncate(real, beside), End(real, beside, is_relative, -1),
            End(real, beside, is_relative, 1)};
  }

 private:
  TruncatedReal End(const fmpq* real, int beside, bool is_relative,
                    int direction) const {
    Fmpq end;
    if (!is_relative) {
      if (direction < 0) {
        fmpq_sub(end, real, absolute_);
      } else {
        fmpq_add(end, real, absolute_);
      }
      return Truncate(end, beside);
    }
    // real +- |real| c = real (1 +- c)
    fmpq_one(end);
    if (direction * fmpq_sgn(real) < 0) {
      fmpq_sub(end, end, relative_);
    } else {
      fmpq_add(end, end, relative_);
    }
    const int sign = fmpq_sgn(end);
    fmpq_mul(end, end, real);
    return Truncate(end, sign * beside);
  }

  // FLINT takes operands that it only reads as non-const pointers.
  mutable Fmpq absolute_, relative_;
};

}  // namespace

std::optional<ToleranceEnds> EndsByTolerance(RealFunction f, double x, double y,
                                             const ResultAccuracy& rule,
                                             int precision) {
  FreeAtThreadExit();
  const Inequality inequality(rule, precision);
  // A power of NaN or an infinity that is a number is 1.
  const bool is_finite = std::isfinite(x) && std::isfinite(y);
  KnownReal known;
  if ((is_finite || f == RealFunction::kPower) &&
      FindKnownReal(f, x, y, &known))
    return inequality.Ends(known.value, known.beside,
                           inequality.IsRelative(known.value, known.beside));
  Arf low, high;
  Fmpq first, last;
  for (int bits = 96; bits <= MostPrecision(); bits *= 2) {
    if (!EncloseReal(f, x, y, bits, low, high)) continue;
    // The function is monotone on either side of zero, so both ends are needed.
    if (arf_sgn(low) * arf_sgn(high) <= 0) continue;
    arf_get_fmpq(first, low);
    arf_get_fmpq(last, high);
    const bool is_relative = inequality.IsRelative(first, 0);
    if (inequality.IsRelative(last, 0) != is_relative) continue;
    const ToleranceEnds ends = inequality.Ends(first, 0, is_relative);
    if (ends == inequality.Ends(last, 0, is_relative)) return ends;
  }
  return std::nullopt;
}

}  // namespace assay
