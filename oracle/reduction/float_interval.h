// A FloatInterval has all values of a float type that an intermediate result
// may be: the ops of a formula are applied to intervals, and each rounds to the
// type.
//
// The ops are monotone between the points where a sign changes, so that ends
// and those points decide. One value gives one value.
#ifndef ASSAY_ORACLE_REDUCTION_FLOAT_INTERVAL_H_
#define ASSAY_ORACLE_REDUCTION_FLOAT_INTERVAL_H_

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/elementwise/encoding.h"
#include "oracle/reduction/float_bounds.h"
#include "oracle/reduction/float_leaves.h"
#include "oracle/reduction/real_interval.h"

namespace assay {

template <class T>
struct FloatInterval {
  static FloatInterval Of(T value) {
    FloatInterval one;
    one.Add(value);
    return one;
  }
  static FloatInterval Open() {
    FloatInterval open;
    open.is_open = true;
    return open;
  }
  bool IsOneValue() const {
    return !is_open && has_nan != has_numbers &&
           (has_nan || lo.ToBits() == hi.ToBits());
  }
  bool IsOpen() const {
    return is_open || (has_numbers && has_nan && lo.IsInfinite() &&
                       hi.IsInfinite() && lo.SignBit() != hi.SignBit());
  }
  void Add(T value) {
    if (value.IsNan()) {
      has_nan = true;
      return;
    }
    if (!has_numbers || Key(value) < Key(lo)) lo = value;
    if (!has_numbers || Key(value) > Key(hi)) hi = value;
    has_numbers = true;
  }
  void Add(const FloatInterval& other) {
    is_open |= other.is_open;
    has_nan |= other.has_nan;
    if (!other.has_numbers) return;
    Add(other.lo);
    Add(other.hi);
  }
  // -0 is below +0.
  static int64_t Key(T value) {
    const auto magnitude = static_cast<int64_t>(value.magnitude());
    return value.SignBit() ? -magnitude - 1 : magnitude;
  }

  T lo = {}, hi = {};  // if has_numbers; infinities are numbers
  bool has_numbers = false, has_nan = false;
  bool is_open = false;  // anything, by an open clause
};

// A clause decides an interval. One that is broken on purpose gives one value.
template <class T>
FloatInterval<T> Decided(auto& clause, ClauseNumber number,
                         const FloatInterval<T>& interval) {
  const T value = interval.has_numbers ? interval.lo : T::Nan();
  const T decided = clause(number, value);
  return decided.ToBits() == value.ToBits() ? interval
                                            : FloatInterval<T>::Of(decided);
}

template <class T>
class FloatArithmetic {
 public:
  using Interval = FloatInterval<T>;
  // More terms than these do not have all of their trees gone through.
  static constexpr int64_t kFewTerms = 8;

  explicit FloatArithmetic(const Policy& policy)
      : encoded_(policy),
        real_(T::kElementType, policy),
        rules_(policy),
        inits_(policy.Get("reduction_init")),
        is_in_order_(policy.Get("reduction_order") == "in_order"),
        by_reciprocal_(T::kBitWidth <= 32 &&
                       policy.Get("division_by_reciprocal") == "allowed"),
        slack_of_quotient_(SlackOf("divide", policy)),
        slack_of_root_(SlackOf("sqrt", policy)) {}

