#include <limits>
#include <optional>
#include <string_view>
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
      : PadPlaces(op, WideNumbersOf(op, "edge_padding_low"),
                  WideNumbersOf(op, "interior_padding")) {}
  PadPlaces(const Op& op, std::vector<__int128> edge_padding_low,
            std::vector<__int128> interior_padding)
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
  static std::vector<__int128> WideNumbersOf(const Op& op,
                                             std::string_view name) {
    const std::vector<int64_t> numbers = NumbersOf(op, name);
    return {numbers.begin(), numbers.end()};
  }

  // Returns the index for which the condition of S1 holds. A padding may be any
  // number of 64 bits, with a sign or without one, and a step one more.
  std::optional<int64_t> OperandIndex(size_t d, int64_t result_index) const {
    const __int128 distance = result_index - edge_padding_low_[d];
    const __int128 step = interior_padding_[d] + 1;
    if (distance < 0) return std::nullopt;
    // Most numbers are small, and these are divided sooner.
    constexpr auto kSmall = __int128{std::numeric_limits<uint32_t>::max()};
    if (distance <= kSmall && step <= kSmall) {
      const auto of = static_cast<uint32_t>(distance);
      const auto by = static_cast<uint32_t>(step);
      if (of % by != 0 || of / by >= operand_[d]) return std::nullopt;
      return of / by;
    }
    if (distance % step != 0 || distance / step >= operand_[d])
      return std::nullopt;
    return static_cast<int64_t>(distance / step);
  }

  const Shape& operand_;
  Strides strides_;
  std::vector<__int128> edge_padding_low_, interior_padding_;
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
  std::vector<__int128> PaddingOf(const OpCall& op, const char* name) const {
    const Tensor& tensor = op.Input(name);
    std::vector<__int128> padding(static_cast<size_t>(tensor.size()));
    for (int64_t i = 0; shape_.agrees() && i < tensor.size(); ++i)
      padding[static_cast<size_t>(i)] = IntegerAt(tensor, i);
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
