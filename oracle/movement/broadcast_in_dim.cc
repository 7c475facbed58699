#include <vector>

#include "oracle/movement/moves.h"
#include "oracle/movement/runtime_shape.h"

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

// The attributes that say which dimensions expand are promises: S3 is about
// those that are broken.
class DynamicBroadcastPlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S5";

  explicit DynamicBroadcastPlaces(const OpCall& op)
      : op_(op),
        shape_(RunTimeShape::OfResult(op, "output_dimensions")),
        promises_(PromisesOf(op)),
        is_open_(op.policy.Get("broken_expansion_promise") == "any"),
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
    Allowed<T> allowed = moved;
    switch (promises_) {
      case Promises::kNone:
        allowed = clause("S4", moved);
        break;
      case Promises::kKept:
        allowed = clause("S2", moved);
        break;
      case Promises::kBroken:
        allowed = clause("S3", is_open_ ? Allowed<T>(kAny) : Allowed<T>(moved));
    }
    return shape_.Decide(clause, "S6", allowed);
  }

 private:
  enum class Promises { kNone, kKept, kBroken };
  static Promises PromisesOf(const OpCall& op) {
    const Shape& operand = op.op.inputs[0].type.tensor().shape;
    const std::vector<int64_t> dimensions =
        NumbersOf(op.op, "broadcast_dimensions");
    Promises promises = Promises::kNone;
    for (const bool says_expanding : {true, false}) {
      const char* name = says_expanding ? "known_expanding_dimensions"
                                        : "known_nonexpanding_dimensions";
      if (op.FindAttribute(name) == nullptr) continue;
      for (const int64_t number : NumbersOf(op.op, name)) {
        const auto d = static_cast<size_t>(number);
        const bool is_expanding =
            operand[d] !=
            op.ResultType().shape[static_cast<size_t>(dimensions[d])];
        if (is_expanding != says_expanding) return Promises::kBroken;
        promises = Promises::kKept;
      }
    }
    return promises;
  }

  const OpCall& op_;
  RunTimeShape shape_;
  Promises promises_;
  bool is_open_;
  BroadcastPlaces places_;
};

}  // namespace

Evaluation BroadcastInDim(const OpCall& op) {
  return Moves<BroadcastPlaces>(op);
}

Sources BroadcastInDimSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<BroadcastPlaces>(op, index);
}

Evaluation DynamicBroadcastInDim(const OpCall& op) {
  return Moves<DynamicBroadcastPlaces>(op);
}

Sources DynamicBroadcastInDimSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<DynamicBroadcastPlaces>(op, index);
}

}  // namespace assay