  // Returns a number as a constant of the type.
  Interval Constant(double number) const {
    Interval result;
    AddResult(T::Round(number), false, &result);
    return result;
  }
  Interval Add(const Interval& a, const Interval& b) const {
    return Apply(a, b, false, [](T x, T y) { return x + y; });
  }
  Interval Subtract(const Interval& a, const Interval& b) const {
    return Apply(a, b, false, [](T x, T y) { return x - y; });
  }
  Interval Multiply(const Interval& a, const Interval& b) const {
    return Apply(a, b, true, [](T x, T y) { return x * y; });
  }
  Interval Divide(const Interval& a, const Interval& b) const {
    Interval quotient = Widened(
        Apply(a, b, true, [](T x, T y) { return x / y; }), slack_of_quotient_);
    if (by_reciprocal_ && Magnitude(b) > 0x1p126) {
      // The reciprocal may be flushed to zero.
      quotient.Add(T::Zero(false));
      quotient.Add(T::Zero(true));
      quotient.has_nan |= std::isinf(Magnitude(a));
    }
    return quotient;
  }
  Interval Sqrt(const Interval& a) const {
    return Widened(Apply(
                       a, a, true, [](T x, T) { return SquareRoot(x); }, true),
                   slack_of_root_);
  }
  // Returns the sum in any order that the policy has, with initial values of 0
  // among the terms. Few terms have all of their trees gone through, more have
  // bounds.
  Interval Sum(std::span<const Interval> terms) const;

  // Returns the values of the type in an interval of real numbers.
  static Interval ValuesIn(const RealInterval& real);
  static RealInterval AsReal(const Interval& interval) {
    RealInterval real;
    real.is_open = interval.is_open;
    real.has_nan = interval.has_nan;
    if (interval.has_numbers)
      real.Add(RealInterval::Between(interval.lo.ToDouble(),
                                     interval.hi.ToDouble()));
    return real;
  }
  const RealArithmetic& real() const { return real_; }

 private:
  // The values of an operand that decide, at most so many.
  struct Points {
    void Add(T value) { values[count++] = value; }
    std::array<T, 8> values;
    int count = 0;
  };

  static int64_t SlackOf(const char* op, const Policy& policy) {
    const double units = UnitsOfBudget(op, T::kElementType, policy);
    return units == 0 ? 0 : static_cast<int64_t>(std::ceil(4 * units)) + 2;
  }
  static double Magnitude(const Interval& interval) {
    if (!interval.has_numbers) return 0;
    return std::max(std::fabs(interval.lo.ToDouble()),
                    std::fabs(interval.hi.ToDouble()));
  }
  // Returns an interval that ends so many values farther out.
  static Interval Widened(Interval interval, int64_t slack);
  Points PointsOf(const Interval& interval, bool by_sign) const;
  // Returns what all trees over the terms in their order give: additions are
  // monotone, so that the ends of subtrees give those of the tree.
  Interval SumOfTrees(std::span<const Interval> terms) const;
  template <class F>
  Interval Apply(const Interval& a, const Interval& b, bool by_sign, F f,
                 bool is_unary = false) const;
  // Adds a result of operands; with `is_of_range` of some among others.
  void AddResult(const Rounded<T>& rounded, bool is_of_range,
                 Interval* result) const;

