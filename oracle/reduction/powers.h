// Sums and products of powers of two, as f8E8M0FNU has them: a format without
// sign, zero and significand. Private to the bounds of floats.
//
// The larger of two addends, a, or twice a is their rounded sum: a where the
// other one, b, is at most a / 2, and 2 a where it is at least that. With
// 2^p = (1 + sqrt 5) / 2, which is 1 + 2^-p, both are
//   sum^p <= a^p + b^p,
// so that by induction no tree over terms x has a root above
//   (sum of x^p)^(1/p).
// A sum that is rounded once is not above it either: for S = a + r of a
// greatest term and others, r >= a / 2 where S becomes 2 a; and where it
// becomes 2^k a of k >= 2, the sum of x^p is at least S a^(p - 1) >= 3/4 2^k
// a^p.
#ifndef ASSAY_ORACLE_REDUCTION_POWERS_H_
#define ASSAY_ORACLE_REDUCTION_POWERS_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "oracle/reduction/float_leaves.h"

namespace assay::accumulation {

// The exponents of terms and initial values: the sums of those above and below
// zero, as magnitudes, without and with as many initial values as there may be.
template <class T>
struct Exponents {
  explicit Exponents(const Leaves<T>& leaves) {
    leaves.ForEachNumber([&](double x) {
      const int exponent = std::ilogb(x);
      (exponent > 0 ? above : below) += std::abs(exponent);
    });
    if (!leaves.HasInit()) return;
    init = std::ilogb(leaves.init.ToDouble());
    (init > 0 ? most_above : most_below) = leaves.count.most * std::abs(init);
  }
  int64_t above = 0, below = 0, most_above = 0, most_below = 0;
  int64_t init = 0;
};

template <class T>
T PowerOf(int64_t exponent) {
  return T::Round(std::ldexp(1.0, static_cast<int>(exponent))).value;
}

// A product is exact unless an order leaves the range of exponents. Where one
// may be rounded to the least value, no node is below the exact product, or
// above that of the factors above 1.
template <class T>
Possible ProductOfPowers(const Leaves<T>& terms,
                         const AccumulationRules& rules) {
  Possible possible;
  if (terms.has_nan) {
    AddNan<T>(&possible);
    return possible;
  }
  const int64_t greatest = std::ilogb(T::Max(false).ToDouble()),
                least = std::ilogb(T::FromBits(0).ToDouble());
  const Exponents<T> exponents(terms);
  const int64_t above = exponents.above + exponents.most_above,
                below = exponents.below + exponents.most_below,
                product = exponents.above - exponents.below;
  // The least value may be flushed.
  if (rules.flushes && below >= -least) return Possible::Undecided();
  if (above > greatest) AddOverflow<T>(false, rules.policy, &possible);
  const auto add = [&](int64_t from, int64_t to) {
    if (from > greatest) return;
    Possible range =
        Possible::Value(PowerOf<T>(std::max(from, least)).ToBits());
    range.ranges[0].hi = PowerOf<T>(std::clamp(to, least, greatest)).ToBits();
    possible.Add(T::kElementType, range);
  };
  if (below > -least) {
    const std::string& zero = rules.policy.Get("e8m0_zero");
    if (zero == "any") return Possible::Open();
    if (zero != "smallest") AddNan<T>(&possible);
    add(product - exponents.most_below, above);
    return possible;
  }
  const int64_t inits = terms.HasInit() ? terms.count.most : 0;
  for (int64_t t = std::min(terms.count.least, inits); t <= inits; ++t)
    add(product + t * exponents.init, product + t * exponents.init);
  return possible;
}

template <class T>
Possible SumOfPowers(const Leaves<T>& terms, const AccumulationRules& rules) {
  Possible possible;
  if (terms.has_nan) {
    AddNan<T>(&possible);
    return possible;
  }
  const double kPower = std::log2((1 + std::sqrt(5.0)) / 2);
  double largest = 0, least = std::numeric_limits<double>::infinity(),
         powers = 0;
  terms.ForEachNumber([&](double x) {
    largest = std::max(largest, x);
    least = std::min(least, x);
    powers += std::pow(x, kPower);
  });
  if (terms.HasInit()) {
    const double init = terms.init.ToDouble();
    if (terms.count.least > 0) largest = std::max(largest, init);
    least = std::min(least, init);
    powers += static_cast<double>(terms.count.most) * std::pow(init, kPower);
  }
  if (largest == 0) return Possible::Undecided();
  // The least value may be flushed.
  if (rules.flushes && least <= T::FromBits(0).ToDouble())
    return Possible::Undecided();
  // More than what the roundings of these numbers and of a wider type add.
  constexpr double kMargin = 1e-6;
  const auto exponent =
      static_cast<int64_t>(std::floor(std::log2(powers) / kPower + kMargin));
  const int64_t greatest = std::ilogb(T::Max(false).ToDouble());
  if (exponent > greatest) AddOverflow<T>(false, rules.policy, &possible);
  Possible range = Possible::Value(T::Round(largest).value.ToBits());
  range.ranges[0].hi = PowerOf<T>(std::min(exponent, greatest)).ToBits();
  possible.Add(T::kElementType, range);
  return possible;
}

}  // namespace assay::accumulation

#endif  // ASSAY_ORACLE_REDUCTION_POWERS_H_
