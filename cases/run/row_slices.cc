#include "cases/run/row_slices.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

constexpr std::string_view kBroadcast = "broadcast_in_dim";

// Returns which dimension of operand number `k` is the first of the result,
// whatever its size.
std::optional<size_t> RowDimension(const Op& op, size_t k) {
  const size_t rank = op.inputs[k].type.tensor().shape.size();
  if (op.op != kBroadcast) {
    // Operands are of the result's shape, or right-aligned with it.
    if (rank < op.outputs[0].type.tensor().shape.size()) return std::nullopt;
    return 0;
  }
  const auto attribute =
      std::ranges::find(op.attributes, std::string_view("broadcast_dimensions"),
                        &Attribute::name);
  const Tensor& dimensions = std::get<Tensor>(attribute->value);
  for (size_t d = 0; d < rank; ++d) {
    if (dimensions.Bits(static_cast<int64_t>(d)) == 0) return d;
  }
  return std::nullopt;
}

bool IsSliceable(const Op& op) {
  const OpSpec& spec = *FindOp(op.op);
  if (op.op != kBroadcast && !spec.elementwise && spec.family != kPointwise)
    return false;
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    // Rows of another dimension than the first are not contiguous.
    if (RowDimension(op, k).value_or(0) != 0) return false;
  }
  return !op.outputs[0].type.tensor().shape.empty();
}

}  // namespace

int64_t RowsAtATime(const Op& op, int64_t bytes) {
  int64_t all = 0;
  for (const Op::Result& output : op.outputs)
    all += output.type.tensor().ByteSize();
  if (all <= bytes || !IsSliceable(op)) return 0;
  const int64_t rows = op.outputs[0].type.tensor().shape[0];
  const int64_t bytes_of_one = all / rows;
  return std::min(rows, std::max<int64_t>(bytes / bytes_of_one, 1));
}

RowSlice SliceRows(const Op& op, const std::vector<Tensor>& inputs,
                   int64_t begin, int64_t end) {
  RowSlice slice{op, inputs};
  const int64_t rows = op.outputs[0].type.tensor().shape[0];
  for (size_t k = 0; k < inputs.size(); ++k) {
    Shape& shape = slice.op.inputs[k].type.tensor().shape;
    if (RowDimension(op, k) != 0 || shape[0] != rows) continue;
    shape[0] = end - begin;
    slice.inputs[k] = inputs[k].Rows(begin, end);
  }
  for (Op::Result& output : slice.op.outputs)
    output.type.tensor().shape[0] = end - begin;
  return slice;
}

}  // namespace assay
