#include "oracle/reduction/real_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "oracle/reduction/float_leaves.h"

namespace assay {
namespace {

constexpr long double kInfinite = std::numeric_limits<long double>::infinity();
// Bounds are computed with 64 bits, and widened by more than their roundings.
constexpr long double kUnitOfBounds = 0x1p-62L;

bool HasZero(const RealInterval& a) { return a.lo <= 0 && a.hi >= 0; }
bool HasInfinity(const RealInterval& a) {
  return std::isinf(a.lo) || std::isinf(a.hi);
}
void AddNumber(long double number, RealInterval* result) {
  if (std::isnan(number)) {
    result->has_nan = true;
  } else {
    result->Add(RealInterval::Number(number));
  }
}

// Returns a number as a value of a format, or NaN if it has none.
template <class T>
double AsValue(double number) {
  const Rounded<T> rounded = T::Round(number);
  return rounded.unencodable == Unencodable::kNot
             ? rounded.value.ToDouble()
             : std::numeric_limits<double>::quiet_NaN();
}

// Returns what follows from an operand that is open or can only be NaN; nullopt
// if there are numbers to compute with.
std::optional<RealInterval> Special(const RealInterval& a,
                                    const RealInterval& b) {
  if (a.is_open || b.is_open) return RealInterval::Open();
  if (!a.has_numbers || !b.has_numbers) return RealInterval::Nan();
  return std::nullopt;
}

}  // namespace

void RealInterval::Add(const RealInterval& other) {
  is_open |= other.is_open;
  has_nan |= other.has_nan;
  if (!other.has_numbers) return;
  if (!has_numbers) {
    lo = other.lo;
    hi = other.hi;
  } else {
    // -0 is below +0.
    if (other.lo < lo || (other.lo == lo && std::signbit(other.lo)))
      lo = other.lo;
    if (other.hi > hi || (other.hi == hi && !std::signbit(other.hi)))
      hi = other.hi;
  }
  has_numbers = true;
}

double UnitsOfBudget(std::string_view op, ElementType type,
                     const Policy& policy) {
  const Budget* const budget = policy.FindBudget(op, type);
  if (budget == nullptr) return 0;
  return budget->ulp +
         std::ldexp(budget->relative.value, FormatOf(type).precision());
}

RealArithmetic::RealArithmetic(ElementType type, const Policy& policy)
    : type_(type),
      policy_(policy),
      precision_(FormatOf(type).precision()),
      has_sign_(FormatOf(type).has_sign),
      has_zero_(FormatOf(type).has_zero),
      has_infinity_(FormatOf(type).has_infinity()),
      has_nan_(FormatOf(type).has_nan()),
      flushes_(policy.Get("subnormals") == "flush_uniformly"),
      loses_least_(flushes_ && policy.Get("e8m0_least") == "subnormal"),
      zero_may_be_nan_(policy.Get("e8m0_zero") != "smallest"),
      wider_(policy.Get("accumulation_type") == "wider") {
  unit_ = std::ldexp(1.0L, -precision_);
  // A quotient by a root has three roundings of half a unit, and a unit is at
  // most 2 u of the value.
  constexpr double kRoundings = 2;
  unit_of_rsqrt_ =
      2 * unit_ * (kRoundings + UnitsOfBudget("rsqrt", type, policy));
  VisitKinds<kFloats>(type, [&]<class T>() {
    using B = accumulation::Bounds<T>;
    max_ = B::Max();
    overflow_ = B::Overflow();
    min_normal_ = B::MinNormal();
    least_ = T::kFormat.has_zero ? B::LeastSubnormal() : B::MinNormal();
  });
  underflow_ = flushes_ ? min_normal_ : least_ / 2;
}

bool RealArithmetic::IsOfType(long double number) const {
  const auto narrow = static_cast<double>(number);
  return narrow == number && VisitKinds<kFloats>(type_, [&]<class T>() {
           return AsValue<T>(narrow) == narrow;
         });
}

void RealArithmetic::AddOverflow(bool negative, RealInterval* result) const {
  if (has_infinity_) {
    AddNumber(negative ? -kInfinite : kInfinite, result);
    return;
  }
  // A format may have NaN, its greatest value or zero in the place of what is
  // beyond; a wider type has the number itself.
  if (policy_.Get("overflow_without_infinity") == "any")
    *result = RealInterval::Open();
  result->has_nan |= has_nan_;
  AddNumber(negative ? -max_ : max_, result);
  AddNumber(0, result);
}

bool RealArithmetic::MayBeZero(long double number) const {
  return number < least_ || (loses_least_ && number == least_);
}

RealInterval RealArithmetic::WithRoundedNan(RealInterval result) const {
  if (!result.has_nan || has_nan_) return result;
  const std::string& value = policy_.Get("nan_without_nan");
  if (value == "any") return RealInterval::Open();
  if (value != "zero") AddNumber(-0.0L, &result);
  if (value != "negative_zero") AddNumber(0, &result);
  return result;
}

RealInterval RealArithmetic::Rounded(RealInterval exact,
                                     long double unit) const {
  exact = WithRoundedNan(exact);
  if (exact.is_open || !exact.has_numbers) return exact;
  const auto off = [&](long double end) {
    if (std::isinf(end)) return 0.0L;
    const long double magnitude = std::fabs(end);
    return magnitude * (unit + kUnitOfBounds) +
           (magnitude < 2 * min_normal_ ? underflow_ : 0);
  };
  RealInterval rounded = exact;
  rounded.lo = exact.lo - off(exact.lo);
  rounded.hi = exact.hi + off(exact.hi);
  // Rounding does not change a sign.
  if (exact.lo >= 0) rounded.lo = std::max(rounded.lo, 0.0L);
  if (exact.hi <= 0) rounded.hi = std::min(rounded.hi, 0.0L);
  if (rounded.hi >= overflow_) AddOverflow(false, &rounded);
  if (rounded.lo <= -overflow_) AddOverflow(true, &rounded);
  if (!has_sign_ && MayBeZero(rounded.lo)) {
    // A wider type has what this format lacks.
    if (policy_.Get("e8m0_negative") == "any") return RealInterval::Open();
    rounded.has_nan = true;
    AddNumber(least_, &rounded);
  }
  return rounded;
}

RealInterval RealArithmetic::RoundedNumber(long double number,
                                           bool is_exact) const {
  if (std::isnan(number)) return WithRoundedNan(RealInterval::Nan());
  if (std::isinf(number)) {
    const RealInterval infinite = RealInterval::Number(number);
    return has_infinity_ ? infinite : Rounded(infinite);
  }
  const bool is_tiny = number != 0 && std::fabs(number) <= min_normal_;
  if (is_exact && IsOfType(number) && !(flushes_ && is_tiny))
    return RealInterval::Number(number);
  return Rounded(RealInterval::Number(number));
}

RealInterval RealArithmetic::Constant(long double number) const {
  return RoundedNumber(number, true);
}

RealInterval RealArithmetic::Add(const RealInterval& a,
                                 const RealInterval& b) const {
  if (const auto special = Special(a, b)) return WithRoundedNan(*special);
  if (a.IsNumber() && b.IsNumber()) {
    const long double sum = a.lo + b.lo, of_b = sum - a.lo;
    return RoundedNumber(sum, (a.lo - (sum - of_b)) + (b.lo - of_b) == 0);
  }
  RealInterval sum;
  sum.has_nan = a.has_nan || b.has_nan;
  for (const long double x : {a.lo, a.hi}) {
    for (const long double y : {b.lo, b.hi}) AddNumber(x + y, &sum);
  }
  return Rounded(sum);
}

RealInterval RealArithmetic::Subtract(const RealInterval& a,
                                      const RealInterval& b) const {
  RealInterval negative = b;
  negative.lo = -b.hi;
  negative.hi = -b.lo;
  return Add(a, negative);
}

RealInterval RealArithmetic::Multiply(const RealInterval& a,
                                      const RealInterval& b) const {
  if (const auto special = Special(a, b)) return WithRoundedNan(*special);
  if (a.IsNumber() && b.IsNumber()) {
    const long double product = a.lo * b.lo;
    return RoundedNumber(product, std::fmal(a.lo, b.lo, -product) == 0);
  }
  RealInterval product;
  product.has_nan = a.has_nan || b.has_nan || (HasZero(a) && HasInfinity(b)) ||
                    (HasZero(b) && HasInfinity(a));
  for (const long double x : {a.lo, a.hi}) {
    for (const long double y : {b.lo, b.hi})
      AddNumber(x == 0 || y == 0 ? 0 : x * y, &product);
  }
  return Rounded(product);
}

RealInterval RealArithmetic::Divide(const RealInterval& a,
                                    const RealInterval& b) const {
  if (const auto special = Special(a, b)) return WithRoundedNan(*special);
  if (a.IsNumber() && b.IsNumber()) {
    const long double quotient = a.lo / b.lo;
    return RoundedNumber(quotient, b.lo == 0 || std::isinf(b.lo) ||
                                       std::fmal(quotient, b.lo, -a.lo) == 0);
  }
  RealInterval quotient;
  quotient.has_nan = a.has_nan || b.has_nan || (HasZero(a) && HasZero(b)) ||
                     (HasInfinity(a) && HasInfinity(b));
  if (HasZero(b) && (b.lo < 0 || std::signbit(b.lo) || b.hi == 0)) {
    AddNumber(-kInfinite, &quotient);
    AddNumber(kInfinite, &quotient);
    return Rounded(quotient);
  }
  for (const long double x : {a.lo, a.hi}) {
    for (const long double y : {b.lo, b.hi}) AddNumber(x / y, &quotient);
  }
  return Rounded(quotient);
}

RealInterval RealArithmetic::Sqrt(const RealInterval& a) const {
  if (a.is_open || !a.has_numbers) return a;
  if (a.IsNumber() && a.lo >= 0) {
    const long double root = std::sqrt(a.lo);
    return RoundedNumber(root,
                         std::isinf(root) || std::fmal(root, root, -a.lo) == 0);
  }
  RealInterval root;
  root.has_nan = a.has_nan || a.lo < 0;
  if (a.hi >= 0) {
    root.Add(RealInterval::Between(std::sqrt(std::max(a.lo, 0.0L)),
                                   std::sqrt(a.hi)));
  }
  return Rounded(root);
}

RealInterval RealArithmetic::Rsqrt(const RealInterval& a) const {
  if (a.is_open || !a.has_numbers) return a;
  RealInterval root;
  root.has_nan = a.has_nan || a.lo < 0;
  if (a.hi < 0) return WithRoundedNan(RealInterval::Nan());
  AddNumber(1 / std::sqrt(a.hi), &root);
  AddNumber(a.lo > 0 ? 1 / std::sqrt(a.lo) : kInfinite, &root);
  if (HasZero(a) && (a.lo < 0 || std::signbit(a.lo)))
    AddNumber(-kInfinite, &root);
  return Rounded(root, unit_of_rsqrt_);
}

RealInterval RealArithmetic::Sum(std::span<const RealInterval> terms) const {
  if (terms.empty()) return Constant(0);
  if (terms.size() == 1 && has_zero_) return terms[0];
  RealInterval sum;
  long double lower = 0, upper = 0, magnitude = 0, above = 0, below = 0;
  bool all_numbers = true, all_minus_zero = true, must_be_infinite = false;
  bool has_infinity = false, has_minus_infinity = false;
  int last_bit = std::numeric_limits<int>::max();
  for (const RealInterval& term : terms) {
    if (term.is_open) return RealInterval::Open();
    if (!term.has_numbers) return WithRoundedNan(RealInterval::Nan());
    sum.has_nan |= term.has_nan;
    has_infinity |= std::isinf(term.hi) && term.hi > 0;
    has_minus_infinity |= std::isinf(term.lo) && term.lo < 0;
    must_be_infinite |= std::isinf(term.lo) && term.lo == term.hi;
    all_numbers &= term.IsNumber();
    all_minus_zero &= term.lo == 0 && std::signbit(term.lo);
    if (std::isinf(term.lo) || std::isinf(term.hi)) continue;
    lower += term.lo;
    upper += term.hi;
    magnitude += std::max(std::fabs(term.lo), std::fabs(term.hi));
    above += std::max(term.hi, 0.0L);
    below += std::max(-term.lo, 0.0L);
    if (all_numbers && term.lo != 0) {
      const auto value = static_cast<double>(term.lo);
      last_bit = value == term.lo
                     ? std::min(last_bit, accumulation::LastBit(value))
                     : std::numeric_limits<int>::min();
    }
  }
  const auto count = static_cast<long double>(terms.size());
  const bool any_infinity = has_infinity || has_minus_infinity;
  if (magnitude == 0 && !any_infinity) {
    // Initial values, which are +0, may enter the sum of zeros or not.
    if (all_minus_zero) AddNumber(-0.0L, &sum);
    if (!all_minus_zero || has_zero_) AddNumber(0, &sum);
    return WithRoundedNan(sum);
  }
  const bool is_exact =
      all_numbers && !any_infinity && has_zero_ && magnitude < overflow_ &&
      last_bit > -20000 && count < 0x1p60L &&
      magnitude <= std::ldexp(1.0L, std::min(precision_, 62) + last_bit) &&
      !(flushes_ && last_bit < std::ilogb(min_normal_));
  if (is_exact) {
    AddNumber(lower == 0 ? 0 : lower, &sum);
    return WithRoundedNan(sum);
  }
  long double roundings = wider_ ? count : count - 1;
  if (!has_zero_) {
    // The initial value is the least number, and may enter with every term.
    upper += count * least_;
    magnitude += count * least_;
    roundings = 2 * count;
  }
  const long double error =
      magnitude * (roundings * unit_ + count * 2 * kUnitOfBounds) +
      (flushes_ ? 3 * count * min_normal_ : 0);
  if (any_infinity) {
    // Infinity absorbs all but the other one, which a partial sum may be too.
    const bool may_overflow_above = above + error >= overflow_;
    const bool may_overflow_below = below + error >= overflow_;
    if (has_infinity) AddNumber(kInfinite, &sum);
    if (has_minus_infinity) AddNumber(-kInfinite, &sum);
    sum.has_nan |=
        (has_infinity && (has_minus_infinity || may_overflow_below)) ||
        (has_minus_infinity && may_overflow_above);
    if (!must_be_infinite) {
      AddNumber(kInfinite, &sum);
      AddNumber(-kInfinite, &sum);
      sum.has_nan = true;
    }
    return WithRoundedNan(sum);
  }
  sum.Add(RealInterval::Between(lower - error, upper + error));
  const bool overflows_above = above + error >= overflow_;
  const bool overflows_below = below + error >= overflow_;
  if (overflows_above) AddOverflow(false, &sum);
  if (overflows_below) AddOverflow(true, &sum);
  if (overflows_above && overflows_below) sum.has_nan |= has_nan_;
  if (!has_sign_) {
    // Sums of positive numbers are not below any of them. A wider type may have
    // numbers below zero.
    if (below == 0) {
      for (const RealInterval& term : terms) sum.lo = std::max(sum.lo, term.lo);
    }
    sum.has_nan |= MayBeZero(sum.lo) || zero_may_be_nan_;
  }
  return WithRoundedNan(sum);
}

}  // namespace assay
