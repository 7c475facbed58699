// Everything here is exact, or an enclosure with a proof: Arb's.
#include "oracle/ball.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "oracle/arb.h"
#include "spec/error.h"

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
      // Of a negative base to an integer: that of its magnitude, with a sign.
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

// The exponent of the binade, far beyond every format where it has no int.
int BinadeOf(arf_ptr magnitude) {
  Fmpz exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, magnitude);
  if (fmpz_cmp_si(exponent, 100000) > 0) return 100000;
  if (fmpz_cmp_si(exponent, -100000) < 0) return -100000;
  return static_cast<int>(fmpz_get_si(exponent)) - 1;
}

// floor(magnitude / 2^(unit - kFractionBits)) with the bit for what follows:
// the number has no end in base 2, so something does.
unsigned __int128 InUnits(arf_ptr magnitude, int unit) {
  if (BinadeOf(magnitude) - unit > 60)
    return static_cast<unsigned __int128>(1) << 124;
  if (BinadeOf(magnitude) - unit < -Fixed::kFractionBits - 2) return 1;
  Arf scaled;
  arf_mul_2exp_si(scaled, magnitude, Fixed::kFractionBits - unit);
  Fmpz floor, high, low;
  arf_get_fmpz(floor, scaled, ARF_RND_FLOOR);
  fmpz_fdiv_q_2exp(high, floor, 64);
  fmpz_fdiv_r_2exp(low, floor, 64);
  return (static_cast<unsigned __int128>(fmpz_get_ui(high)) << 64 |
          fmpz_get_ui(low)) |
         1;
}

}  // namespace

std::optional<Enclosure> RealBall::Enclose(int precision,
                                           int (*unit_of)(int)) const {
  FreeAtThreadExit();
  Arb x, y, result;
  arb_set_d(x, x_);
  arb_set_d(y, y_);
  Apply(f_, x, y, precision, result);
  if (arb_contains_zero(result) || !arb_is_finite(result)) return std::nullopt;
  const bool negative = arb_is_negative(result) != 0;
  if (negative) arb_neg(result, result);
  Arf low, high;
  arb_get_lbound_arf(low, result, precision);
  arb_get_ubound_arf(high, result, precision);
  Enclosure real{negative, {}, {}, unit_of(BinadeOf(low))};
  if (unit_of(BinadeOf(high)) != real.unit) return std::nullopt;
  real.low.value = InUnits(low, real.unit);
  real.high.value = InUnits(high, real.unit);
  return real;
}

std::optional<RealBall::Dyadic> RealBall::Exact() const {
  // |x| = m * 2^e with an odd m.
  const auto odd = [](double x, uint64_t* m, int* e) {
    *m = static_cast<uint64_t>(std::ldexp(std::frexp(std::fabs(x), e), 53));
    *e -= 53;
    const int zeros = std::countr_zero(*m);
    *m >>= zeros;
    *e += zeros;
  };
  const auto root = [](uint64_t m, double power) -> uint64_t {
    return static_cast<uint64_t>(std::llround(std::pow(m, power)));
  };
  uint64_t m = 0;
  int e = 0;
  odd(x_, &m, &e);
  if (f_ == RealFunction::kCbrt) {
    const uint64_t r = root(m, 1.0 / 3);
    if (e % 3 != 0 || r * r * r != m) return std::nullopt;
    return Dyadic{x_ < 0, r, e / 3};
  }
  if (f_ == RealFunction::kRsqrt) {
    if (m != 1 || e % 2 != 0) return std::nullopt;
    return Dyadic{false, 1, -e / 2};
  }
  if (f_ == RealFunction::kSqrt) {
    const uint64_t r = root(m, 0.5);
    if (e % 2 != 0 || r * r != m) return std::nullopt;
    return Dyadic{false, r, e / 2};
  }
  if (f_ == RealFunction::kDivide) {
    uint64_t divisor = 0;
    int power = 0;
    odd(y_, &divisor, &power);
    if (m % divisor != 0) return std::nullopt;
    return Dyadic{(x_ < 0) != (y_ < 0), m / divisor, e - power};
  }
  if (f_ != RealFunction::kPower) return std::nullopt;
  uint64_t n = 0;  // |y| = n * 2^f
  int f = 0;
  odd(y_, &n, &f);
  const bool negative = x_ < 0 && f == 0;
  for (; f < 0; ++f) {
    const uint64_t r = root(m, 0.5);
    if (e % 2 != 0 || r * r != m) return std::nullopt;
    m = r;
    e /= 2;
  }
  // m^(n * 2^f), of at most 64 bits; a power of two may be any.
  if (m == 1) {
    const double exponent = std::ldexp(static_cast<double>(n), f) * e;
    const double bounded = std::clamp(exponent, -1e6, 1e6);
    return Dyadic{negative, 1, static_cast<int>(y_ < 0 ? -bounded : bounded)};
  }
  if (y_ < 0 || f > 6 || n > 64) return std::nullopt;
  unsigned __int128 power = 1;
  const uint64_t count = n << f;
  for (uint64_t i = 0; i < count; ++i) {
    power *= m;
    if (power >> 64 != 0) return std::nullopt;
  }
  return Dyadic{negative, static_cast<uint64_t>(power),
                static_cast<int>(e * static_cast<int>(count))};
}

void UndecidedBall(RealFunction f, double x, double y) {
  CheckFailed(fmt::format("function {} of {:a} and {:a} has no end in base 2",
                          static_cast<int>(f), x, y)
                  .c_str(),
              __FILE__, __LINE__);
}

}  // namespace assay
