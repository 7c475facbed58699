// The ops maximum, minimum, clamp and select choose among their operands.
#include <utility>
#include <vector>

#include "oracle/elementwise/elementwise.h"

namespace assay {

namespace {

// Computes maximum and minimum of IEEE 754-2019: NaN if an operand is NaN, and
// -0 < +0.
template <IsFloatType T>
T MaximumOf(T lhs, T rhs) {
  if (lhs.IsNan()) return lhs;
  if (rhs.IsNan()) return rhs;
  if (lhs.IsZero() && rhs.IsZero()) return lhs.SignBit() ? rhs : lhs;
  return QuietLess(lhs, rhs) ? rhs : lhs;
}
template <IsFloatType T>
T MinimumOf(T lhs, T rhs) {
  if (lhs.IsNan()) return lhs;
  if (rhs.IsNan()) return rhs;
  if (lhs.IsZero() && rhs.IsZero()) return lhs.SignBit() ? lhs : rhs;
  return QuietLess(rhs, lhs) ? rhs : lhs;
}

// Computes the same if the comparison alone flushes (flush.h).
template <IsFloatType T>
T ExtremumAsCompared(T lhs, T rhs, bool is_maximum, const FlushChoice& flush) {
  const T x = AsCompared(lhs, &flush), y = AsCompared(rhs, &flush);
  const bool kept = x.ToBits() == lhs.ToBits() && y.ToBits() == rhs.ToBits();
  if (kept || lhs.IsNan() || rhs.IsNan())
    return is_maximum ? MaximumOf(lhs, rhs) : MinimumOf(lhs, rhs);
  if (QuietLess(x, y)) return is_maximum ? rhs : lhs;
  if (QuietLess(y, x)) return is_maximum ? lhs : rhs;
  const bool is_preferred = lhs.IsZero() && lhs.SignBit() != is_maximum;
  const bool is_first = flush.inputs == FlushChoice::Inputs::kComparedFirst;
  return is_first || is_preferred ? lhs : rhs;
}

template <class T>
T MaximumOf(T lhs, T rhs) {
  return lhs < rhs ? rhs : lhs;
}
template <class T>
T MinimumOf(T lhs, T rhs) {
  return rhs < lhs ? rhs : lhs;
}

// Compares in the lexicographic order of (real, imag): the imaginary parts
// decide between equal real parts.
template <IsComplexType T>
bool LexicographicLess(T lhs, T rhs) {
  return QuietEqual(lhs.real(), rhs.real()) ? QuietLess(lhs.imag(), rhs.imag())
                                            : QuietLess(lhs.real(), rhs.real());
}
template <IsComplexType T>
T MaximumOf(T lhs, T rhs) {
  return LexicographicLess(lhs, rhs) ? rhs : lhs;
}
template <IsComplexType T>
T MinimumOf(T lhs, T rhs) {
  return LexicographicLess(rhs, lhs) ? rhs : lhs;
}

template <class T>
T MaximumOf(T lhs, T rhs, const FlushChoice* flush) {
  if constexpr (IsFloatType<T>) {
    if (flush != nullptr && flush->OnlyCompares())
      return ExtremumAsCompared(lhs, rhs, true, *flush);
  }
  return MaximumOf(lhs, rhs);
}
template <class T>
T MinimumOf(T lhs, T rhs, const FlushChoice* flush) {
  if constexpr (IsFloatType<T>) {
    if (flush != nullptr && flush->OnlyCompares())
      return ExtremumAsCompared(lhs, rhs, false, *flush);
  }
  return MinimumOf(lhs, rhs);
}

// Returns whether the order does not decide between the two: a part is NaN, or
// they compare equal and differ in the sign of a zero.
template <IsComplexType T>
bool IsUnordered(T lhs, T rhs) {
  const bool ties = QuietEqual(lhs.real(), rhs.real()) &&
                    QuietEqual(lhs.imag(), rhs.imag()) &&
                    lhs.ToBits() != rhs.ToBits();
  return lhs.IsNan() || rhs.IsNan() || ties;
}

// A ComplexOrder applies policy complex_order where the order does not decide.
class ComplexOrder {
 public:
  explicit ComplexOrder(const Policy& policy)
      : any_(policy.Get("complex_order") == "any"),
        or_nan_(policy.Get("complex_order") == "either_operand_or_nan") {}
  bool any() const { return any_; }
  // Adds to an element what it may be besides its first value.
  template <class T>
  void Add(const OpCall& op, int64_t i, const std::vector<T>& candidates,
           Expectation* result) const {
    bool is_nan = false;
    for (const T value : candidates) {
      const ElementBits bits =
          op.flush == nullptr
              ? value.ToBits()
              : op.flush->Result(value, Tininess::kNone).ToBits();
      is_nan |= value.IsNan();
      if (bits != result->lo.Bits(i))
        result->alternatives.push_back({i, bits, bits});
    }
    if (!is_nan || !or_nan_) return;
    using E = typename T::Part;
    const ElementBits nan = T(E::Nan(), E::Nan()).ToBits();
    result->alternatives.push_back({i, nan, nan, Expectation::kRealOpen});
    result->alternatives.push_back({i, nan, nan, Expectation::kImagOpen});
  }

