// Complex numbers are put together and taken apart by complex, real and imag.
#include "oracle/elementwise/encoding.h"

namespace assay {
namespace {

template <class T>
T Moved(auto& clause, T value) {
  const T moved = clause("S1", value);
  return IsNan(moved) ? clause("S2", moved) : moved;
}

}  // namespace

Evaluation Complex(const OpCall& op) {
  return VisitKinds<kComplexes>(op.ResultType().element_type, [&]<class R>() {
    using E = typename R::Part;
    const Elements<E> lhs(op.Input("lhs")), rhs(op.Input("rhs"));
    Evaluation evaluation =
        ForEachElement<R>(op, [&](auto& clause, int64_t i) -> Allowed<R> {
          return Moved(clause, R(lhs[i], rhs[i]));
        });
    KeepNans(op, &evaluation);
    return evaluation;
  });
}

Evaluation Real(const OpCall& op) {
  Evaluation evaluation = VisitKinds<kFloats | kComplexes>(
      op.Input("operand").element_type(), [&]<class T>() {
        const Elements<T> operand(op.Input("operand"));
        if constexpr (IsComplexType<T>) {
          using E = typename T::Part;
          return ForEachElement<E>(op,
                                   [&](auto& clause, int64_t i) -> Allowed<E> {
                                     return Moved(clause, operand[i].real());
                                   });
        } else {
          return ForEachElement<T>(op,
                                   [&](auto& clause, int64_t i) -> Allowed<T> {
                                     return Moved(clause, operand[i]);
                                   });
        }
      });
  KeepNans(op, &evaluation);
  return evaluation;
}

Evaluation Imag(const OpCall& op) {
  const Encoding encoded(op.policy);
  Evaluation evaluation = VisitKinds<kFloats | kComplexes>(
      op.Input("operand").element_type(), [&]<class T>() {
        const Elements<T> operand(op.Input("operand"));
        if constexpr (IsComplexType<T>) {
          using E = typename T::Part;
          return ForEachElement<E>(op,
                                   [&](auto& clause, int64_t i) -> Allowed<E> {
                                     return Moved(clause, operand[i].imag());
                                   });
        } else {
          return ForEachElement<T>(
              op, [&](auto& clause, int64_t) -> Allowed<T> {
                return encoded(clause, clause("S1", T::OfZero(false)));
              });
        }
      });
  KeepNans(op, &evaluation);
  return evaluation;
}

}  // namespace assay
