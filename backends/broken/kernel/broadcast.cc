// These are the sound hooks between the shape of an operand and that of the
// result: NumPy's rule, and broadcast_in_dim, which names the dimensions
// itself.
#include "backends/broken/kernel/broadcast.h"

#include <string.h>

#include "backends/broken/kernel/moves.h"

namespace assay::broken {

bool IsBroadcastInDim(const AssayCall& call) {
  return strcmp(call.op, "broadcast_in_dim") == 0;
}

int64_t InferDim(int64_t a, int64_t b) {
  if (a == b || b == 1) return a;
  return a == 1 ? b : -1;
}

void Align(const AssayCall& call, const DLTensor& operand, int rank,
           int* dimensions) {
  if (IsBroadcastInDim(call)) {
    for (const int64_t d : NumbersOf(call, "broadcast_dimensions"))
      *dimensions++ = static_cast<int>(d);
    return;
  }
  for (int d = 0; d < operand.ndim; ++d)
    dimensions[d] = rank - operand.ndim + d;
}

Tensor View(const DLTensor& operand, const int* dimensions, const Job& job,
            bool) {
  Tensor tensor = {};
  tensor.data = static_cast<unsigned char*>(operand.data) + operand.byte_offset;
  for (int d = 0; d < operand.ndim; ++d) {
    const int to = dimensions[d];
    const bool is_repeated = operand.shape[d] == 1 && job.shape[to] != 1;
    tensor.strides[to] = is_repeated ? 0 : operand.strides[d];
  }
  return tensor;
}

}  // namespace assay::broken
