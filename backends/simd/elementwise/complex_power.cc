#include "backends/simd/elementwise/complex_power.h"

namespace assay::simd {
namespace {

// A factor that is a logarithm is relatively off by at most half of this, the
// roundings of the factor, of its product and of the sum that it enters
// included.
constexpr double kRelativeError = 0x1p-109;

// A Sum is a sum of products and a bound of its error.
struct Sum {
  Quad value;
  Quad error;
};

// Sets `angle` to the exact angle, in units of pi, of a number on an axis or a
// diagonal. Returns false for other numbers.
bool ExactAngle(const Complex<Quad>& z, Quad* angle) {
  const Quad x = Abs(z.real);
  const Quad y = Abs(z.imag);
  if (x != 0 && y != 0 && x != y) return false;
  const double of_right = y == 0 ? 0 : x == 0 ? 0.5 : 0.25;
  *angle = CopySign(Quad(z.real < 0 ? 1 - of_right : of_right), z.imag);
  return true;
}

}  // namespace

bool Power(const Complex<Quad>& base, const Complex<Quad>& exponent,
           const PowerRange& range, Complex<Quad>* result) {
  if (IsZero(exponent)) {
    *result = {1, 0};
    return true;
  }
  if (IsZero(base) && exponent.real > 0) {
    *result = {0, 0};
    return true;
  }
  const Complex<Quad> log = Logarithm(base);
  const Quad growth = exponent.real * log.real;
  const Quad shrinkage = exponent.imag * log.imag;
  const Sum scale = {growth - shrinkage,
                     (Abs(growth) + Abs(shrinkage)) * kRelativeError};
  // Only the part of a large multiple of an exact angle that is beyond whole
  // turns counts.
  Quad exact;
  const bool is_exact = ExactAngle(base, &exact);
  const Quad turn = is_exact ? FMod(exponent.real * exact, Quad(2)) * Pi<Quad>()
                             : exponent.real * log.imag;
  const Quad drift = exponent.imag * log.real;
  const Sum angle = {turn + drift, (Abs(turn) + Abs(drift)) * kRelativeError};

  if (scale.value + scale.error < range.least) {
    *result = {0, 0};
    return true;
  }
  const bool is_large = scale.value - scale.error > range.most;
  const bool is_known =
      scale.error <= range.tolerance && angle.error <= range.tolerance;
  if (IsFinite(base) && IsFinite(exponent) && !IsZero(base) && !is_large &&
      !is_known) {
    return false;
  }
  *result = Exponential(Complex<Quad>{scale.value, angle.value});
  return true;
}

}  // namespace assay::simd
