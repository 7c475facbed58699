// bitcast_convert: the bits of the operand as elements of another type.
#include "oracle/elementwise.h"

namespace assay {

Evaluation BitcastConvert(const OpCall& op) {
  const Tensor& operand = op.Input("operand");
  const int from = Info(operand.element_type()).bits;
  const int to = Info(op.ResultType().element_type).bits;
  const bool any = op.policy.Get("bitcast_layout") == "any";
  return VisitElementType(op.ResultType().element_type, [&]<class R>() {
    const auto bits_at = [&](int64_t i) -> ElementBits {
      if (to <= from) {
        const int parts = from / to;
        const ElementBits whole = operand.Bits(i / parts);
        return whole >> (static_cast<int>(i % parts) * to);
      }
      const int parts = to / from;
      ElementBits whole = 0;
      for (int part = parts; part-- > 0;)
        whole = whole << from | operand.Bits(i * parts + part);
      return whole;
    };
    Evaluation evaluation =
        ForEachElement<R>(op, [&](auto& by, int64_t i) -> Allowed<R> {
          if (any) return by("S4", Allowed<R>(kAny));
          const ElementBits mask =
              to == 128 ? ~ElementBits{0} : (ElementBits{1} << to) - 1;
          const R bits =
              R::FromBits(static_cast<typename R::Bits>(bits_at(i) & mask));
          const R result = to < from   ? by("S1", bits)
                           : to > from ? by("S2", bits)
                                       : by("S3", bits);
          return by("S4", result);
        });
    evaluation.outputs[0].keeps_nans = true;
    return evaluation;
  });
}

}  // namespace assay
