// bitcast_convert gives the bits of the operand as elements of another type.
#include <algorithm>
#include <string>

#include "oracle/elementwise/elementwise.h"

namespace assay {
namespace {

// Returns the bits in memory if the first of several neighbours is the highest
// part of the number that they make. Parts of complex numbers are neighbours,
// too, and the real one is the first in either order.
Tensor InBigEndian(const Tensor& operand, const TensorType& type) {
  const auto bits_of_part = [](ElementType element) {
    return Info(element).bits / PartCount(element);
  };
  const int from = bits_of_part(operand.element_type());
  const int to = bits_of_part(type.element_type);
  const int unit = std::min(from, to);
  const ElementBits mask = (ElementBits{1} << unit) - 1;
  const auto unit_at = [&](int64_t n) {
    const int64_t number = n / (from / unit);
    const int parts = PartCount(operand.element_type());
    const ElementBits whole =
        PartOf(operand.element_type(), operand.Bits(number / parts),
               static_cast<int>(number % parts));
    const int below = from / unit - 1 - static_cast<int>(n % (from / unit));
    return whole >> (below * unit) & mask;
  };
  Tensor result(type);
  const int parts = PartCount(type.element_type);
  for (int64_t i = 0; i < result.size(); ++i) {
    ElementBits bits = 0;
    for (int part = parts; part-- > 0;) {
      ElementBits number = 0;
      for (int64_t n = 0; n < to / unit; ++n)
        number = number << unit | unit_at((i * parts + part) * (to / unit) + n);
      bits = (parts == 1 ? ElementBits{0} : bits << to) | number;
    }
    result.SetBits(i, bits);
  }
  return result;
}

}  // namespace

Evaluation BitcastConvert(const OpCall& op) {
  const Tensor& operand = op.Input("operand");
  const int from = Info(operand.element_type()).bits;
  const int to = Info(op.ResultType().element_type).bits;
  const std::string& layout = op.policy.Get("bitcast_layout");
  const bool any = layout == "any";
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
        ForEachElement<R>(op, [&](auto& clause, int64_t i) -> Allowed<R> {
          if (any) return clause("S4", Allowed<R>(kAny));
          const ElementBits mask =
              to == 128 ? ~ElementBits{0} : (ElementBits{1} << to) - 1;
          const R bits =
              R::FromBits(static_cast<typename R::Bits>(bits_at(i) & mask));
          const R result = to < from   ? clause("S1", bits)
                           : to > from ? clause("S2", bits)
                                       : clause("S3", bits);
          return clause("S4", result);
        });
    evaluation.outputs[0].keeps_nans = true;
    if (layout == "either_endian" && from != to)
      evaluation.outputs[0].readings = {InBigEndian(operand, op.ResultType())};
    return evaluation;
  });
}

Sources BitcastConvertSources(const OpCall& op, size_t, int64_t index) {
  const int from = Info(op.op.inputs[0].type.tensor().element_type).bits;
  const int to = Info(op.ResultType().element_type).bits;
  if (to <= from) return {{0, index / (from / to)}};
  Sources parts;
  for (int64_t part = 0; part < to / from; ++part)
    parts.push_back({0, index * (to / from) + part});
  return parts;
}

}  // namespace assay
