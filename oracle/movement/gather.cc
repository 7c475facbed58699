#include <algorithm>
#include <vector>

#include "oracle/movement/index_promises.h"
#include "oracle/movement/moves.h"
#include "oracle/movement/runtime_shape.h"

namespace assay {
namespace {

// The places of gather, with the names of the text. `slice_sizes` is an
// attribute of gather and an operand of dynamic_gather.
class GatherPlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S16";

  explicit GatherPlaces(const OpCall& op)
      : GatherPlaces(op, NumbersOf(op.op, "slice_sizes"),
                     NumbersOf(op.op, "operand_batching_dims"),
                     NumbersOf(op.op, "start_indices_batching_dims")) {}

  GatherPlaces(const OpCall& op, std::vector<int64_t> slice_sizes,
               std::vector<int64_t> operand_batching_dims,
               std::vector<int64_t> start_indices_batching_dims)
      : operand_(op.op.inputs[0].type.tensor().shape),
        start_indices_(op.inputs[1]),
        strides_(RowMajorStrides(operand_)),
        index_strides_(RowMajorStrides(start_indices_.type().shape)),
        offset_dims_(NumbersOf(op.op, "offset_dims")),
        operand_batching_dims_(std::move(operand_batching_dims)),
        start_indices_batching_dims_(std::move(start_indices_batching_dims)),
        start_index_map_(NumbersOf(op.op, "start_index_map")),
        index_vector_dim_(NumbersOf(op.op, "index_vector_dim")[0]),
        slice_sizes_(std::move(slice_sizes)),
        index_promises_(op) {
    const Shape& result = op.ResultType().shape;
    for (int64_t d = 0; d < std::ssize(result); ++d) {
      if (!Has(offset_dims_, d)) batch_dims_.push_back(d);
    }
    const std::vector<int64_t> collapsed =
        NumbersOf(op.op, "collapsed_slice_dims");
    for (int64_t d = 0; d < std::ssize(operand_); ++d) {
      if (!Has(collapsed, d) && !Has(operand_batching_dims_, d))
        window_dims_.push_back(d);
    }
    if (!index_promises_.says_sorted) return;
    index_promises_.is_broken = !AreSorted(result);
  }

  Source operator()(auto& clause, const Index& result_index) {
    const Index batch_index = BatchIndex(clause, result_index);
    Index operand_index(operand_.size());
    is_outside_ = !AddStart(clause, batch_index, &operand_index);
    for (int64_t d = 0; d < std::ssize(operand_); ++d) {
      const auto i = PlaceIn(operand_batching_dims_, d);
      const int64_t full_batching_index =
          i < 0 ? clause("S10", int64_t{0})
                : clause("S9", BatchingIndex(batch_index, i));
      int64_t& index = operand_index[static_cast<size_t>(d)];
      index = Plus(index, full_batching_index);
    }
    for (size_t n = 0; n < offset_dims_.size(); ++n) {
      const int64_t offset_index =
          clause("S11", result_index[static_cast<size_t>(offset_dims_[n])]);
      int64_t& index = operand_index[static_cast<size_t>(window_dims_[n])];
      index = Plus(index, clause("S12", offset_index));
    }
    int64_t position = 0;
    for (size_t d = 0; d < operand_.size(); ++d)
      position =
          Plus(position, Times(clause("S13", operand_index[d]), strides_[d]));
    return {0, position};
  }

  void AddIndices(const Index& result_index, Sources* sources) const {
    NoMarks clause;
    const Index batch_index = BatchIndex(clause, result_index);
    for (int64_t i = 0; i < std::ssize(start_index_map_); ++i)
      sources->push_back({1, StartPosition(batch_index, i)});
  }

  template <class T>
  Allowed<T> Decide(auto& clause, T moved) const {
    if (is_outside_) return clause("S17", Allowed<T>(kAny));
    if (index_promises_.is_broken)
      return clause("S14", index_promises_.Unkept(Allowed<T>(moved)));
    return index_promises_.says_sorted ? clause("S15", moved) : moved;
  }

 private:
  static int64_t PlaceIn(const std::vector<int64_t>& numbers, int64_t number) {
    const auto at = std::ranges::find(numbers, number);
    return at == numbers.end() ? -1 : at - numbers.begin();
  }
  static bool Has(const std::vector<int64_t>& numbers, int64_t number) {
    return PlaceIn(numbers, number) >= 0;
  }

  Index BatchIndex(auto& clause, const Index& result_index) const {
    Index batch_index;
    for (const int64_t d : batch_dims_) {
      // A clause that is broken on purpose may name a dimension too many.
      const int64_t batch_dim =
          std::min(clause("S2", d), std::ssize(result_index) - 1);
      batch_index.push_back(
          clause("S3", result_index[static_cast<size_t>(batch_dim)]));
    }
    return batch_index;
  }

