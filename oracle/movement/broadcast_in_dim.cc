#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

class BroadcastPlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S4";

  explicit BroadcastPlaces(const Op& op)
      : operand_(op.inputs[0].type.tensor().shape),
        strides_(RowMajorStrides(operand_)),
        broadcast_dimensions_(NumbersOf(op, "broadcast_dimensions")) {}

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < operand_.size(); ++d) {
      const int64_t operand_index =
          operand_[d] == 1 ? clause("S2", int64_t{0})
                           : clause("S3", result_index[static_cast<size_t>(
                                              broadcast_dimensions_[d])]);
      position += operand_index * strides_[d];
    }
    return {0, position};
  }

 private:
  const Shape& operand_;
  Strides strides_;
  std::vector<int64_t> broadcast_dimensions_;
};

}  // namespace

Evaluation BroadcastInDim(const OpCall& op) {
  return Moves<BroadcastPlaces>(op);
}

Sources BroadcastInDimSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<BroadcastPlaces>(op, index);
}

}  // namespace assay
