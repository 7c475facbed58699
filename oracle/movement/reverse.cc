#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

class ReversePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S4";

  explicit ReversePlaces(const Op& op)
      : result_(op.outputs[0].type.tensor().shape),
        strides_(RowMajorStrides(result_)),
        is_reversed_(result_.size()) {
    for (const int64_t d : NumbersOf(op, "dimensions"))
      is_reversed_[static_cast<size_t>(d)] = true;
  }

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < result_.size(); ++d) {
      const int64_t operand_index =
          is_reversed_[d] ? clause("S2", result_[d] - result_index[d] - 1)
                          : clause("S3", result_index[d]);
      position += operand_index * strides_[d];
    }
    return {0, position};
  }

 private:
  const Shape& result_;
  Strides strides_;
  std::vector<bool> is_reversed_;
};

}  // namespace

Evaluation Reverse(const OpCall& op) { return Moves<ReversePlaces>(op); }

Sources ReverseSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<ReversePlaces>(op, index);
}

}  // namespace assay
