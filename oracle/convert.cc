// convert, between booleans and integers.
#include "oracle/elementwise.h"

namespace assay {

Evaluation Convert(const OpCall& op) {
  const Tensor& operand = op.Input("operand");
  const Overflow overflow(op.policy);
  return VisitElementType(operand.element_type(), [&]<class T>() {
    return VisitElementType(op.ResultType().element_type, [&]<class R>() {
      const Elements<T> source(operand);
      return ForEachElement<R>(op, [&](auto& by, int64_t i) -> Allowed<R> {
        const T x = source[i];
        if constexpr (R::kIsBoolean) {
          return by("S2", R(x.value() != 0));
        } else if constexpr (T::kIsBoolean) {
          return by("S1", R::Wrap(x.value() ? 1 : 0));
        } else {
          const R wrapped = R::Wrap(x.value());
          if (__int128{wrapped.value()} == __int128{x.value()})
            return by("S3", wrapped);
          return by("S4", overflow(wrapped));
        }
      });
    });
  });
}

}  // namespace assay
