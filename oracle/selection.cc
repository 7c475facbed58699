// Ordering and choice: compare, maximum, minimum, clamp, select.
#include <string>

#include "oracle/elementwise.h"

namespace assay {

Evaluation Maximum(const OpCall& op) {
  return Binary(op, []<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if constexpr (T::kIsBoolean) {
      return by("S1", T(lhs.value() || rhs.value()));
    } else {
      return by("S2", lhs > rhs ? lhs : rhs);
    }
  });
}

Evaluation Minimum(const OpCall& op) {
  return Binary(op, []<class T>(auto& by, T lhs, T rhs) -> Allowed<T> {
    if constexpr (T::kIsBoolean) {
      return by("S1", T(lhs.value() && rhs.value()));
    } else {
      return by("S2", lhs < rhs ? lhs : rhs);
    }
  });
}

Evaluation Clamp(const OpCall& op) {
  const Tensor& min = op.Input("min");
  const Tensor& operand = op.Input("operand");
  const Tensor& max = op.Input("max");
  return VisitElementType(operand.element_type(), [&]<class T>() {
    const Elements<T> mins(min), operands(operand), maxs(max);
    return ForEachElement<T>(op, [&](auto& by, int64_t i) -> Allowed<T> {
      const T min_element =
          min.type().shape.empty() ? by("S2", mins[0]) : mins[i];
      const T max_element =
          max.type().shape.empty() ? by("S3", maxs[0]) : maxs[i];
      const T maximum = operands[i] > min_element ? operands[i] : min_element;
      return by("S1", maximum < max_element ? maximum : max_element);
    });
  });
}

Evaluation Compare(const OpCall& op) {
  const std::string direction =
      AttributeText(*op.FindAttribute("comparison_direction"));
  enum Direction { kEq, kNe, kGe, kGt, kLe, kLt };
  const Direction d = direction == "EQ"   ? kEq
                      : direction == "NE" ? kNe
                      : direction == "GE" ? kGe
                      : direction == "GT" ? kGt
                      : direction == "LE" ? kLe
                                          : kLt;
  return VisitElementType(op.Input("lhs").element_type(), [&]<class T>() {
    const Elements<T> x(op.Input("lhs")), y(op.Input("rhs"));
    return ForEachElement<Boolean>(
        op, [&](auto& by, int64_t i) -> Allowed<Boolean> {
          const T lhs = x[i], rhs = y[i];
          switch (d) {
            case kEq:
              return by("S1", Boolean(lhs == rhs));
            case kNe:
              return by("S2", Boolean(lhs != rhs));
            case kGe:
              return by("S3", Boolean(lhs >= rhs));
            case kGt:
              return by("S4", Boolean(lhs > rhs));
            case kLe:
              return by("S5", Boolean(lhs <= rhs));
            case kLt:
              return by("S6", Boolean(lhs < rhs));
          }
          return kAny;
        });
  });
}

Evaluation Select(const OpCall& op) {
  const Tensor& pred = op.Input("pred");
  return VisitElementType(op.Input("on_true").element_type(), [&]<class T>() {
    const Elements<Boolean> preds(pred);
    const Elements<T> on_true(op.Input("on_true")),
        on_false(op.Input("on_false"));
    return ForEachElement<T>(op, [&](auto& by, int64_t i) -> Allowed<T> {
      const Boolean pred_element =
          pred.type().shape.empty() ? by("S2", preds[0]) : preds[i];
      return by("S1", pred_element.value() ? on_true[i] : on_false[i]);
    });
  });
}

}  // namespace assay
