#include "oracle/elementwise/elementwise.h"

namespace assay {

Evaluation GetDimensionSize(const OpCall& op) {
  const Shape& operand = op.op.inputs[0].type.tensor().shape;
  const auto dimension = static_cast<size_t>(
      std::get<Tensor>(op.FindAttribute("dimension")->value).Bits(0));
  const Overflow overflow(op.policy);
  using T = Integer<32, true>;
  return ForEachElement<T>(op, [&](auto& clause, int64_t) -> Allowed<T> {
    const T size = T::Wrap(operand[dimension]);
    if (size.value() == operand[dimension])
      return clause("S3", clause("S1", size));
    return clause("S2", overflow(size));
  });
}

Sources GetDimensionSizeSources(const OpCall&, size_t, int64_t) { return {}; }

}  // namespace assay
