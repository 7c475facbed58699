// These are the sound hooks between the shape of an operand and that of the
// result: NumPy's rule, and broadcast_in_dim, which names the dimensions
// itself.
#include "backends/broken/kernel/broadcast.h"

#include <stdlib.h>
#include <string.h>

namespace assay::broken {

bool IsBroadcastInDim(const AssayCall& call) {
  return strcmp(call.op, "broadcast_in_dim") == 0;
}

bool ReadDimensions(const AssayCall& call, std::vector<int64_t>* dimensions) {
  const char* text = AttributeText(call, "broadcast_dimensions");
  if (text == nullptr || *text != '[') return false;
  for (++text; *text != ']';) {
    char* end = nullptr;
    dimensions->push_back(strtoll(text, &end, 10));
    if (end == text) return false;
    text = end + strspn(end, " ");
    if (*text == ',')
      ++text;
    else if (*text != ']')
      return false;
  }
  return text[1] == '\0';
}

bool CanBroadcastInDim(const AssayCall& call) {
  const DLTensor &operand = call.inputs[0].tensor,
                 &result = call.outputs[0].tensor;
  std::vector<int64_t> dimensions;
  if (!ReadDimensions(call, &dimensions) ||
      dimensions.size() != static_cast<size_t>(operand.ndim)) {
    return false;
  }
  bool is_taken[kMaxRank] = {};
  for (int d = 0; d < operand.ndim; ++d) {
    const int64_t to = dimensions[static_cast<size_t>(d)];
    if (to < 0 || to >= result.ndim || is_taken[to]) return false;
    is_taken[to] = true;
    if (operand.shape[d] != 1 && operand.shape[d] != result.shape[to])
      return false;
  }
  return true;
}

int64_t InferDim(int64_t a, int64_t b) {
  if (a == b || b == 1) return a;
  return a == 1 ? b : -1;
}

void Align(const AssayCall& call, const DLTensor& operand, int rank,
           int* dimensions) {
  std::vector<int64_t> named;
  if (IsBroadcastInDim(call)) ReadDimensions(call, &named);
  for (int d = 0; d < operand.ndim; ++d) {
    dimensions[d] =
        named.empty() ? rank - operand.ndim + d : static_cast<int>(named[d]);
  }
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
