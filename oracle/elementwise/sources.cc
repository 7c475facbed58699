#include "oracle/elementwise/elementwise.h"

namespace assay {

Sources ElementwiseSources(const OpCall& op, size_t output, int64_t index) {
  const Shape& to = op.op.outputs[output].type.tensor().shape;
  const Index result = Unflatten(to, index);
  Sources sources;
  for (size_t k = 0; k < op.op.inputs.size(); ++k) {
    const Shape& from = op.op.inputs[k].type.tensor().shape;
    const Strides strides = RowMajorStrides(from);
    int64_t position = 0;
    for (size_t d = 0; d < from.size(); ++d) {
      if (from[d] > 1)
        position += strides[d] * result[d + to.size() - from.size()];
    }
    sources.push_back({k, position});
  }
  return sources;
}

}  // namespace assay
