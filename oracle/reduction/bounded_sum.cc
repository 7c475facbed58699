// Sums of floats in any order.
#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/reduction/float_leaves.h"
#include "oracle/reduction/powers.h"

namespace assay {
namespace accumulation {
namespace {

// Up to so many numbers of initial values, each exact result is a value of its
// own.
constexpr int64_t kMostExact = Possible::kMost;

// Bounds are computed with 64 bits; each of their roundings, and those of sums
// of so many terms, are less than this.
long double Upward(long double bound, int64_t terms) {
  return bound * (1 + static_cast<long double>(terms + 8) * 0x1p-62L);
}

// The exact sum of the terms that are numbers, and the sums of the positive and
// of the negative leaves, as magnitudes.
template <class T>
struct Magnitudes {
  explicit Magnitudes(const Leaves<T>& leaves) {
    leaves.ForEachNumber([&](double x) { terms.Add(x); });
    positive = terms.Magnitude(false);
    negative = terms.Magnitude(true);
    if (leaves.has_numbers) last_bit = terms.LastBit();
    if (!leaves.HasInit()) return;
    const double init = leaves.init.ToDouble();
    (init > 0 ? positive : negative) +=
        std::fabs(static_cast<long double>(init)) *
        static_cast<long double>(leaves.count.most);
    last_bit = std::min(last_bit, LastBit(init));
  }
  long double Sum() const { return positive + negative; }
  ExactSum terms;
  long double positive = 0, negative = 0;
  int last_bit = std::numeric_limits<int>::max();
};

// Sets `lower` and `upper` to bounds of the exact sum, with any number of
// initial values, that are off by `error` or more.
template <class T>
void BoundExactSum(const ExactSum& exact, const Leaves<T>& terms, double error,
                   double* lower, double* upper) {
  FreeAtThreadExit();
  Arf sum, term, init, end;
  exact.Get(sum);
  arf_set_d(init, terms.HasInit() ? terms.init.ToDouble() : 0);
  arf_set_d(term, error);
  const bool falls = arf_sgn(init) < 0;
  const auto inits = [&](bool is_lower) {
    return static_cast<ulong>(is_lower == falls ? terms.count.most
                                                : terms.count.least);
  };
  arf_mul_ui(end, init, inits(true), ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_add(end, end, sum, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_sub(end, end, term, kPrecision, ARF_RND_FLOOR);
  *lower = arf_get_d(end, ARF_RND_FLOOR);
  arf_mul_ui(end, init, inits(false), ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_add(end, end, sum, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_add(end, end, term, kPrecision, ARF_RND_CEIL);
  *upper = arf_get_d(end, ARF_RND_CEIL);
}

template <class T>
Possible SumOf(const Leaves<T>& terms, const AccumulationRules& rules) {
  using B = Bounds<T>;
  Possible possible;
  if (terms.has_nan || (terms.has_infinity && terms.has_minus_infinity)) {
    AddNan<T>(&possible);
    return possible;
  }
  const Magnitudes<T> magnitudes(terms);
  const long double sum = Upward(magnitudes.Sum(), terms.leaves);
  const long double bound =
      Upward(static_cast<long double>(terms.leaves - 1) * B::kUnit * sum, 0) +
      (rules.flushes
           ? 3 * static_cast<long double>(terms.leaves) * B::MinNormal()
           : 0);
  const auto overflows = [&](long double magnitude) {
    return Upward(magnitude, terms.leaves) + bound >= B::Overflow();
  };
  const bool above = overflows(magnitudes.positive);
  const bool below = overflows(magnitudes.negative);
  if (terms.has_infinity || terms.has_minus_infinity) {
    AddValue(T::Infinity(terms.has_minus_infinity), &possible);
    if (terms.has_infinity ? below : above) AddNan<T>(&possible);
    return possible;
  }
  if (!terms.has_numbers && terms.count.least == 0)
    AddValue(T::Zero(terms.all_minus_zero), &possible);
  if (magnitudes.Sum() == 0) return possible;
  // All nodes are multiples of the last bit, and have few enough bits.
  const bool is_exact =
      !above && !below &&
      std::ldexp(magnitudes.Sum(), -magnitudes.last_bit) <=
          std::ldexp(1.0L, T::kFormat.precision()) &&
      (!rules.flushes || magnitudes.last_bit >= T::kFormat.min_exponent());
  double lower = 0, upper = 0;
  if (is_exact && terms.count.most - terms.count.least < kMostExact) {
    Leaves<T> without = terms;
    without.count = {0, 0};
    BoundExactSum(magnitudes.terms, without, 0, &lower, &upper);
    const double init = terms.HasInit() ? terms.init.ToDouble() : 0;
    const int64_t least = terms.has_numbers
                              ? terms.count.least
                              : std::max<int64_t>(terms.count.least, 1);
    for (int64_t t = least; t <= terms.count.most; ++t)
      AddValue(T::Round(lower + static_cast<double>(t) * init).value,
               &possible);
    return possible;
  }
  const bool saturates = Saturates<T>(rules);
  if (above && !saturates) AddOverflow<T>(false, rules.policy, &possible);
  if (below && !saturates) AddOverflow<T>(true, rules.policy, &possible);
  if (above && below && T::kFormat.has_infinity()) AddNan<T>(&possible);
  const double error =
      std::nextafter(static_cast<double>(is_exact ? 0 : bound),
                     is_exact ? 0 : std::numeric_limits<double>::infinity());
  BoundExactSum(magnitudes.terms, terms, error, &lower, &upper);
  const auto from_largest = [&](long double others) {
    return B::Max() - static_cast<double>(Upward(others, terms.leaves)) - error;
  };
  if (above && saturates)
    lower = std::min(lower, from_largest(magnitudes.negative));
  if (below && saturates)
    upper = std::max(upper, -from_largest(magnitudes.positive));
  // Only zeros of that sign add up to -0.
  AddBetween<T>(lower, upper, rules, T::Zero(rules.flushes), T::Zero(false),
                &possible);
  return possible;
}

}  // namespace
}  // namespace accumulation

AccumulationRules::AccumulationRules(const Policy& policy)
    : policy(policy),
      wider(policy.Get("accumulation_type") == "wider"),
      flushes(policy.Get("subnormals") == "flush_uniformly") {}

Possible BoundedSum(const Terms& terms, ElementBits init, InitCount count,
                    const AccumulationRules& rules) {
  return VisitKinds<kFloats>(terms.type(), [&]<class T>() -> Possible {
    const T value = accumulation::ValueOfBits<T>(init);
    if constexpr (!T::kFormat.has_sign) {
      return accumulation::WithInits(
          terms, value, count, [&](const accumulation::Leaves<T>& all) {
            return accumulation::SumOfPowers(all, rules);
          });
    }
    if (value.IsZero()) {
      // A zero is none among other terms.
      const accumulation::Leaves<T> all(terms, value, {0, 0});
      if (all.has_nan || all.has_infinity || all.has_minus_infinity ||
          all.has_numbers)
        return accumulation::SumOf(all, rules);
    }
    return accumulation::WithInits(terms, value, count,
                                   [&](const accumulation::Leaves<T>& all) {
                                     return accumulation::SumOf(all, rules);
                                   });
  });
}

}  // namespace assay
