// Everything here is exact, or an enclosure with a proof by Arb.
#include "oracle/real/ball.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "oracle/real/real_value.h"

namespace assay {
namespace {

void Apply(RealFunction f, arb_ptr x, arb_ptr y, slong precision,
           arb_ptr result) {
  using enum RealFunction;
  switch (f) {
    case kAtan2:
      return arb_atan2(result, x, y, precision);
    case kCbrt: {
      const bool is_negative = arb_is_negative(x) != 0;
      Arb magnitude;
      arb_abs(magnitude, x);
      arb_root_ui(result, magnitude, 3, precision);
      if (is_negative) arb_neg(result, result);
      return;
    }
    case kCosine:
      return arb_cos(result, x, precision);
    case kDivide:
      return arb_div(result, x, y, precision);
    case kExponential:
      return arb_exp(result, x, precision);
    case kExponentialMinusOne:
      return arb_expm1(result, x, precision);
    case kLog:
      return arb_log(result, x, precision);
    case kLogPlusOne:
      return arb_log1p(result, x, precision);
    case kLogistic:
      arb_neg(result, x);
      arb_exp(result, result, precision);
      arb_add_ui(result, result, 1, precision);
      return arb_ui_div(result, 1, result, precision);
    case kPower: {
      // A negative base to an integer power is computed by its magnitude, with
      // a sign.
      const bool is_negative = arb_is_negative(x) != 0;
      Arb magnitude;
      arb_abs(magnitude, x);
      arb_pow(result, magnitude, y, precision);
      if (is_negative &&
          std::fmod(arf_get_d(arb_midref(y), ARF_RND_NEAR), 2) != 0)
        arb_neg(result, result);
      return;
    }
    case kRsqrt:
      return arb_rsqrt(result, x, precision);
    case kSine:
      return arb_sin(result, x, precision);
    case kSqrt:
      return arb_sqrt(result, x, precision);
    case kTan:
      return arb_tan(result, x, precision);
    case kTanh:
      return arb_tanh(result, x, precision);
  }
}

// A magnitude of so many binades or more is beyond its format, and kBeyondUnits
// stands for it.
constexpr int kMostBinades = 60;
constexpr unsigned __int128 kBeyondUnits = static_cast<unsigned __int128>(1)
                                           << 124;

// Precondition: 0 <= value < 2^128.
unsigned __int128 ToInteger(fmpz* value) {
  Fmpz high, low;
  fmpz_fdiv_q_2exp(high, value, 64);
  fmpz_fdiv_r_2exp(low, value, 64);
  return static_cast<unsigned __int128>(fmpz_get_ui(high)) << 64 |
         fmpz_get_ui(low);
}

// Returns floor(magnitude / 2^(unit - kFractionBits)) with the bit for what
// follows: the number has no end in base 2, so something does.
unsigned __int128 InUnits(arf_ptr magnitude, int unit) {
  if (BinadeOf(magnitude) - unit > kMostBinades) return kBeyondUnits;
  if (BinadeOf(magnitude) - unit < -Fixed::kFractionBits - 2) return 1;
  Arf scaled;
  arf_mul_2exp_si(scaled, magnitude, Fixed::kFractionBits - unit);
  Fmpz floor;
  arf_get_fmpz(floor, scaled, ARF_RND_FLOOR);
  return ToInteger(floor) | 1;
}

// Does the same for a fraction, which may end there.
unsigned __int128 InUnits(fmpq* magnitude, int binade, int unit) {
  if (binade - unit > kMostBinades) return kBeyondUnits;
  if (binade - unit < -Fixed::kFractionBits - 2) return 1;
  Fmpz scaled, rest;
  const int shift = Fixed::kFractionBits - unit;
  Fmpz divisor;
  fmpz_set(scaled, fmpq_numref(magnitude));
  fmpz_set(divisor, fmpq_denref(magnitude));
  if (shift >= 0) {
    fmpz_mul_2exp(scaled, scaled, static_cast<ulong>(shift));
  } else {
    fmpz_mul_2exp(divisor, divisor, static_cast<ulong>(-shift));
  }
  fmpz_fdiv_qr(scaled, rest, scaled, divisor);
  return ToInteger(scaled) | (fmpz_is_zero(rest) ? 0 : 1);
}

}  // namespace

int BinadeOf(arf_ptr value) {
  Fmpz exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, value);
  if (fmpz_cmp_si(exponent, 100000) > 0) return 100000;
  if (fmpz_cmp_si(exponent, -100000) < 0) return -100000;
  return static_cast<int>(fmpz_get_si(exponent)) - 1;
}

