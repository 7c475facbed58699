// Data movement has results that are elements of the operand, at other indices.
#include <algorithm>
#include <string_view>
#include <variant>

#include "oracle/elementwise/elementwise.h"

namespace assay {
namespace {

// Sets `index[d]` of each dimension of a result, for an element's position.
void IndexAt(const Shape& shape, int64_t position, Index* index) {
  for (size_t d = shape.size(); d-- > 0;) {
    (*index)[d] = position % shape[d];
    position /= shape[d];
  }
}

// A BroadcastPlace is operand_index of broadcast_in_dim as a position in
// row-major order.
class BroadcastPlace {
 public:
  explicit BroadcastPlace(const Op& op)
      : operand_(op.inputs[0].type.tensor().shape),
        result_(op.outputs[0].type.tensor().shape),
        strides_(RowMajorStrides(operand_)),
        result_index_(result_.size()) {
    const auto attribute = std::ranges::find(
        op.attributes, std::string_view("broadcast_dimensions"),
        &Attribute::name);
    const Tensor& dimensions = std::get<Tensor>(attribute->value);
    for (int64_t d = 0; d < dimensions.size(); ++d)
      broadcast_dimensions_.push_back(static_cast<size_t>(dimensions.Bits(d)));
  }

  int64_t operator()(auto& clause, int64_t result_position) {
    IndexAt(result_, result_position, &result_index_);
    int64_t position = 0;
    for (size_t d = 0; d < operand_.size(); ++d) {
      const int64_t operand_index =
          operand_[d] == 1
              ? clause("S2", int64_t{0})
              : clause("S3", result_index_[broadcast_dimensions_[d]]);
      position += operand_index * strides_[d];
    }
    return position;
  }

 private:
  const Shape &operand_, &result_;
  Strides strides_;
  std::vector<size_t> broadcast_dimensions_;
  Index result_index_;
};

}  // namespace

Evaluation BroadcastInDim(const OpCall& op) {
  const Tensor& operand = op.Input("operand");
  return VisitElementType(operand.element_type(), [&]<class T>() {
    const Elements<T> elements(operand);
    BroadcastPlace place(op.op);
    Evaluation evaluation =
        ForEachElement<T>(op, [&](auto& clause, int64_t i) -> Allowed<T> {
          // The position must not be outside of the operand if a clause is
          // broken on purpose.
          const int64_t at = std::min(place(clause, i), operand.size() - 1);
          const T moved = clause("S1", elements[at]);
          return IsNan(moved) ? clause("S4", moved) : moved;
        });
    KeepNans(op, &evaluation);
    return evaluation;
  });
}

int64_t OperandElement(const Op& op, size_t operand, int64_t index) {
  NoMarks clause;
  if (op.op == "broadcast_in_dim") return BroadcastPlace(op)(clause, index);
  const Shape &from = op.inputs[operand].type.tensor().shape,
              &to = op.outputs[0].type.tensor().shape;
  if (FindOp(op.op)->elementwise) {  // right-aligned, size 1 repeated
    const Index result = Unflatten(to, index);
    const Strides strides = RowMajorStrides(from);
    int64_t position = 0;
    for (size_t d = 0; d < from.size(); ++d) {
      if (from[d] > 1)
        position += strides[d] * result[d + to.size() - from.size()];
    }
    return position;
  }
  // The operand's elements are parts of the result's.
  return index * *ElementCount(op.inputs[operand].type.tensor().shape) /
         *ElementCount(op.outputs[0].type.tensor().shape);
}

}  // namespace assay
