#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

class SlicePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S3";

  explicit SlicePlaces(const Op& op)
      : steps_(RowMajorStrides(op.inputs[0].type.tensor().shape)),
        start_indices_(NumbersOf(op, "start_indices")),
        strides_(NumbersOf(op, "strides")) {}

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < steps_.size(); ++d) {
      const int64_t operand_index =
          clause("S2", start_indices_[d] + result_index[d] * strides_[d]);
      position += operand_index * steps_[d];
    }
    return {0, position};
  }

 private:
  Strides steps_;  // from an element of the operand to the next one
  std::vector<int64_t> start_indices_, strides_;
};

}  // namespace

Evaluation Slice(const OpCall& op) { return Moves<SlicePlaces>(op); }

Sources SliceSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<SlicePlaces>(op, index);
}

}  // namespace assay