  const Encoding encoded_;
  const RealArithmetic real_;
  const AccumulationRules rules_;
  const std::string& inits_;
  const bool is_in_order_;
  const bool by_reciprocal_;
  const int64_t slack_of_quotient_, slack_of_root_;
};

template <class T>
FloatInterval<T> FloatArithmetic<T>::Widened(Interval interval, int64_t slack) {
  if (slack == 0 || !interval.has_numbers) return interval;
  const int64_t greatest = Interval::Key(T::Max(false));
  const int64_t least = T::kFormat.has_sign ? -greatest - 1 : 0;
  const auto moved = [&](T end, int64_t by) {
    if (end.IsInfinite()) return end;
    const int64_t key = std::clamp(Interval::Key(end) + by, least, greatest);
    if (key == -1) return T::Zero(true);
    return key < 0 ? -T::FromBits(static_cast<typename T::Bits>(-key - 1))
                   : T::FromBits(static_cast<typename T::Bits>(key));
  };
  interval.lo = moved(interval.lo, -slack);
  interval.hi = moved(interval.hi, slack);
  return interval;
}

template <class T>
typename FloatArithmetic<T>::Points FloatArithmetic<T>::PointsOf(
    const Interval& interval, bool by_sign) const {
  Points points;
  points.Add(interval.lo);
  if (interval.lo.ToBits() != interval.hi.ToBits()) points.Add(interval.hi);
  const auto is_inside = [&](T value) {
    return Interval::Key(interval.lo) < Interval::Key(value) &&
           Interval::Key(value) < Interval::Key(interval.hi);
  };
  if constexpr (T::kFormat.has_zero) {
    const T least = T::FromBits(1);
    for (const T value : {-least, T::Zero(true), T::Zero(false), least}) {
      if (by_sign && is_inside(value)) points.Add(value);
    }
    if (!rules_.flushes) return points;
    const bool has_tiny =
        interval.lo.IsSubnormal() || interval.hi.IsSubnormal();
    for (const bool negative : {false, true}) {
      if (has_tiny) points.Add(T::Zero(negative && interval.lo.SignBit()));
    }
  }
  return points;
}

template <class T>
template <class F>
FloatInterval<T> FloatArithmetic<T>::Apply(const Interval& a, const Interval& b,
                                           bool by_sign, F f,
                                           bool is_unary) const {
  if (a.is_open || b.is_open) return Interval::Open();
  Interval result;
  if (a.has_nan || b.has_nan) result.Add(T::Nan());
  if (!a.has_numbers || !b.has_numbers) return result;
  const Points of_a = PointsOf(a, by_sign);
  const Points of_b = is_unary ? Points{{a.lo}, 1} : PointsOf(b, by_sign);
  const bool is_of_range = of_a.count > 1 || of_b.count > 1;
  for (int i = 0; i < of_a.count; ++i) {
    for (int k = 0; k < of_b.count; ++k) {
      AddResult(f(of_a.values[static_cast<size_t>(i)],
                  of_b.values[static_cast<size_t>(k)]),
                is_of_range, &result);
    }
  }
  return result;
}

template <class T>
void FloatArithmetic<T>::AddResult(const Rounded<T>& rounded, bool is_of_range,
                                   Interval* result) const {
  NoMarks clause;
  const Allowed<T> allowed = encoded_(clause, rounded);
  result->is_open |= allowed.any;
  result->Add(allowed.value);
  if (allowed.either()) result->Add(allowed.other);
  if (allowed.flags & Expectation::kOrNan) result->Add(T::Nan());
  if (allowed.flags & Expectation::kEitherZero) {
    result->Add(T::Zero(false));
    result->Add(T::Zero(true));
  }
  if (is_of_range) {
    // Other values of the range have results that do have a code.
    if (rounded.unencodable == Unencodable::kOverflow)
      result->Add(T::Max(rounded.negative));
    if (rounded.unencodable == Unencodable::kE8m0Overflow)
      result->Add(T::Max(false));
    if (rounded.unencodable == Unencodable::kE8m0Negative ||
        rounded.unencodable == Unencodable::kE8m0Zero ||
        rounded.unencodable == Unencodable::kE8m0TooSmall)
      result->Add(T::FromBits(0));
  }
  if constexpr (T::kFormat.has_subnormals()) {
    const T least_normal = T::FromBits(
        static_cast<typename T::Bits>(T::kFormat.min_normal_code()));
    const T value = rounded.value;
    if (rules_.flushes && !value.IsNan() && !value.IsZero() &&
        value.magnitude() <= least_normal.magnitude()) {
      result->Add(T::Zero(false));
      result->Add(T::Zero(value.SignBit()));
    }
  }
}

template <class T>
FloatInterval<T> FloatArithmetic<T>::ValuesIn(const RealInterval& real) {
  Interval values;
  values.is_open = real.is_open;
  values.has_nan = real.has_nan && T::kFormat.has_nan();
  if (real.has_nan && !T::kFormat.has_nan()) values.Add(T::Zero(true));
  if (!real.has_numbers) return values;
  if (real.lo == 0 && real.hi == 0) {
    values.Add(T::Zero(std::signbit(real.lo)));
    values.Add(T::Zero(std::signbit(real.hi)));
    return values;
  }
  const auto end = [&](long double number, bool is_lower) {
    // A format without zero has no sign either.
    if constexpr (!T::kFormat.has_zero) {
      if (number <= T::FromBits(0).ToDouble()) return T::FromBits(0);
    }
    if (std::isinf(number)) {
      return T::kFormat.has_infinity() ? T::Infinity(number < 0)
                                       : T::Max(number < 0);
    }
    auto narrow = static_cast<double>(number);
    if (is_lower ? narrow > number : narrow < number)
      narrow = std::nextafter(narrow, is_lower ? -INFINITY : INFINITY);
    return accumulation::Bounds<T>::Inward(narrow, is_lower);
  };
  const T lo = end(real.lo, true), hi = end(real.hi, false);
  if (Interval::Key(lo) > Interval::Key(hi) && !lo.IsZero()) {
    // No value lies between, which bounds of a rounded number do not do.
    values.Add(lo);
    values.Add(hi);
    return values;
  }
  values.Add(lo.IsZero() ? T::Zero(true) : lo);
  values.Add(hi.IsZero()
                 ? T::Zero(real.hi == 0 && real.lo < 0 && std::signbit(real.hi))
                 : hi);
  return values;
}

template <class T>
FloatInterval<T> FloatArithmetic<T>::SumOfTrees(
    std::span<const Interval> terms) const {
  const size_t count = terms.size();
  // By the first leaf of a subtree, and their number less one.
  std::vector<std::vector<Interval>> subtrees(count);
  for (size_t length = 0; length < count; ++length) {
    for (size_t first = 0; first + length < count; ++first) {
      if (length == 0) {
        subtrees[first].push_back(terms[first]);
        continue;
      }
      Interval any;
      for (size_t left = 0; left < length; ++left) {
        any.Add(Add(subtrees[first][left],
                    subtrees[first + left + 1][length - left - 1]));
      }
      subtrees[first].push_back(any);
    }
  }
  return subtrees[0].back();
}

template <class T>
FloatInterval<T> FloatArithmetic<T>::Sum(
    std::span<const Interval> terms) const {
  const Interval init = Constant(0);
  if (terms.empty()) return init;
  bool is_known = T::kFormat.has_sign;
  for (const Interval& term : terms) is_known &= term.IsOneValue();
  const bool is_once = inits_ == "once";
  const auto count = static_cast<int64_t>(terms.size());
  Interval sum;
  const bool has_few_trees = count <= kFewTerms && T::kFormat.has_zero &&
                             !rules_.wider && (is_in_order_ || count == 2);
  if ((count == 1 && T::kFormat.has_zero) || has_few_trees) {
    sum = SumOfTrees(terms);
    const Interval with_init = Add(sum, init);
    if (is_once) return with_init;
    sum.Add(with_init);
    return sum;
  }
  if (is_known) {
    Tensor column(TensorType({count}, T::kElementType));
    for (int64_t i = 0; i < count; ++i) {
      const Interval& term = terms[static_cast<size_t>(i)];
      column.As<T>()[i] = (term.has_nan ? T::Nan() : term.lo).ToBits();
    }
    const Possible possible =
        BoundedSum({column, 0, count}, init.lo.ToBits(),
                   is_once ? InitCount{1, 1} : InitCount{0, count}, rules_);
    if (possible.kind == Possible::Kind::kOpen) return Interval::Open();
    if (possible.kind == Possible::Kind::kRanges) {
      for (const Possible::Range& range : possible.ranges) {
        sum.Add(T::FromBits(static_cast<typename T::Bits>(range.lo)));
        sum.Add(T::FromBits(static_cast<typename T::Bits>(range.hi)));
      }
      return sum;
    }
  }
  std::vector<RealInterval> reals;
  reals.reserve(terms.size());
  for (const Interval& term : terms) reals.push_back(AsReal(term));
  sum = ValuesIn(real_.Sum(reals));
  // A format without zero may have NaN in its place, which the initial value
  // brings with it.
  sum.has_nan |= init.has_nan;
  return sum;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_FLOAT_INTERVAL_H_
