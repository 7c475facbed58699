#include <algorithm>
#include <optional>
#include <vector>

#include "oracle/movement/moves.h"
#include "oracle/movement/runtime_shape.h"

namespace assay {
namespace {

class PadPlaces {
 public:
  // The operand's element is moved by S1, the padding value by S2.
  static constexpr ClauseNumber kValues[] = {"S1", "S2"};
  static constexpr ClauseNumber kNan = "S3";

  explicit PadPlaces(const Op& op)
      : PadPlaces(op, NumbersOf(op, "edge_padding_low"),
                  NumbersOf(op, "interior_padding")) {}
  PadPlaces(const Op& op, std::vector<int64_t> edge_padding_low,
            std::vector<int64_t> interior_padding)
      : operand_(op.inputs[0].type.tensor().shape),
        strides_(RowMajorStrides(operand_)),
        edge_padding_low_(std::move(edge_padding_low)),
        interior_padding_(std::move(interior_padding)) {}

  Source operator()(auto&, const Index& result_index) const {
    int64_t position = 0;
    for (size_t d = 0; d < operand_.size(); ++d) {
      const std::optional<int64_t> operand_index =
          OperandIndex(d, result_index[d]);
      if (!operand_index) return {1, 0};
      position += *operand_index * strides_[d];
    }
    return {0, position};
  }

 private:
  // Returns the index for which the condition of S1 holds. A padding may be any
  // number of 64 bits, so unsigned numbers have what signed ones have not.
  std::optional<int64_t> OperandIndex(size_t d, int64_t result_index) const {
    if (result_index < edge_padding_low_[d]) return std::nullopt;
    const uint64_t distance = static_cast<uint64_t>(result_index) -
                              static_cast<uint64_t>(edge_padding_low_[d]);
    const uint64_t step = static_cast<uint64_t>(interior_padding_[d]) + 1;
    const uint64_t operand_index = distance / step;
    if (distance % step != 0 ||
        operand_index >= static_cast<uint64_t>(operand_[d]))
      return std::nullopt;
    return static_cast<int64_t>(operand_index);
  }

  const Shape& operand_;
  Strides strides_;
  std::vector<int64_t> edge_padding_low_, interior_padding_;
};

class DynamicPadPlaces {
 public:
  static constexpr ClauseNumber kValue = "S1", kNan = "S2";

  explicit DynamicPadPlaces(const OpCall& op)
      : op_(op),
        shape_(RunTimeShape::OfConstraints(op)),
        places_(op.op, PaddingOf(op, "edge_padding_low"),
                PaddingOf(op, "interior_padding")) {}

  Source operator()(auto& clause, const Index& result_index) const {
    return places_(clause, result_index);
  }
  void AddIndices(const Index&, Sources* sources) const {
    RunTimeShape::AddSources(op_, 2, sources);
  }
  template <class T>
  Allowed<T> Decide(auto& clause, T moved) const {
    return shape_.Decide(clause, "S3", Allowed<T>(moved));
  }

 private:
  // Where a constraint does not hold, the elements are not looked at, and a
  // padding may be no number of elements.
  std::vector<int64_t> PaddingOf(const OpCall& op, const char* name) const {
    std::vector<int64_t> padding = IntegersOf(op.Input(name));
    if (!shape_.agrees()) std::ranges::fill(padding, 0);
    return padding;
  }

  const OpCall& op_;
  RunTimeShape shape_;
  PadPlaces places_;
};

}  // namespace

Evaluation Pad(const OpCall& op) { return Moves<PadPlaces>(op); }

Sources PadSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<PadPlaces>(op, index);
}

Evaluation DynamicPad(const OpCall& op) { return Moves<DynamicPadPlaces>(op); }

Sources DynamicPadSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfMove<DynamicPadPlaces>(op, index);
}

}  // namespace assay
