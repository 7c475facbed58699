#include "oracle/reduction/float_bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "oracle/elementwise/encoding.h"
#include "oracle/real/arb.h"
#include "oracle/reduction/exact_sum.h"

namespace assay {

AccumulationRules::AccumulationRules(const Policy& policy)
    : policy(policy),
      wider(policy.Get("accumulation_type") == "wider"),
      flushes(policy.Get("subnormals") == "flush_uniformly") {}

namespace {

// Up to so many numbers of initial values, each exact result is a value of its
// own.
constexpr int64_t kMostExact = Possible::kMost;
constexpr slong kPrecision = 128;

// Bounds are computed with 64 bits; each of their roundings, and those of sums
// of so many terms, are less than this.
long double Upward(long double bound, int64_t terms) {
  return bound * (1 + static_cast<long double>(terms + 8) * 0x1p-62L);
}

// The values of a format as bounds see them.
template <class T>
struct Bounds {
  static constexpr FloatFormat kFormat = T::kFormat;
  // Half a unit in the last place, relative to the value.
  static constexpr double kUnit = std::bit_cast<double>(
      static_cast<uint64_t>(1023 - kFormat.precision()) << 52);

  static double Max() { return T::Max(false).ToDouble(); }
  static double MinNormal() { return std::ldexp(1.0, kFormat.min_exponent()); }
  static double LeastSubnormal() {
    return std::ldexp(1.0, kFormat.min_exponent() - kFormat.mantissa_bits);
  }
  // The least number that is rounded beyond the largest value.
  static long double Overflow() {
    const int exponent = std::ilogb(Max());
    return static_cast<long double>(Max()) +
           std::ldexp(0.5L, exponent - kFormat.mantissa_bits);
  }
  static T Neighbour(T value, bool is_above) {
    using Bits = typename T::Bits;
    if (value.IsZero()) {
      const T least = T::FromBits(1);
      return is_above ? least : -least;
    }
    const int step = value.SignBit() == is_above ? -1 : 1;
    const T next = T::FromBits(static_cast<Bits>(value.ToBits() + step));
    return next.magnitude() == 0 ? T::Zero(false) : next;
  }
  // Returns the values next to a number: the least that is not below it, or
  // the greatest that is not above it. Beyond all values it is the last one.
  static T Inward(double number, bool is_lower) {
    if (number >= Max()) return T::Max(false);
    if (number <= -Max()) return T::Max(true);
    const T near = T::Round(number).value;
    const double value = near.ToDouble();
    const bool is_outside = is_lower ? value < number : value > number;
    return is_outside ? Neighbour(near, is_lower) : near;
  }
};

template <class T>
void AddValue(T value, Possible* possible) {
  Possible one = Possible::Value(value.ToBits());
  one.any_nan = value.IsNan();
  possible->Add(T::kElementType, one);
}

template <class T>
void AddNan(Possible* possible) {
  if constexpr (T::kFormat.has_nan()) {
    AddValue(T::Nan(), possible);
  } else {
    possible->Add(T::kElementType, Possible::Undecided());
  }
}

// Adds the result of an overflow, as the format or the policy has it.
template <class T>
void AddOverflow(bool negative, const Policy& policy, Possible* possible) {
  const Encoding encoded(policy);
  NoMarks clause;
  const Allowed<T> allowed = encoded(clause, T::OfInfinity(negative));
  if (allowed.any) {
    *possible = Possible::Open();
  } else if (allowed.flags == 0 &&
             (allowed.value.IsInfinite() || allowed.value.IsNan())) {
    AddValue(allowed.value, possible);
  } else {
    // The largest value absorbs addends of one sign, and not of the other.
    possible->Add(T::kElementType, Possible::Undecided());
  }
}

// Adds the values between two numbers; with `wider`, what these are rounded to.
// An end that is zero has the sign that is given.
template <class T>
void AddBetween(double lower, double upper, const AccumulationRules& rules,
                T lower_zero, T upper_zero, Possible* possible) {
  Possible::Range range;
  if (rules.wider) {
    const Rounded<T> lo = T::Round(lower), hi = T::Round(upper);
    if (lo.unencodable != Unencodable::kNot ||
        hi.unencodable != Unencodable::kNot) {
      possible->Add(T::kElementType, Possible::Undecided());
      return;
    }
    range = {lo.value.ToBits(), hi.value.ToBits()};
  } else {
    if (lower > Bounds<T>::Max() || upper < -Bounds<T>::Max()) return;
    range = {Bounds<T>::Inward(lower, true).ToBits(),
             Bounds<T>::Inward(upper, false).ToBits()};
  }
  const auto value = [](ElementBits bits) {
    return T::FromBits(static_cast<typename T::Bits>(bits));
  };
  if (value(range.lo).IsZero()) range.lo = lower_zero.ToBits();
  if (value(range.hi).IsZero()) range.hi = upper_zero.ToBits();
  Possible between = Possible::Value(range.lo);
  between.ranges[0].hi = range.hi;
  possible->Add(T::kElementType, between);
}

// The terms of a sum or product, and what they are.
template <class T>
struct Leaves {
  Leaves(const Terms& terms, T init, InitCount count)
      : init(init),
        count(count),
        leaves(terms.count + count.most),
        step(PartCount(terms.tensor.element_type())),
        bits(reinterpret_cast<const typename T::Bits*>(terms.tensor.data()) +
             terms.begin * step + terms.part),
        terms(terms.count) {
    ForEachTerm([&](T x) { Add(x); });
  }
  void Add(T x) {
    has_nan |= x.IsNan();
    if (x.IsNan()) return;
    negative ^= x.SignBit();
    all_minus_zero &= x.IsZero() && x.SignBit();
    has_zero |= x.IsZero();
    if (x.IsInfinite()) {
      (x.SignBit() ? has_minus_infinity : has_infinity) = true;
    } else if (!x.IsZero()) {
      has_numbers = true;
    }
  }
  template <class F>
  void ForEachTerm(F f) const {
    for (int64_t i = 0; i < terms; ++i) f(T::FromBits(bits[i * step]));
  }
  // Calls `f` with the terms that are numbers other than 0.
  template <class F>
  void ForEachNumber(F f) const {
    ForEachTerm([&](T x) {
      if (!x.IsNan() && !x.IsInfinite() && !x.IsZero()) f(x.ToDouble());
    });
  }
  // The initial value as numbers: none unless it enters.
  bool HasInit() const { return count.most > 0; }

