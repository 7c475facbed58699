#include <string_view>
#include <vector>

#include "oracle/contraction/contraction.h"
#include "oracle/contraction/precision_config.h"
#include "oracle/movement/moves.h"
#include "oracle/movement/runtime_shape.h"

namespace assay {
namespace {

// Where a dimension of an operand or of the result lies.
struct Axis {
  Axis(const Shape& shape, int64_t dimension)
      : size(shape[static_cast<size_t>(dimension)]),
        stride(RowMajorStrides(shape)[static_cast<size_t>(dimension)]) {}
  // Returns the index of the element at a position.
  int64_t IndexOf(int64_t position) const { return position / stride % size; }
  int64_t size, stride;
};

int64_t NumberOf(const Op& op, std::string_view name) {
  return static_cast<int64_t>(
      std::get<Tensor>(op.FindAttribute(name)->value).Bits(0));
}

// One spatial dimension, and how windows lie in it.
struct Spatial {
  Axis lhs, rhs, result;
  int64_t window_stride, lhs_dilation, rhs_dilation;
  __int128 padding_low;
  bool is_reversed;
};

class ConvolutionPlaces {
 public:
  // `padding` has the lower and the higher one of each spatial dimension.
  ConvolutionPlaces(const Op& op, const std::vector<__int128>& padding)
      : config_(PrecisionConfigOf(op)),
        lhs_batch_(ShapeOf(op, 0), NumberOf(op, "input_batch_dimension")),
        lhs_feature_(ShapeOf(op, 0), NumberOf(op, "input_feature_dimension")),
        rhs_input_(ShapeOf(op, 1),
                   NumberOf(op, "kernel_input_feature_dimension")),
        rhs_output_(ShapeOf(op, 1),
                    NumberOf(op, "kernel_output_feature_dimension")),
        result_batch_(ResultOf(op), NumberOf(op, "output_batch_dimension")),
        result_feature_(ResultOf(op), NumberOf(op, "output_feature_dimension")),
        feature_groups_(NumberOf(op, "feature_group_count")),
        batch_groups_(NumberOf(op, "batch_group_count")) {
    const auto input = NumbersOf(op, "input_spatial_dimensions");
    const auto kernel = NumbersOf(op, "kernel_spatial_dimensions");
    const auto output = NumbersOf(op, "output_spatial_dimensions");
    const auto strides = NumbersOf(op, "window_strides");
    const auto lhs_dilation = NumbersOf(op, "lhs_dilation");
    const auto rhs_dilation = NumbersOf(op, "rhs_dilation");
    const auto reversal = NumbersOf(op, "window_reversal");
    for (size_t d = 0; d < input.size(); ++d) {
      spatial_.push_back(
          {Axis(ShapeOf(op, 0), input[d]), Axis(ShapeOf(op, 1), kernel[d]),
           Axis(ResultOf(op), output[d]), strides[d], lhs_dilation[d],
           rhs_dilation[d], padding[2 * d], reversal[d] != 0});
      length_ *= spatial_.back().rhs.size;
      windows_ *= spatial_.back().result.size;
    }
    length_ *= rhs_input_.size;
  }
  explicit ConvolutionPlaces(const OpCall& op)
      : ConvolutionPlaces(op.op, PaddingOf(op.op)) {}

  ContractionPrecision precision() const {
    ContractionPrecision precision;
    precision.config = config_;
    return precision;
  }
  int64_t length() const { return length_; }
  int64_t columns() const { return rhs_output_.size / groups(); }

  // A batch is a group. A row is a window in an element of the batch.
  Cell CellOf(auto& clause, int64_t index) const {
    const int64_t batch = clause("S7", result_batch_.IndexOf(index));
    int64_t feature = result_feature_.IndexOf(index);
    if (feature_groups_ > 1) feature = clause("S20", clause("S19", feature));
    if (batch_groups_ > 1) feature = clause("S24", clause("S23", feature));
    feature = std::clamp<int64_t>(feature, 0, result_feature_.size - 1);
    int64_t window = 0;
    for (const Spatial& d : spatial_)
      window = window * d.result.size + d.result.IndexOf(index);
    return {feature / columns(), batch * windows_ + window,
            feature % columns()};
  }

  int64_t Lhs(auto& clause, int64_t group, int64_t row, int64_t i) const {
    int64_t batch = row / windows_, window = row % windows_;
    int64_t feature = i % rhs_input_.size, place = i / rhs_input_.size;
    if (feature_groups_ > 1)
      feature = clause("S17", group * rhs_input_.size + feature);
    if (batch_groups_ > 1)
      batch = clause("S21", group * (lhs_batch_.size / batch_groups_) + batch);
    int64_t position =
        clause("S6", batch * lhs_batch_.stride + feature * lhs_feature_.stride);
    for (size_t n = spatial_.size(); n-- > 0;) {
      const Spatial& d = spatial_[n];
      const int64_t at =
          LhsIndex(clause, d, window % d.result.size, place % d.rhs.size);
      if (at == kZero) return kZero;
      position += at * d.lhs.stride;
      window /= d.result.size;
      place /= d.rhs.size;
    }
    return position;
  }

