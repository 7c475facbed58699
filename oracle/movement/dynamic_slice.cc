#include <vector>

#include "oracle/movement/moves.h"

namespace assay {
namespace {

// Returns `clamp(0, start_indices, shape(operand) - size)`, where `start`
// is the index as an integer, which a type of 64 bits without a sign may have
// beyond those of int64_t.
int64_t AdjustedStart(auto& clause, __int128 start, int64_t most) {
  if (start >= 0 && start <= most)
    return clause("S2", static_cast<int64_t>(start));
  return clause("S3", start < 0 ? int64_t{0} : most);
}

// The start indices of a call, which are scalars from operand `first` on.
class StartIndices {
 public:
  StartIndices(const OpCall& op, size_t first) : first_(first) {
    for (size_t k = first; k < op.inputs.size(); ++k)
      start_.push_back(IntegerAt(op.inputs[k], 0));
  }
  __int128 operator[](size_t d) const { return start_[d]; }
  void AddTo(Sources* sources) const {
    for (size_t d = 0; d < start_.size(); ++d)
      sources->push_back({first_ + d, 0});
  }

 private:
  size_t first_;
  std::vector<__int128> start_;
};

class DynamicSlicePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S5";

  explicit DynamicSlicePlaces(const OpCall& op)
      : operand_(op.op.inputs[0].type.tensor().shape),
        strides_(RowMajorStrides(operand_)),
        slice_sizes_(NumbersOf(op.op, "slice_sizes")),
        start_indices_(op, 1) {}

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < operand_.size(); ++d) {
      const int64_t adjusted_start_index = AdjustedStart(
          clause, start_indices_[d], operand_[d] - slice_sizes_[d]);
      const int64_t index =
          clause("S4", Plus(adjusted_start_index, result_index[d]));
      position = Plus(position, Times(index, strides_[d]));
    }
    return {0, position};
  }
  void AddIndices(const Index&, Sources* sources) const {
    start_indices_.AddTo(sources);
  }

 private:
  const Shape& operand_;
  Strides strides_;
  std::vector<int64_t> slice_sizes_;
  StartIndices start_indices_;
};

class DynamicUpdateSlicePlaces {
 public:
  // An element of the operand stays by S5, one of the update is moved by S1.
  static constexpr ClauseNumber kValues[] = {"S5", "S1"};
  static constexpr ClauseNumber kNan = "S6";

  explicit DynamicUpdateSlicePlaces(const OpCall& op)
      : operand_(op.op.inputs[0].type.tensor().shape),
        update_(op.op.inputs[1].type.tensor().shape),
        strides_(RowMajorStrides(operand_)),
        update_strides_(RowMajorStrides(update_)),
        start_indices_(op, 2) {}

  Source operator()(auto& clause, const Index& result_index) const {
    int64_t position = 0, update_position = 0;
    bool is_updated = true;
    for (size_t d = 0; d < operand_.size(); ++d) {
      const int64_t adjusted_start_index =
          AdjustedStart(clause, start_indices_[d], operand_[d] - update_[d]);
      const int64_t update_index =
          clause("S4", Plus(result_index[d], Times(adjusted_start_index, -1)));
      is_updated &= 0 <= update_index && update_index < update_[d];
      position += result_index[d] * strides_[d];
      update_position =
          Plus(update_position, Times(update_index, update_strides_[d]));
    }
    return is_updated ? Source{1, update_position} : Source{0, position};
  }
  void AddIndices(const Index&, Sources* sources) const {
    start_indices_.AddTo(sources);
  }

 private:
  const Shape &operand_, &update_;
  Strides strides_, update_strides_;
  StartIndices start_indices_;
};

}  // namespace

Evaluation DynamicSlice(const OpCall& op) {
  return Moves<DynamicSlicePlaces>(op);
}

Sources DynamicSliceSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<DynamicSlicePlaces>(op, index);
}

Evaluation DynamicUpdateSlice(const OpCall& op) {
  return Moves<DynamicUpdateSlicePlaces>(op);
}

Sources DynamicUpdateSliceSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<DynamicUpdateSlicePlaces>(op, index);
}

}  // namespace assay