int BinadeOf(const fmpq* value) {
  Fmpz a, b;
  fmpz_abs(a, fmpq_numref(value));
  fmpz_set(b, fmpq_denref(value));
  const auto binade =
      static_cast<int>(fmpz_bits(a)) - static_cast<int>(fmpz_bits(b));
  if (binade >= 0) {
    fmpz_mul_2exp(b, b, static_cast<ulong>(binade));
  } else {
    fmpz_mul_2exp(a, a, static_cast<ulong>(-binade));
  }
  return fmpz_cmp(a, b) < 0 ? binade - 1 : binade;
}

bool EncloseReal(RealFunction f, double x, double y, int precision, arf_ptr low,
                 arf_ptr high) {
  FreeAtThreadExit();
  const bool is_atan2 = f == RealFunction::kAtan2;
  // The angle has the sign of x, also of a zero, and the angle of two zeros is
  // pi if y is -0. Infinities count as equal, and as more than everything else.
  const bool is_mirrored = is_atan2 && std::signbit(x);
  if (is_mirrored) x = -x;
  if (is_atan2 && (std::isinf(x) || std::isinf(y))) {
    x = std::isinf(x) ? 1 : 0;
    y = std::isinf(y) ? std::copysign(1.0, y) : 0;
  }
  if (is_atan2 && x == 0) y = std::copysign(1.0, y);
  Arb a, b, result;
  arb_set_d(a, x);
  arb_set_d(b, y);
  Apply(f, a, b, precision, result);
  if (is_mirrored) arb_neg(result, result);
  if (!arb_is_finite(result)) return false;
  arb_get_interval_arf(low, high, result, precision);
  return true;
}

std::optional<Enclosure> RealBall::Enclose(int precision,
                                           int (*unit_of)(int)) const {
  Arf low, high;
  if (!EncloseReal(f_, x_, y_, precision, low, high)) return std::nullopt;
  const bool negative = arf_sgn(high) <= 0;
  if (negative) {
    arf_swap(low, high);
    arf_neg(low, low);
    arf_neg(high, high);
  }
  if (arf_sgn(low) <= 0) return std::nullopt;
  Enclosure real{negative, {}, {}, unit_of(BinadeOf(low))};
  if (unit_of(BinadeOf(high)) != real.unit) return std::nullopt;
  real.low.value = InUnits(low, real.unit);
  real.high.value = InUnits(high, real.unit);
  return real;
}

std::optional<Enclosure> RealBall::Known(int (*unit_of)(int)) const {
  FreeAtThreadExit();
  KnownReal known;
  if (!FindKnownReal(f_, x_, y_, &known)) return std::nullopt;
  const bool negative = fmpq_sgn(known.value) < 0;
  const int outward = negative ? -known.beside : known.beside;
  fmpq_abs(known.value, known.value);
  const int binade = BinadeOf(known.value);
  Fmpq power;
  fmpq_one(power);
  if (binade >= 0) {
    fmpq_mul_2exp(power, power, static_cast<ulong>(binade));
  } else {
    fmpq_div_2exp(power, power, static_cast<ulong>(-binade));
  }
  // The binade of 2^n itself and of smaller values is the lower one.
  const bool is_lower = fmpq_equal(power, known.value) != 0 && outward <= 0;
  Enclosure real{negative, {}, {}, unit_of(binade - (is_lower ? 1 : 0))};
  real.low.value = InUnits(known.value, binade, real.unit);
  if (outward > 0) real.low.value |= 1;
  if (outward < 0) --real.low.value;
  real.high = real.low;
  return real;
}

namespace {
thread_local int most_precision = kMostPrecision;
}  // namespace

int MostPrecision() { return most_precision; }
ScopedMostPrecision::ScopedMostPrecision(int bits) { most_precision = bits; }
ScopedMostPrecision::~ScopedMostPrecision() { most_precision = kMostPrecision; }

}  // namespace assay