  // Returns the place in start_indices of element `i` of
  // `start_indices[bi0, ..., :, ..., biN]`.
  int64_t StartPosition(const Index& batch_index, int64_t i) const {
    int64_t position = 0;
    size_t n = 0;
    for (int64_t d = 0; d < std::ssize(index_strides_); ++d) {
      const int64_t index = d == index_vector_dim_ ? i : batch_index[n++];
      position += index * index_strides_[static_cast<size_t>(d)];
    }
    return position;
  }

  // Adds full_start_index. Returns whether a window of one element there lies
  // in the operand: a slice of size 0 may begin behind the last one.
  bool AddStart(auto& clause, const Index& batch_index,
                Index* operand_index) const {
    bool is_inside = true;
    for (int64_t d = 0; d < std::ssize(operand_); ++d) {
      const auto of_operand = static_cast<size_t>(d);
      const int64_t d_start = PlaceIn(start_index_map_, d);
      if (d_start < 0) {
        (*operand_index)[of_operand] += clause("S8", int64_t{0});
        is_inside &= operand_[of_operand] > 0;
        continue;
      }
      int64_t place = StartPosition(batch_index, d_start);
      place = index_vector_dim_ < std::ssize(index_strides_)
                  ? clause("S4", place)
                  : clause("S5", place);
      const __int128 start =
          IntegerAt(start_indices_,
                    std::clamp<int64_t>(place, 0, start_indices_.size() - 1));
      const int64_t most = operand_[of_operand] - slice_sizes_[of_operand];
      is_inside &= std::min<__int128>(start, most) < operand_[of_operand];
      (*operand_index)[of_operand] +=
          start >= 0 && start <= most
              ? clause("S6", static_cast<int64_t>(start))
              : clause("S7", start < 0 ? int64_t{0} : most);
    }
    return is_inside;
  }

  // Returns batch_index[d_start - (d_start < index_vector_dim ? 0 : 1)].
  int64_t BatchingIndex(const Index& batch_index, int64_t i) const {
    const int64_t d_start =
        start_indices_batching_dims_[static_cast<size_t>(i)];
    return batch_index[static_cast<size_t>(
        d_start - (d_start < index_vector_dim_ ? 0 : 1))];
  }

  // Returns whether full_start_index(i1) <= full_start_index(i2) for all
  // i1 < i2 from indices(result).
  bool AreSorted(const Shape& result) const {
    NoMarks clause;
    Index index(result.size()), last;
    for (int64_t i = 0; i < *ElementCount(result); ++i) {
      IndexAt(result, i, &index);
      Index start(operand_.size());
      AddStart(clause, BatchIndex(clause, index), &start);
      if (i > 0 && start < last) return false;
      last = std::move(start);
    }
    return true;
  }

  const Shape& operand_;
  const Tensor& start_indices_;
  Strides strides_, index_strides_;
  std::vector<int64_t> offset_dims_, operand_batching_dims_,
      start_indices_batching_dims_, start_index_map_;
  int64_t index_vector_dim_;
  std::vector<int64_t> slice_sizes_, batch_dims_;
  std::vector<int64_t> window_dims_;  // those that offset_dims are of
  IndexPromises index_promises_;
  bool is_outside_ = false;  // of the element that was asked for last
};

class DynamicGatherPlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S2";

  explicit DynamicGatherPlaces(const OpCall& op)
      : op_(op),
        shape_(RunTimeShape::OfConstraints(op)),
        places_(op, IntegersOf(op.Input("slice_sizes")), {}, {}) {}

  Source operator()(auto&, const Index& result_index) {
    NoMarks clause;
    return places_(clause, result_index);
  }
  void AddIndices(const Index& result_index, Sources* sources) const {
    places_.AddIndices(result_index, sources);
    RunTimeShape::AddSources(op_, 2, sources);
  }
  template <class T>
  Allowed<T> Decide(auto& clause, T moved) const {
    NoMarks of_gather;
    return shape_.Decide(clause, "S3", places_.Decide(of_gather, moved));
  }

 private:
  const OpCall& op_;
  RunTimeShape shape_;
  GatherPlaces places_;
};

}  // namespace

Evaluation Gather(const OpCall& op) { return Moves<GatherPlaces>(op); }

Sources GatherSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<GatherPlaces>(op, index);
}

Evaluation DynamicGather(const OpCall& op) {
  return Moves<DynamicGatherPlaces>(op);
}

Sources DynamicGatherSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<DynamicGatherPlaces>(op, index);
}

}  // namespace assay
