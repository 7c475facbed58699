// All other values are irrational: those of exponentials, logarithms and
// trigonometric functions of numbers other than 0 and 1
// (Lindemann-Weierstrass), roots that are not exact, and powers with an
// exponent that is no fraction (Gelfond-Schneider). No sum or product of one
// with a number has an end in base 2.
#include "oracle/real/real_value.h"

#include <bit>
#include <cmath>

namespace assay {
namespace {

// From here on e^x is beyond 2^kFarExponent, and e^-x below its inverse.
constexpr double kFar = 4096;
// A power of more bits counts as irrational in every comparison, because
// numbers have no more than 2^12 bits between the first and the last.
constexpr double kMostBits = 65536;

void Scale(int exponent, fmpq* value) {
  if (exponent >= 0) {
    fmpq_mul_2exp(value, value, static_cast<ulong>(exponent));
  } else {
    fmpq_div_2exp(value, value, static_cast<ulong>(-exponent));
  }
}

// |x| = odd * 2^exponent.
struct Dyadic {
  explicit Dyadic(double x) {
    odd = static_cast<uint64_t>(
        std::ldexp(std::frexp(std::fabs(x), &exponent), 53));
    const int zeros = std::countr_zero(odd);
    odd >>= zeros;
    exponent += zeros - 53;
  }
  // Replaces the number by its root, if that is such a number as well.
  bool TakeRoot(int degree) {
    const auto root = static_cast<uint64_t>(
        std::llround(std::pow(static_cast<double>(odd), 1.0 / degree)));
    unsigned __int128 power = 1;
    for (int i = 0; i < degree; ++i) power *= root;
    if (power != odd || exponent % degree != 0) return false;
    odd = root;
    exponent /= degree;
    return true;
  }
  uint64_t odd;
  int exponent;
};

bool Set(bool negative, const Dyadic& x, fmpq* value) {
  fmpz_set_ui(fmpq_numref(value), x.odd);
  fmpz_one(fmpq_denref(value));
  Scale(x.exponent, value);
  if (negative) fmpq_neg(value, value);
  return true;
}

bool SetFar(bool negative, bool is_large, fmpq* value) {
  fmpq_set_si(value, negative ? -1 : 1, 1);
  Scale(is_large ? kFarExponent : -kFarExponent, value);
  return true;
}

bool SetBeside(int number, int beside, KnownReal* known) {
  fmpq_set_si(known->value, number, 1);
  known->beside = beside;
  return true;
}

// Finds x^y, where a negative x has an integer y.
bool FindPower(double x, double y, fmpq* value) {
  if (y == 0 || std::fabs(x) == 1) {
    const bool is_odd = std::isfinite(y) && std::fmod(y, 2) != 0;
    fmpq_set_si(value, x < 0 && is_odd ? -1 : 1, 1);
    return true;
  }
  Dyadic base(x), exponent(y);
  const bool negative = x < 0 && exponent.exponent == 0;
  const long double logarithm =
      static_cast<long double>(y) *
      std::log(std::fabs(static_cast<long double>(x)));
  if (std::fabs(logarithm) > kFar)
    return SetFar(negative, logarithm > 0, value);
  for (; exponent.exponent < 0; ++exponent.exponent) {
    if (!base.TakeRoot(2)) return false;
  }
  const double count =
      std::ldexp(static_cast<double>(exponent.odd), exponent.exponent);
  if (count * static_cast<double>(std::bit_width(base.odd)) > kMostBits)
    return false;
  const auto n = static_cast<ulong>(count);
  fmpz_set_ui(fmpq_numref(value), base.odd);
  fmpz_pow_ui(fmpq_numref(value), fmpq_numref(value), n);
  fmpz_one(fmpq_denref(value));
  Scale(base.exponent * static_cast<int>(n), value);
  if (y < 0) fmpq_inv(value, value);
  if (negative) fmpq_neg(value, value);
  return true;
}

}  // namespace

bool FindKnownReal(RealFunction f, double x, double y, KnownReal* known) {
  using enum RealFunction;
  const bool is_far = std::fabs(x) > kFar;
  known->beside = 0;
  switch (f) {
    case kExponential:
      return is_far && SetFar(false, x > 0, known->value);
    case kExponentialMinusOne:
      if (is_far && x < 0) return SetBeside(-1, 1, known);
      return is_far && SetFar(false, true, known->value);
    case kLogistic:
      if (is_far && x > 0) return SetBeside(1, -1, known);
      return is_far && SetFar(false, false, known->value);
    case kTanh:
      return is_far && SetBeside(x < 0 ? -1 : 1, x < 0 ? 1 : -1, known);
    case kPower:
      return FindPower(x, y, known->value);
    case kCbrt:
    case kSqrt:
    case kRsqrt: {
      Dyadic root(x);
      if (!root.TakeRoot(f == kCbrt ? 3 : 2)) return false;
      Set(x < 0, root, known->value);
      if (f == kRsqrt) fmpq_inv(known->value, known->value);
      return true;
    }
    case kDivide: {
      Fmpq divisor;
      Set(x < 0, Dyadic(x), known->value);
      Set(y < 0, Dyadic(y), divisor);
      fmpq_div(known->value, known->value, divisor);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace assay
