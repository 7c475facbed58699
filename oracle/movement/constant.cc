#include "oracle/movement/moves.h"

namespace assay {

Evaluation Constant(const OpCall& op) {
  const Tensor& value = std::get<Tensor>(op.FindAttribute("value")->value);
  return VisitElementType(value.element_type(), [&]<class T>() {
    const typename T::Bits* const elements = value.As<T>();
    Evaluation evaluation =
        ForEachElement<T>(op, [&](auto& clause, int64_t i) -> Allowed<T> {
          const T element = clause("S1", T::FromBits(elements[i]));
          return IsNan(element) ? clause("S2", element) : element;
        });
    KeepNans(op, &evaluation);
    return evaluation;
  });
}

Sources ConstantSources(const OpCall&, size_t, int64_t) { return {}; }

}  // namespace assay
