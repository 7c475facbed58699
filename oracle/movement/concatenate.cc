#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

class ConcatenatePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S4";

  explicit ConcatenatePlaces(const Op& op) {
    const Tensor& dimension =
        std::get<Tensor>(op.FindAttribute("dimension")->value);
    dimension_ = static_cast<size_t>(dimension.Bits(0));
    for (const Op::Operand& input : op.inputs) {
      const Shape& shape = input.type.tensor().shape;
      sizes_.push_back(shape[dimension_]);
      strides_.push_back(RowMajorStrides(shape));
    }
  }

  Source operator()(auto& clause, const Index& result_index) const {
    // id - d0 - ... - dk-1 is below dk for the operand k that has the element.
    int64_t operand_index = result_index[dimension_];
    size_t k = 0;
    for (; k + 1 < sizes_.size(); ++k) {
      const int64_t size = clause("S3", sizes_[k]);
      if (operand_index < size) break;
      operand_index -= size;
    }
    operand_index = clause("S2", operand_index);
    int64_t position = 0;
    for (size_t d = 0; d < result_index.size(); ++d)
      position +=
          (d == dimension_ ? operand_index : result_index[d]) * strides_[k][d];
    return {k, position};
  }

 private:
  size_t dimension_;
  std::vector<int64_t> sizes_;  // of the operands, along the dimension
  std::vector<Strides> strides_;
};

}  // namespace

Evaluation Concatenate(const OpCall& op) {
  return Moves<ConcatenatePlaces>(op);
}

Sources ConcatenateSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<ConcatenatePlaces>(op, index);
}

}  // namespace assay
