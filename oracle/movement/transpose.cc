#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

class TransposePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S3";

  explicit TransposePlaces(const Op& op)
      : strides_(RowMajorStrides(op.inputs[0].type.tensor().shape)),
        permutation_(NumbersOf(op, "permutation")) {}

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < permutation_.size(); ++d) {
      // operand_index[permutation[d]]
      const int64_t operand_index = clause("S2", result_index[d]);
      position +=
          operand_index * strides_[static_cast<size_t>(permutation_[d])];
    }
    return {0, position};
  }

 private:
  Strides strides_;
  std::vector<int64_t> permutation_;
};

}  // namespace

Evaluation Transpose(const OpCall& op) { return Moves<TransposePlaces>(op); }

Sources TransposeSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<TransposePlaces>(op, index);
}

}  // namespace assay
