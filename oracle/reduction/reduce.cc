#include <algorithm>
#include <vector>

#include "oracle/reduction/converted.h"
#include "oracle/reduction/reduced_rows.h"

namespace assay {
namespace {

// So many terms are reduced at a time.
constexpr int64_t kTermsAtATime = 1 << 18;

// The elements of an operand that an element of the results rests on, in the
// ascending order of their index.
class Slices {
 public:
  explicit Slices(const Op& op) : shape_(op.inputs[0].type.tensor().shape) {
    const Tensor& dimensions =
        std::get<Tensor>(op.FindAttribute("dimensions")->value);
    std::vector<bool> is_reduced(shape_.size());
    for (int64_t i = 0; i < dimensions.size(); ++i)
      is_reduced[static_cast<size_t>(dimensions.Bits(i))] = true;
    const Strides strides = RowMajorStrides(shape_);
    for (size_t d = 0; d < shape_.size(); ++d) {
      Part& part = is_reduced[d] ? reduced_ : kept_;
      part.sizes.push_back(shape_[d]);
      part.strides.push_back(strides[d]);
    }
    length_ = *ElementCount(reduced_.sizes);
  }

  int64_t length() const { return length_; }
  // Calls `f` with the positions of the terms of results [first, first + rows),
  // result by result.
  template <class F>
  void ForEachPosition(int64_t first, int64_t rows, F f) const {
    // Other dimensions may be long where one is 0.
    if (length_ == 0) return;
    for (int64_t row = first; row < first + rows; ++row)
      reduced_.ForEachPosition(kept_.PositionOf(row), 0, f);
  }
  // Returns the position of term `i` of the slice for a result.
  int64_t At(int64_t result, int64_t i) const {
    return kept_.PositionOf(result) + reduced_.PositionOf(i);
  }

 private:
  struct Part {
    int64_t PositionOf(int64_t i) const {
      int64_t position = 0;
      for (size_t d = sizes.size(); d-- > 0;) {
        position += i % sizes[d] * strides[d];
        i /= sizes[d];
      }
      return position;
    }
    template <class F>
    void ForEachPosition(int64_t begin, size_t dimension, F& f) const {
      if (dimension == sizes.size()) return f(begin);
      const bool is_last = dimension + 1 == sizes.size();
      for (int64_t i = 0; i < sizes[dimension]; ++i) {
        const int64_t position = begin + i * strides[dimension];
        if (is_last) {
          f(position);
        } else {
          ForEachPosition(position, dimension + 1, f);
        }
      }
    }
    Shape sizes;
    Strides strides;
  };
  const Shape& shape_;
  Part kept_, reduced_;
  int64_t length_;
};

}  // namespace

Evaluation Reduce(const OpCall& op) {
  const Function& body = op.op.Regions("body")[0];
  const size_t count = op.op.outputs.size();
  const Slices slices(op.op);
  Reducer reducer(body, op);
  Evaluation evaluation;
  ReducedRows reduced(op, &evaluation);
  const int64_t end = op.End(evaluation.outputs[0].lo.size());
  const int64_t rows_at_a_time = std::max<int64_t>(
      kTermsAtATime / std::max<int64_t>(slices.length(), 1), 1);
  WithMarks(op, &evaluation, [&](auto& clause) {
    // Gets `size` elements of an operand, as a column of the type that the body
    // has for them. `positions(f)` calls `f` with the position of each.
    const auto column = [&](size_t operand, size_t argument, int64_t size,
                            auto positions, ClauseNumber if_converted) {
      const Tensor& from = op.inputs[operand];
      Scalars elements = VisitElementType(from.element_type(), [&]<class T>() {
        Tensor values(TensorType({size}, from.element_type()));
        const auto* in = from.As<T>();
        auto* out = values.As<T>();
        positions([&, last = from.size() - 1](int64_t position) {
          // A clause that is broken on purpose may point beyond the operand.
          *out++ = in[std::clamp<int64_t>(position, 0, last)];
        });
        return Scalars(std::move(values));
      });
      const ElementType type = body.inputs[argument].type.tensor().element_type;
      if (elements.type() == type) return elements;
      Scalars converted =
          Converted(std::move(elements), type, op, &evaluation.region_marks);
      VisitElementType(type, [&]<class T>() {
        Tensor values = converted.values();
        for (int64_t i = 0; i < size; ++i)
          values.As<T>()[i] =
              clause(if_converted, T::FromBits(values.As<T>()[i])).ToBits();
      });
      return converted;
    };
    for (int64_t begin = op.Begin(); begin < end; begin += rows_at_a_time) {
      const int64_t rows = std::min(rows_at_a_time, end - begin);
      const int64_t length = slices.length();
      std::vector<Scalars> terms, inits;
      for (size_t k = 0; k < count; ++k) {
        terms.push_back(column(
            k, k, rows * length,
            [&](auto f) {
              slices.ForEachPosition(begin, rows, [&](int64_t position) {
                f(clause("S2", position));
              });
            },
            "S3"));
        inits.push_back(column(
            count + k, count + k, 1, [](auto f) { f(0); }, "S4"));
      }
      const Reduction reduction = reducer.Reduce(terms, rows, length, inits);
      reduced.Take(
          begin, reduction,
          [&]<class T>(uint8_t reasons, T value, bool is_known) -> Allowed<T> {
            const bool is_leaf =
                length <= 1 && (reasons & Reduction::kNode) == 0;
            value = is_leaf ? clause("S6", value) : clause("S5", value);
            if (reasons & Reduction::kOrder) value = clause("S7", value);
            if (reasons & Reduction::kInit) value = clause("S8", value);
            if (reasons & Reduction::kType) value = clause("S9", value);
            if (is_known && IsNan(value)) value = clause("S10", value);
            return value;
          });
    }
  });
  reduced.Finish(reducer.marks());
  return evaluation;
}

Sources ReduceSources(const OpCall& op, size_t, int64_t index) {
  const Slices slices(op.op);
  const size_t count = op.op.outputs.size();
  Sources sources;
  for (size_t k = 0; k < count; ++k) {
    for (int64_t i = 0; i < slices.length(); ++i)
      sources.push_back({k, slices.At(index, i)});
  }
  for (size_t k = 0; k < count; ++k) sources.push_back({count + k, 0});
  return sources;
}

}  // namespace assay