 private:
  bool any_, or_nan_;
};

// Returns what minimum(maximum(operand, min), max) may be, where each may be
// either of its operands if the order does not decide.
template <IsComplexType T>
std::vector<T> ClampedWays(T min, T operand, T max) {
  std::vector<T> maxima = {MaximumOf(operand, min)}, results;
  if (IsUnordered(operand, min)) maxima = {operand, min};
  for (const T maximum : maxima) {
    if (IsUnordered(maximum, max)) {
      results.push_back(maximum);
      results.push_back(max);
    } else {
      results.push_back(MinimumOf(maximum, max));
    }
  }
  return results;
}

// `extremum` is MaximumOf or MinimumOf.
template <class F, class G>
Evaluation Extremum(const OpCall& op, F of_booleans, G extremum) {
  const ComplexOrder order(op.policy);
  if (IsComplex(op.inputs[0].element_type())) {
    return VisitKinds<kComplexes>(op.inputs[0].element_type(), [&]<class T>() {
      const Elements<T> x(op.inputs[0]), y(op.inputs[1]);
      std::vector<int64_t> unordered;
      Evaluation evaluation =
          ForEachElement<T>(op, [&](auto& clause, int64_t i) -> Allowed<T> {
            const T lhs = x[i], rhs = y[i];
            if (!IsUnordered(lhs, rhs)) return clause("S4", extremum(lhs, rhs));
            if (order.any()) return clause("S6", Allowed<T>(kAny));
            const T first = clause("S6", lhs);
            if (first.ToBits() == lhs.ToBits()) unordered.push_back(i);
            return first;
          });
      for (const int64_t i : unordered)
        order.Add<T>(op, i, {x[i], y[i]}, &evaluation.outputs[0]);
      return evaluation;
    });
  }
  return Binary<kBooleans | kIntegers | kFloats>(
      op, [&]<class T>(auto& clause, T lhs, T rhs) -> Allowed<T> {
        if constexpr (IsBooleanType<T>) {
          return clause("S1", T(of_booleans(lhs.value(), rhs.value())));
        } else if constexpr (IsFloatType<T>) {
          return clause("S3", extremum(lhs, rhs));
        } else {
          return clause("S2", extremum(lhs, rhs));
        }
      });
}

}  // namespace

Evaluation Maximum(const OpCall& op) {
  return Extremum(
      op, [](bool lhs, bool rhs) { return lhs || rhs; },
      [&](auto lhs, auto rhs) { return MaximumOf(lhs, rhs, op.flush); });
}

Evaluation Minimum(const OpCall& op) {
  return Extremum(
      op, [](bool lhs, bool rhs) { return lhs && rhs; },
      [&](auto lhs, auto rhs) { return MinimumOf(lhs, rhs, op.flush); });
}

Evaluation Clamp(const OpCall& op) {
  const Tensor& min = op.Input("min");
  const Tensor& operand = op.Input("operand");
  const Tensor& max = op.Input("max");
  const ComplexOrder order(op.policy);
  return VisitElementType(operand.element_type(), [&]<class T>() {
    const Elements<T> mins(min), operands(operand), maxs(max);
    std::vector<std::pair<int64_t, std::vector<T>>> unordered;
    Evaluation evaluation =
        ForEachElement<T>(op, [&](auto& clause, int64_t i) -> Allowed<T> {
          const T min_element =
              op.IsScalar(min) ? clause("S2", mins[i]) : mins[i];
          const T max_element =
              op.IsScalar(max) ? clause("S3", maxs[i]) : maxs[i];
          if constexpr (IsComplexType<T>) {
            if (IsUnordered(operands[i], min_element) ||
                IsUnordered(MaximumOf(operands[i], min_element), max_element)) {
              if (order.any()) return clause("S5", Allowed<T>(kAny));
              const std::vector<T> results =
                  ClampedWays(min_element, operands[i], max_element);
              const T first = clause("S5", results[0]);
              if (first.ToBits() == results[0].ToBits())
                unordered.emplace_back(i, results);
              return first;
            }
          }
          const T maximum = MaximumOf(operands[i], min_element, op.flush);
          return clause("S1", MinimumOf(maximum, max_element, op.flush));
        });
    if constexpr (IsComplexType<T>) {
      for (const auto& [i, results] : unordered)
        order.Add<T>(op, i, results, &evaluation.outputs[0]);
    }
    return evaluation;
  });
}

Evaluation Select(const OpCall& op) {
  const Tensor& pred = op.Input("pred");
  return VisitElementType(op.Input("on_true").element_type(), [&]<class T>() {
    const Elements<Boolean> preds(pred);
    const Elements<T> on_true(op.Input("on_true")),
        on_false(op.Input("on_false"));
    Evaluation evaluation =
        ForEachElement<T>(op, [&](auto& clause, int64_t i) -> Allowed<T> {
          const Boolean pred_element =
              op.IsScalar(pred) ? clause("S2", preds[i]) : preds[i];
          const T moved =
              clause("S1", pred_element.value() ? on_true[i] : on_false[i]);
          return IsNan(moved) ? clause("S4", moved) : moved;
        });
    KeepNans(op, &evaluation);
    return evaluation;
  });
}

}  // namespace assay
