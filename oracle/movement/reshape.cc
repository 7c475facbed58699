#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

class ReshapePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S3";

  explicit ReshapePlaces(const Op& op)
      : strides_(RowMajorStrides(op.outputs[0].type.tensor().shape)) {}

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < strides_.size(); ++d)
      position += result_index[d] * strides_[d];
    return {0, clause("S2", position)};
  }

 private:
  Strides strides_;
};

}  // namespace

Evaluation Reshape(const OpCall& op) { return Moves<ReshapePlaces>(op); }

Sources ReshapeSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<ReshapePlaces>(op, index);
}

}  // namespace assay
