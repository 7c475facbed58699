#include <vector>

#include "oracle/movement/moves.h"
#include "oracle/movement/runtime_shape.h"

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

class DynamicReshapePlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S2";

  explicit DynamicReshapePlaces(const OpCall& op)
      : op_(op),
        shape_(RunTimeShape::OfResult(op, "output_shape")),
        places_(op.op) {}

  Source operator()(auto&, const Index& result_index) const {
    NoMarks clause;
    return places_(clause, result_index);
  }
  void AddIndices(const Index&, Sources* sources) const {
    RunTimeShape::AddSources(op_, 1, sources);
  }
  template <class T>
  Allowed<T> Decide(auto& clause, T moved) const {
    return shape_.Decide(clause, "S3", Allowed<T>(moved));
  }

 private:
  const OpCall& op_;
  RunTimeShape shape_;
  ReshapePlaces places_;
};

}  // namespace

Evaluation Reshape(const OpCall& op) { return Moves<ReshapePlaces>(op); }

Sources ReshapeSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<ReshapePlaces>(op, index);
}

Evaluation DynamicReshape(const OpCall& op) {
  return Moves<DynamicReshapePlaces>(op);
}

Sources DynamicReshapeSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<DynamicReshapePlaces>(op, index);
}

}  // namespace assay
