// These are the elementary functions of the simd plugin in long double, and the
// results that are near enough to them.
//
// The 64 bits of long double are 11 more than f64 has, so that a bound in ulps
// is off by 2^-10 or so, which the bounds leave room for.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_FUNCTIONS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_FUNCTIONS_TEST_SUPPORT_H_

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {

using Real = long double;

inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

struct RealFunction {
  const char* op;
  bool is_binary;
  // docs/simd_functions.md promises this bound for f32 and f64.
  double ulps;
  Real low, high;  // Ends of the range.
  Real (*f)(Real, Real);
  // These are operands where the function behaves in a special way.
  std::vector<double> points = {};
};

inline Real LogisticOf(Real x, Real) {
  const Real e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

// powl(-inf, -2^63) was +inf in the GNU C library 2.36, so infinities are
// computed in double.
inline Real PowerOf(Real x, Real y) {
  if (std::isfinite(x)) return std::pow(x, y);
  return static_cast<Real>(
      std::pow(static_cast<double>(x), static_cast<double>(y)));
}

inline const std::vector<RealFunction>& RealFunctions() {
  static const std::vector<double> kAngles = {0.78539816339744831,
                                              1.5707963267948966,
                                              3.1415926535897931,
                                              4.7123889803846897,
                                              15,
                                              22,
                                              125,
                                              355,
                                              39000,
                                              1e5,
                                              1e14,
                                              6381956970095103.0 * 0x1p797,
                                              16367173 * 0x1p72,
                                              0x1.921fb54442d18p+6,
                                              103993.0 / 33102 * 1024};
  static const std::vector<double> kOverflow = {
      88.722839,  88.72283,   89,          88.376259,   709.78271289338397,
      710,        708.9,      -87.336544,  -103.972084, -104,
      -103.27893, -708.39642, -745.133219, -745.2,      -36.8,
      -17.4,      -16.6,      0.34657359,  1.0397208,   11.09};
  static const std::vector<RealFunction> kFunctions = {
      {"atan2", true, 1.8, -4, 4,
       [](Real x, Real y) { return std::atan2(x, y); }},
      {"cbrt",
       false,
       1,
       -kInfinity,
       kInfinity,
       [](Real x, Real) { return std::cbrt(x); },
       {8, 27, 1000, 0.125}},
      {"cosine", false, 1, -1, 1, [](Real x, Real) { return std::cos(x); },
       kAngles},
      {"exponential", false, 1.1, 0, kInfinity,
       [](Real x, Real) { return std::exp(x); }, kOverflow},
      {"exponential_minus_one", false, 1.6, -1, kInfinity,
       [](Real x, Real) { return std::expm1(x); }, kOverflow},
      {"log",
       false,
       1,
       -kInfinity,
       kInfinity,
       [](Real x, Real) { return std::log(x); },
       {0.5, 0.70710678, 0.99, 1.01, 1.4142135, 2}},
      {"log_plus_one",
       false,
       1.6,
       -kInfinity,
       kInfinity,
       [](Real x, Real) { return std::log1p(x); },
       {-0.5, -0.99999994, -1, 0x1p-24, 0x1p-53, 0x1p24, 0x1p53, 1e38, 1e307}},
      {"logistic", false, 2.5, 0, 1, LogisticOf, kOverflow},
      {"power", true, 1.6, -kInfinity, kInfinity, PowerOf},
      {"rsqrt", false, 1.6, 0, kInfinity,
       [](Real x, Real) { return 1 / std::sqrt(x); }},
      {"sine", false, 1, -1, 1, [](Real x, Real) { return std::sin(x); },
       kAngles},
      {"tan", false, 1.1, -kInfinity, kInfinity,
       [](Real x, Real) { return std::tan(x); }, kAngles},
      {"tanh",
       false,
       3,
       -1,
       1,
       [](Real x, Real) { return std::tanh(x); },
       {0.17, 0.56, 9.0109, 9.011, 10, 18.7, 19.07, 22}}};
  return kFunctions;
}

inline Real RealOf(const FloatType& t, uint64_t raw) {
  return static_cast<Real>(Decode(t, raw));
}

// These are the results of type t that are near enough to a real number, as an
// interval. All NaNs count as one.
struct Accepted {
  uint64_t low;
  uint64_t exact;
  uint64_t high;
};

// Apart from its own rounding, a narrow format may be off by 0.01 ulp, which is
// more than f32's error in computing it.
inline Accepted Accept(const FloatType& t, const RealFunction& function,
                       Real value) {
  const auto encode = [&t](Real x) { return Encode(t, static_cast<Quad>(x)); };
  const uint64_t exact = encode(value);
  if (value == 0 || !std::isfinite(value)) return {exact, exact, exact};
  const int exponent = std::max(std::ilogb(value), 1 - t.bias);
  const Real ulps = t.type.bits < 32 ? 0.01 : function.ulps;
  const Real slack = std::ldexp(ulps, exponent - t.mantissa_bits);
  Real low = std::max(value - slack, function.low);
  Real high = std::min(value + slack, function.high);
  // The sign is the real value's, also if the result is zero.
  if (value > 0 && low <= 0) low = 0;
  if (value < 0 && high >= 0) high = -Real{0};
  return {encode(low), exact, encode(high)};
}

inline bool IsAccepted(const FloatType& t, const Accepted& accepted,
                       uint64_t raw) {
  raw &= t.type.mask();
  if (t.IsNan(raw)) {
    return t.IsNan(accepted.low) || t.IsNan(accepted.exact) ||
           t.IsNan(accepted.high);
  }
  if (raw == accepted.low || raw == accepted.exact || raw == accepted.high) {
    return true;
  }
  // Between two results of one sign, the codes are the codes of the results
  // between them.
  const uint64_t a = std::min(accepted.low, accepted.high);
  const uint64_t b = std::max(accepted.low, accepted.high);
  return t.type.bits >= 32 && !t.IsNan(b) && a <= raw && raw <= b;
}

// Returns all operands of types of up to 16 bits, and for wider types the grid,
// the points and their neighbors, and operands of random bits and sizes.
inline Raw RealOperands(const FloatType& t, const RealFunction& function) {
  Raw values;
  if (t.type.bits <= 16) {
    for (uint64_t raw = 0; raw <= t.type.mask(); ++raw) values.push_back(raw);
    return values;
  }
  values = FloatGrid(t);
  for (const double point : function.points) {
    const uint64_t raw = Encode(t, static_cast<Quad>(point));
    for (uint64_t near = raw - 3; near <= raw + 3; ++near) {
      values.push_back(near);
      values.push_back(near ^ t.sign());
    }
  }
  std::mt19937_64 random(11);
  for (int i = 0; i < 3000; ++i) {
    values.push_back(random() & t.type.mask());
    const double size = std::ldexp(1, static_cast<int>(random() % 24) - 16);
    const double fraction =
        static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1;
    values.push_back(Encode(t, static_cast<Quad>(fraction * size)));
  }
  return values;
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_REAL_FUNCTIONS_TEST_SUPPORT_H_
