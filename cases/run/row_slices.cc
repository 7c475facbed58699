#include "cases/run/row_slices.h"

#include <algorithm>

#include "oracle/oracle.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

// Returns how far apart in operand number `k` the elements are that the first
// elements of two neighbouring rows of the result rest on; 0 if they are one.
// Precondition: `op` is row-local, and its result has two rows.
int64_t RowStep(const Op& op, size_t k) {
  const Shape& shape = op.outputs[0].type.tensor().shape;
  const int64_t next = RowMajorStrides(shape)[0];
  const auto at = [&](int64_t index) {
    for (const Source& source : SourcesOf(op, {}, index)) {
      if (source.operand == k) return source.element;
    }
    return int64_t{0};
  };
  return at(next) - at(0);
}

// Returns whether the rows of operand number `k` are those of the result.
bool HasRows(const Op& op, size_t k) {
  const Shape& shape = op.inputs[k].type.tensor().shape;
  return !shape.empty() && shape[0] == op.outputs[0].type.tensor().shape[0] &&
         RowStep(op, k) == RowMajorStrides(shape)[0];
}

bool IsSliceable(const Op& op) {
  const OpSpec& spec = *FindOp(op.op);
  const Shape& shape = op.outputs[0].type.tensor().shape;
  if (!spec.IsRowLocal() || shape.empty() || shape[0] < 2) return false;
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    // Rows of another dimension than the first are not contiguous.
    if (RowStep(op, k) != 0 && !HasRows(op, k)) return false;
  }
  return true;
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
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    if (!HasRows(op, k)) continue;
    slice.op.inputs[k].type.tensor().shape[0] = end - begin;
    slice.inputs[k] = inputs[k].Rows(begin, end);
  }
  for (Op::Result& output : slice.op.outputs)
    output.type.tensor().shape[0] = end - begin;
  return slice;
}

}  // namespace assay
