#include "backends/simd/core/nest.h"

#include <utility>

#include "backends/simd/core/names.h"

namespace assay::simd {
namespace {

// Copies a dimension of all operands. `to` may be equal to `from`.
void MoveDim(int from, int to, Nest* nest) {
  nest->extents[to] = nest->extents[from];
  for (int k = 0; k < nest->num_operands; ++k) {
    int64_t* strides = nest->operands[k].strides;
    strides[to] = strides[from];
  }
}

void SwapDims(int a, int b, Nest* nest) {
  std::swap(nest->extents[a], nest->extents[b]);
  for (int k = 0; k < nest->num_operands; ++k) {
    std::swap(nest->operands[k].strides[a], nest->operands[k].strides[b]);
  }
}

// Walks the dimension from its other end.
void Flip(int dim, Nest* nest) {
  for (int k = 0; k < nest->num_operands; ++k) {
    NestOperand& operand = nest->operands[k];
    operand.data += operand.strides[dim] * (nest->extents[dim] - 1);
    operand.strides[dim] = -operand.strides[dim];
  }
}

// Returns whether a step along `outer` continues where `inner` ends, in all
// operands.
bool Continues(const Nest& nest, int inner, int outer) {
  for (int k = 0; k < nest.num_operands; ++k) {
    const int64_t* strides = nest.operands[k].strides;
    if (strides[outer] != strides[inner] * nest.extents[inner]) return false;
  }
  return true;
}

void AddDims(const NestTensor* tensors, int num_tensors, const DLTensor& result,
             NestOperand* operands, Nest* nest) {
  for (int k = 0; k < num_tensors; ++k) {
    operands[k].data = FirstElement(*tensors[k].tensor);
    operands[k].bytes = static_cast<int64_t>(tensors[k].bytes);
    const DLTensor& tensor = *tensors[k].tensor;
    int added = 0;
    for (int i = 1; i <= result.ndim; ++i) {
      if (result.shape[result.ndim - i] == 1) continue;
      const int dim = tensor.ndim - i;
      const bool repeats = dim < 0 || tensor.shape[dim] == 1;
      operands[k].strides[added++] =
          repeats ? 0 : tensor.strides[dim] * operands[k].bytes;
    }
  }
  nest->num_dims = 0;
  for (int i = result.ndim - 1; i >= 0; --i) {
    if (result.shape[i] == 1) continue;
    nest->extents[nest->num_dims++] = result.shape[i];
  }
}

}  // namespace

void MakeNest(const NestTensor* inputs, int num_inputs,
              const NestTensor* outputs, int num_outputs, Nest* nest) {
  nest->num_inputs = num_inputs;
  nest->num_operands = num_inputs + num_outputs;
  const DLTensor& result = *outputs[0].tensor;
  AddDims(inputs, num_inputs, result, nest->operands, nest);
  AddDims(outputs, num_outputs, result, nest->operands + num_inputs, nest);
  const NestOperand& first = nest->operands[num_inputs];
  for (int dim = 0; dim < nest->num_dims; ++dim) {
    if (first.strides[dim] < 0) Flip(dim, nest);
    for (int i = dim; i > 0 && first.strides[i] < first.strides[i - 1]; --i) {
      SwapDims(i, i - 1, nest);
    }
  }
  int last = 0;
  for (int dim = 1; dim < nest->num_dims; ++dim) {
    if (Continues(*nest, last, dim)) {
      nest->extents[last] *= nest->extents[dim];
    } else {
      MoveDim(dim, ++last, nest);
    }
  }
  if (nest->num_dims == 0) {
    nest->extents[0] = 1;
    for (int k = 0; k < nest->num_operands; ++k) {
      nest->operands[k].strides[0] = nest->operands[k].bytes;
    }
  }
  nest->num_dims = last + 1;
}

void Slice(const Nest& nest, int dim, int64_t begin, int64_t end, Nest* slice) {
  *slice = nest;
  slice->extents[dim] = end - begin;
  for (int k = 0; k < nest.num_operands; ++k) {
    NestOperand& operand = slice->operands[k];
    operand.data += operand.strides[dim] * begin;
  }
}

}  // namespace assay::simd
