#include "oracle/real_op.h"

#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {

Bounds BoundsOf(const OpCall& op) {
  Bounds bounds;
  const OpSpec& spec = *FindOp(op.op.op);
  if (spec.least) bounds.least = *spec.least;
  if (spec.greatest) bounds.greatest = *spec.greatest;
  if (op.op.result_accuracy) {
    bounds.tolerance = op.op.result_accuracy;
    return bounds;
  }
  const Budget* const budget =
      op.policy.FindBudget(spec.id, op.op.inputs[0].type.element_type);
  ASSAY_CHECK(budget != nullptr);
  bounds.ulp = budget->ulp;
  bounds.tolerance = budget->result_accuracy;
  return bounds;
}

Evaluation UnaryReal(const OpCall& op, RealFunction f) {
  const Bounds bounds = BoundsOf(op);
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const Elements<T> operand(op.inputs[0]);
    const auto loop = [&](auto range_of) {
      return ForEachRange<T>(op, bounds, [&](auto& by, int64_t i) {
        return by("S1", range_of(operand[i]));
      });
    };
    if constexpr (T::kBitWidth <= 16) {
      if (!bounds.tolerance) {
        RangeTable<T>& table = RangeTable<T>::For(f, bounds);
        return loop([&](T x) { return table(x); });
      }
    }
    return loop([&](T x) { return RangeOf<T>(f, x, x, bounds); });
  });
}

Evaluation BinaryReal(const OpCall& op, RealFunction f, ClauseNumber clause) {
  const Bounds bounds = BoundsOf(op);
  return VisitKinds<kFloats>(op.inputs[0].element_type(), [&]<class T>() {
    const Elements<T> lhs(op.inputs[0]), rhs(op.inputs[1]);
    return ForEachRange<T>(op, bounds, [&](auto& by, int64_t i) {
      RealRange<T> range = RangeOf<T>(f, lhs[i], rhs[i], bounds);
      // A power that is 1 whatever the NaN: IEEE 754 means quiet ones, and
      // where the machine's functions know no others a signaling one gives 1,
      // too.
      range.or_nan = !range.near.IsNan() &&
                     (lhs[i].IsSignalingNan() || rhs[i].IsSignalingNan());
      return by(clause, range);
    });
  });
}

}  // namespace assay