  T init;
  InitCount count;
  int64_t leaves;
  bool negative = false;  // the sign of the product
  bool has_nan = false, has_zero = false, all_minus_zero = true;
  bool has_infinity = false, has_minus_infinity = false;
  bool has_numbers = false;  // finite and not zero

 private:
  int64_t step;
  const typename T::Bits* bits;
  int64_t terms;
};

// Returns the exponent of the last bit of a number other than 0.
int LastBit(double number) {
  ExactSum sum;
  sum.Add(number);
  return sum.LastBit();
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
  if (above) AddOverflow<T>(false, rules.policy, &possible);
  if (below) AddOverflow<T>(true, rules.policy, &possible);
  if (above && below && T::kFormat.has_infinity()) AddNan<T>(&possible);
  const double error =
      std::nextafter(static_cast<double>(is_exact ? 0 : bound),
                     is_exact ? 0 : std::numeric_limits<double>::infinity());
  BoundExactSum(magnitudes.terms, terms, error, &lower, &upper);
  // Only zeros of that sign add up to -0.
  AddBetween<T>(lower, upper, rules, T::Zero(rules.flushes), T::Zero(false),
                &possible);
  return possible;
}

// The product of magnitudes, and bounds of the products of some of them.
template <class T>
struct Products {
  using B = Bounds<T>;
  explicit Products(const Leaves<T>& terms) {
    FreeAtThreadExit();
    for (Arb* product : {&least, &most, &largest, &smallest}) arb_one(*product);
    terms.ForEachNumber([&](double x) {
      Multiply(least, x, 1);
      Multiply(most, x, 1);
      Multiply(std::fabs(x) > 1 ? largest : smallest, x, 1);
      odd = std::min(
          odd * std::ldexp(std::fabs(static_cast<long double>(x)), -LastBit(x)),
          0x1p64L);
    });
    if (terms.HasInit()) {
      const double x = terms.init.ToDouble();
      const bool grows = std::fabs(x) > 1;
      Multiply(least, x, grows ? terms.count.least : terms.count.most);
      Multiply(most, x, grows ? terms.count.most : terms.count.least);
      Multiply(grows ? largest : smallest, x, terms.count.most);
    }
    // Each rounding has a factor of 1 + d with |d| <= u.
    Arb factor;
    const auto widen = [&](Arb& product, double unit) {
      arb_set_d(factor, unit);  // 1 + unit is no double
      arb_add_ui(factor, factor, 1, kPrecision);
      arb_pow_ui(factor, factor, static_cast<ulong>(terms.leaves), kPrecision);
      arb_mul(product, product, factor, kPrecision);
    };
    widen(least, -B::kUnit);
    widen(smallest, -B::kUnit);
    widen(most, B::kUnit);
    widen(largest, B::kUnit);
  }
  void Multiply(Arb& product, double x, int64_t times) {
    Arb factor;
    arb_set_d(factor, std::fabs(x));
    if (times != 1)
      arb_pow_ui(factor, factor, static_cast<ulong>(times), kPrecision);
    arb_mul(product, product, factor, kPrecision);
  }
  // Returns whether an order may have a node beyond the largest value, or
  // below the least normal one.
  bool Overflows() {
    Arb end;
    arf_set_d(arb_midref(static_cast<arb_struct*>(end)), B::Max());
    return !arb_le(largest, end);
  }
  bool Underflows() {
    Arb end;
    arf_set_d(arb_midref(static_cast<arb_struct*>(end)), B::MinNormal());
    return !arb_ge(smallest, end);
  }
  // With underflow, a node is off by half the least subnormal, which the other
  // factors then multiply.
  void AddUnderflow(int64_t leaves) {
    Arb error;
    arb_set_d(error, B::LeastSubnormal());
    arb_mul_si(error, error, leaves, kPrecision);
    arb_mul(error, error, largest, kPrecision);
    arb_sub(least, least, error, kPrecision);
    arb_add(most, most, error, kPrecision);
  }
  double Lower() {
    Arf end;
    arb_get_lbound_arf(end, least, kPrecision);
    return std::max(arf_get_d(end, ARF_RND_FLOOR), 0.0);
  }
  double Upper() {
    Arf end;
    arb_get_ubound_arf(end, most, kPrecision);
    return arf_get_d(end, ARF_RND_CEIL);
  }
  Arb least, most, largest, smallest;
  long double odd = 1;  // the product of the significands as odd integers
};

template <class T>
Possible ProductOf(const Leaves<T>& terms, const AccumulationRules& rules) {
  Possible possible;
  const bool has_infinity = terms.has_infinity || terms.has_minus_infinity;
  if (terms.has_nan || (has_infinity && terms.has_zero)) {
    AddNan<T>(&possible);
    return possible;
  }
  Products<T> products(terms);
  const bool overflows = products.Overflows();
  const bool underflows = products.Underflows();
  if (underflows && rules.flushes) return Possible::Undecided();
  const bool both_signs = terms.HasInit() && terms.init.SignBit() &&
                          terms.count.most > terms.count.least;
  const bool is_odd =
      terms.HasInit() && terms.init.SignBit() && terms.count.least % 2 != 0;
  for (const bool other : {false, true}) {
    if (other && !both_signs) continue;
    const bool negative = (terms.negative != is_odd) != other;
    if (terms.has_zero) {
      AddValue(T::Zero(negative), &possible);
      Possible overflow;
      if (overflows) AddOverflow<T>(negative, rules.policy, &overflow);
      if (overflow.kind == Possible::Kind::kOpen) return overflow;
      if (overflows) AddNan<T>(&possible);
      continue;
    }
    if (has_infinity) {
      AddValue(T::Infinity(negative), &possible);
      if (underflows) AddNan<T>(&possible);
      continue;
    }
    if (!overflows && !underflows && !terms.HasInit() &&
        products.odd <= std::ldexp(1.0L, T::kFormat.precision())) {
      double product = negative ? -1 : 1;
      terms.ForEachNumber([&](double x) { product *= std::fabs(x); });
      AddValue(T::Round(product).value, &possible);
      continue;
    }
    if (overflows) AddOverflow<T>(negative, rules.policy, &possible);
    if (overflows && underflows && T::kFormat.has_infinity())
      AddNan<T>(&possible);
    if (underflows && !other) products.AddUnderflow(terms.leaves);
    const double lower = products.Lower(), upper = products.Upper();
    // A product that is rounded to zero has its sign.
    AddBetween<T>(negative ? -upper : lower, negative ? -lower : upper, rules,
                  T::Zero(negative), T::Zero(negative), &possible);
  }
  return possible;
}

// Calls `f` with the terms, and with the initial value among them where that is
// no number other than 0: one of them is as good as many, or two if they have a
// sign.
template <class T, class F>
Possible WithInits(const Terms& terms, T init, InitCount count, F f) {
  if (count.most == 0) return f(Leaves<T>(terms, init, {0, 0}));
  if (!init.IsNan() && !init.IsInfinite() && !init.IsZero()) {
    if (count.most == InitCount::kAny) return Possible::Open();
    return f(Leaves<T>(terms, init, count));
  }
  Possible possible;
  for (int64_t t = count.least; t <= std::min<int64_t>(count.most, 2); ++t) {
    Leaves<T> with(terms, init, {0, 0});
    for (int64_t k = 0; k < t; ++k) with.Add(init);
    possible.Add(T::kElementType, f(with));
  }
  return possible;
}

template <class T>
T ValueOfBits(ElementBits bits) {
  return T::FromBits(static_cast<typename T::Bits>(bits));
}

}  // namespace

Possible BoundedSum(const Terms& terms, ElementBits init, InitCount count,
                    const AccumulationRules& rules) {
  return VisitKinds<kFloats>(terms.type(), [&]<class T>() -> Possible {
    if constexpr (!T::kFormat.has_sign) return Possible::Undecided();
    const T value = ValueOfBits<T>(init);
    if (value.IsZero()) {
      // A zero is none among other terms.
      const Leaves<T> all(terms, value, {0, 0});
      if (all.has_nan || all.has_infinity || all.has_minus_infinity ||
          all.has_numbers)
        return SumOf(all, rules);
    }
    return WithInits(terms, value, count,
                     [&](const Leaves<T>& all) { return SumOf(all, rules); });
  });
}

Possible BoundedProduct(const Terms& terms, ElementBits init, InitCount count,
                        const AccumulationRules& rules) {
  return VisitKinds<kFloats>(terms.type(), [&]<class T>() -> Possible {
    if constexpr (!T::kFormat.has_sign) return Possible::Undecided();
    const T value = ValueOfBits<T>(init);
    if (value.ToDouble() == 1) count = {0, 0};
    return WithInits(terms, value, count, [&](const Leaves<T>& all) {
      return ProductOf(all, rules);
    });
  });
}

}  // namespace assay
