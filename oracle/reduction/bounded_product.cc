// Products of floats in any order.
#include <algorithm>
#include <cmath>

#include "oracle/reduction/float_leaves.h"
#include "oracle/reduction/powers.h"

namespace assay {
namespace accumulation {
namespace {

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
  // Sets the bounds of a product whose nodes are at most the largest value.
  void Saturate() {
    Arb end;
    arb_set_d(end, B::Max());
    arb_mul(end, end, smallest, kPrecision);
    arb_min(least, least, end, kPrecision);
    arb_set_d(end, B::Max());
    arb_min(most, most, end, kPrecision);
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
  const bool saturates = overflows && Saturates<T>(rules);
  if (saturates) products.Saturate();
  const bool both_signs = terms.HasInit() && terms.init.SignBit() &&
                          terms.count.most > terms.count.least;
  const bool is_odd =
      terms.HasInit() && terms.init.SignBit() && terms.count.least % 2 != 0;
  for (const bool other : {false, true}) {
    if (other && !both_signs) continue;
    const bool negative = (terms.negative != is_odd) != other;
    if (terms.has_zero) {
      AddValue(T::Zero(negative), &possible);
      if (saturates) continue;
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
    if (overflows && !saturates)
      AddOverflow<T>(negative, rules.policy, &possible);
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

}  // namespace
}  // namespace accumulation

Possible BoundedProduct(const Terms& terms, ElementBits init, InitCount count,
                        const AccumulationRules& rules) {
  return VisitKinds<kFloats>(terms.type(), [&]<class T>() -> Possible {
    const T value = accumulation::ValueOfBits<T>(init);
    if constexpr (!T::kFormat.has_sign) {
      if (value.ToDouble() == 1) count = {0, 0};
      return accumulation::WithInits(
          terms, value, count, [&](const accumulation::Leaves<T>& all) {
            return accumulation::ProductOfPowers(all, rules);
          });
    }
    if (value.ToDouble() == 1) count = {0, 0};
    return accumulation::WithInits(terms, value, count,
                                   [&](const accumulation::Leaves<T>& all) {
                                     return accumulation::ProductOf(all, rules);
                                   });
  });
}

Possible BoundedSumOrProduct(bool is_sum, const Tensor& terms, int64_t begin,
                             int64_t length, ElementBits init, InitCount count,
                             const AccumulationRules& rules) {
  const ElementType type = terms.element_type();
  const auto of_part = [&](int part) {
    const Terms of = {terms, begin, length, part};
    const ElementBits init_part = PartOf(type, init, part);
    return is_sum ? BoundedSum(of, init_part, count, rules)
                  : BoundedProduct(of, init_part, count, rules);
  };
  if (!IsComplex(type)) return of_part(0);
  if (!is_sum) return Possible::Undecided();
  // Complex addition is addition of the parts.
  const Possible real = of_part(0), imag = of_part(1);
  for (const Possible* part : {&real, &imag}) {
    if (part->kind != Possible::Kind::kRanges) return *part;
  }
  Possible possible;
  possible.any_nan = real.any_nan || imag.any_nan;
  const int shift = Info(PartType(type)).bits;
  for (const Possible::Range& x : real.ranges) {
    for (const Possible::Range& y : imag.ranges) {
      Possible both;
      both.any_nan = possible.any_nan;
      both.ranges = {{y.lo << shift | x.lo, y.hi << shift | x.hi}};
      possible.Add(type, both);
    }
  }
  return possible;
}

}  // namespace assay
