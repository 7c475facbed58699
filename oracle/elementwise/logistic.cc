// logistic of floats is `division(1, addition(1, exp(-x)))`, read as a formula
// of real numbers, whose result is rounded once, or as operations, each of
// which rounds to the type (policy logistic_formula).
#include <optional>

#include "oracle/elementwise/complex_op.h"
#include "oracle/elementwise/real_op.h"

namespace assay {
namespace {

// An operation that overflows in a format without infinity gives one of these.
enum class Beyond { kLargest, kNan, kEither };

template <class T>
Beyond BeyondOf(const Policy& policy) {
  const std::string_view key = policy.Get("overflow_without_infinity");
  if (key == "saturate" || !T::kFormat.has_nan()) return Beyond::kLargest;
  return key == "by_format" ? Beyond::kNan : Beyond::kEither;
}

// Steps are the results of the operations. Each operation is monotone, so they
// lie between the results of the ends of the exponential's budget; the others
// are correctly rounded.
template <class T>
struct Steps {
  struct Ends {
    Rounded<T> lo, hi;
  };
  std::optional<Ends> numbers;
  bool or_zero = false, or_nan = false;  // where a step overflows
};

template <class T>
class LogisticSteps {
 public:
  explicit LogisticSteps(const Policy& policy)
      : exponential_(policy, *FindOp("exponential"), T::kElementType),
        beyond_(BeyondOf<T>(policy)) {}

  Steps<T> Of(T x) const {
    Steps<T> steps;
    // A format without a sign has no -x, and a NaN has only one reading.
    if (!T::kFormat.has_sign || x.IsNan()) return steps;
    const RealRange<T> power = Exponential(T::Round(-x.ToDouble()).value);
    typename Steps<T>::Ends ends{power.lo, power.hi};
    const T one = T::Round(1).value;
    if (!KeepNumbers(&ends, &steps)) return steps;
    ends = {one + ends.lo.value, one + ends.hi.value};
    if (!KeepNumbers(&ends, &steps)) return steps;
    steps.numbers = {one / ends.hi.value, one / ends.lo.value};
    return steps;
  }

 private:
  RealRange<T> Exponential(T x) const {
    if (!exponential_.AreConstant())
      return RangeOf<T>(RealFunction::kExponential, x, x,
                        exponential_.At(x.ToDouble(), x.ToDouble()));
    if constexpr (T::kBitWidth <= 16) {
      if (!exponential_.constant().tolerance)
        return RangeTable<T>::For(RealFunction::kExponential,
                                  exponential_.constant())(x);
    }
    return RangeOf<T>(RealFunction::kExponential, x, x,
                      exponential_.constant());
  }

  // Keeps the numbers of an interval; returns false if there are none. 1 /
  // infinity is 0.
  bool KeepNumbers(typename Steps<T>::Ends* ends, Steps<T>* steps) const {
    const auto is_beyond = [](const Rounded<T>& end) {
      return end.value.IsInfinite() ||
             end.unencodable == Unencodable::kOverflow;
    };
    if (!is_beyond(ends->hi)) return true;
    const bool has_infinity = T::kFormat.has_infinity();
    steps->or_zero |= has_infinity;
    steps->or_nan |= !has_infinity && beyond_ != Beyond::kLargest;
    const Rounded<T> largest = {T::Max(false)};
    ends->hi = largest;
    if (!is_beyond(ends->lo)) return true;
    ends->lo = largest;
    return !has_infinity && beyond_ != Beyond::kNan;
  }

  BoundsOfCall exponential_;
  Beyond beyond_;
};

// Returns whether the steps give a number outside of the range. Results are not
// negative, so codes are in order.
template <class T>
bool HasMore(const Steps<T>& steps, const RealRange<T>& range) {
  return steps.numbers &&
         (steps.numbers->lo.value.magnitude() < range.lo.value.magnitude() ||
          steps.numbers->hi.value.magnitude() > range.hi.value.magnitude());
}

// Adds the results of the steps to the range or, if there is a gap between
// them, returns them.
template <class T>
std::optional<typename Steps<T>::Ends> AddTo(RealRange<T>* range,
                                             const Steps<T>& steps) {
  if (steps.or_zero && !range->lo.value.IsZero())
    range->flags |= Expectation::kOrPlusZero;
  if (steps.or_nan) range->flags |= Expectation::kOrNan;
  if (!HasMore(steps, *range)) return std::nullopt;
  const auto& [lo, hi] = *steps.numbers;
  const bool is_apart =
      hi.value.magnitude() + 1 < range->lo.value.magnitude() ||
      range->hi.value.magnitude() + 1 < lo.value.magnitude();
  if (is_apart) return steps.numbers;
  if (lo.value.magnitude() < range->lo.value.magnitude()) range->lo = lo;
  if (hi.value.magnitude() > range->hi.value.magnitude()) range->hi = hi;
  return std::nullopt;
}

template <class T>
Evaluation OfFloats(const OpCall& op, bool are_steps_allowed) {
  const BoundsOfCall bounds(op);
  const LogisticSteps<T> formula(op.policy);
  const Elements<T> operand(op.inputs[0]);
  std::vector<Expectation::Alternative> others;
  const auto flushed = [&](const Rounded<T>& end) {
    if constexpr (kHasSubnormals<T>) {
      if (op.flush != nullptr) return op.flush->Result(end.value, end.tininess);
    }
    return end.value;
  };
  Evaluation evaluation =
      ForEachRange<T>(op, bounds, [&](auto& clause, int64_t i) {
        const T x = operand[i];
        RealRange<T> range = RangeOf<T>(RealFunction::kLogistic, x, x,
                                        bounds.At(x.ToDouble(), x.ToDouble()));
        const Steps<T> steps = formula.Of(x);
        const bool is_zero = range.lo.value.IsZero();
        if (!HasMore(steps, range) && !steps.or_nan &&
            (!steps.or_zero || is_zero))
          return clause("S1", range);
        if (are_steps_allowed) {
          if (const auto apart = AddTo(&range, steps))
            others.push_back(
                {i, flushed(apart->lo).ToBits(), flushed(apart->hi).ToBits()});
        }
        return clause("S5", range);
      });
  evaluation.outputs[0].alternatives = std::move(others);
  return evaluation;
}

}  // namespace

Evaluation Logistic(const OpCall& op) {
  const ElementType type = op.inputs[0].element_type();
  if (IsComplex(type))
    return ComplexOp(op, ComplexFunction::kLogistic, {"S2", "S4", "S2", "S4"});
  const bool are_steps_allowed =
      op.policy.Get("logistic_formula") == "real_or_steps";
  // A tolerance of the call's own is about the real value.
  if (op.op.result_accuracy || (op.marks == Marks::kNone && !are_steps_allowed))
    return UnaryReal<RealFunction::kLogistic>(op);
  return VisitKinds<kFloats>(
      type, [&]<class T>() { return OfFloats<T>(op, are_steps_allowed); });
}

}  // namespace assay