  int64_t Rhs(auto& clause, int64_t group, int64_t column, int64_t i) const {
    int64_t feature = group * columns() + column;
    if (feature_groups_ > 1) feature = clause("S18", feature);
    if (batch_groups_ > 1) feature = clause("S22", feature);
    int64_t place = i / rhs_input_.size;
    int64_t position =
        feature * rhs_output_.stride + i % rhs_input_.size * rhs_input_.stride;
    for (size_t n = spatial_.size(); n-- > 0;) {
      const Axis& axis = spatial_[n].rhs;
      position += place % axis.size * axis.stride;
      place /= axis.size;
    }
    return position;
  }

  template <class T>
  T Zero(auto& clause) const {
    return clause("S10", T::FromBits(0));
  }
  template <class T>
  T Decide(auto& clause, T sum, bool is_exact) const {
    if (feature_groups_ == 1 && batch_groups_ == 1) sum = clause("S9", sum);
    sum = clause("S15", sum);
    return is_exact ? sum : clause("S16", sum);
  }

 private:
  static std::vector<__int128> PaddingOf(const Op& op) {
    const std::vector<int64_t> padding = NumbersOf(op, "padding");
    return {padding.begin(), padding.end()};
  }
  static const Shape& ShapeOf(const Op& op, size_t operand) {
    return op.inputs[operand].type.tensor().shape;
  }
  static const Shape& ResultOf(const Op& op) {
    return op.outputs[0].type.tensor().shape;
  }
  int64_t groups() const { return feature_groups_ * batch_groups_; }

  // Returns the index in lhs of a place of a window, or kZero where padded_lhs
  // has the padding value. Sizes that clauses give are at least 1.
  int64_t LhsIndex(auto& clause, const Spatial& d, int64_t output_spatial_index,
                   int64_t place) const {
    const auto wide = [](int64_t number) -> __int128 { return number; };
    const int64_t last = clause("S1", d.rhs.size) - 1;
    if (d.is_reversed) place = clause("S14", last - place);
    const __int128 start = wide(clause("S12", output_spatial_index)) *
                           clause("S2", d.window_stride);
    const __int128 padded =
        start + wide(clause("S13", place)) * clause("S5", d.rhs_dilation);
    const __int128 distance = padded - d.padding_low;
    const int64_t step = std::max<int64_t>(clause("S4", d.lhs_dilation), 1);
    if (distance < 0 || distance % step != 0 || distance / step >= d.lhs.size)
      return kZero;
    const int64_t index =
        clause("S3", clause("S11", static_cast<int64_t>(distance / step)));
    return std::clamp<int64_t>(index, 0, d.lhs.size - 1);
  }

  std::array<std::string, 2> config_;
  Axis lhs_batch_, lhs_feature_, rhs_input_, rhs_output_, result_batch_,
      result_feature_;
  int64_t feature_groups_, batch_groups_;
  std::vector<Spatial> spatial_;
  int64_t length_ = 1, windows_ = 1;
};

// dynamic_conv is convolution, with a padding that is an operand.
class DynamicConvPlaces {
 public:
  explicit DynamicConvPlaces(const OpCall& op)
      : shape_(RunTimeShape::OfConstraints(op)),
        places_(op.op, PaddingOf(op)) {}

  ContractionPrecision precision() const { return places_.precision(); }
  int64_t length() const { return places_.length(); }
  int64_t columns() const { return places_.columns(); }
  bool IsUndefined() const { return !shape_.agrees(); }
  Cell CellOf(auto&, int64_t index) const {
    NoMarks none;
    return places_.CellOf(none, index);
  }
  int64_t Lhs(auto&, int64_t group, int64_t row, int64_t i) const {
    NoMarks none;
    return places_.Lhs(none, group, row, i);
  }
  int64_t Rhs(auto&, int64_t group, int64_t column, int64_t i) const {
    NoMarks none;
    return places_.Rhs(none, group, column, i);
  }
  template <class T>
  T Decide(auto& clause, T sum, bool is_exact) const {
    if (IsUndefined()) return clause("S3", sum);
    sum = clause("S1", sum);
    return is_exact ? sum : clause("S2", sum);
  }

 private:
  // Where a constraint does not hold, a padding may be any number, and results
  // are open. Who asks for sources of large tensors has their types alone.
  std::vector<__int128> PaddingOf(const OpCall& op) const {
    const Tensor& tensor = op.inputs[2];
    std::vector<__int128> padding(static_cast<size_t>(
        *ElementCount(op.op.inputs[2].type.tensor().shape)));
    for (int64_t i = 0; shape_.agrees() && i < tensor.size(); ++i)
      padding[static_cast<size_t>(i)] = IntegerAt(tensor, i);
    return padding;
  }

  RunTimeShape shape_;
  ConvolutionPlaces places_;
};

}  // namespace

Evaluation Convolution(const OpCall& op) {
  return Contract<ConvolutionPlaces>(op);
}

Sources ConvolutionSources(const OpCall& op, size_t, int64_t index) {
  return SourcesOfContraction<ConvolutionPlaces>(op, index);
}

Evaluation DynamicConv(const OpCall& op) {
  return Contract<DynamicConvPlaces>(op);
}

Sources DynamicConvSources(const OpCall& op, size_t, int64_t index) {
  Sources sources = SourcesOfContraction<DynamicConvPlaces>(op, index);
  RunTimeShape::AddSources(op, 2, &sources);
  return sources;
}

}  // namespace assay
