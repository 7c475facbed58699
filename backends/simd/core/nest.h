// A nest is the loops over the elements of a call, whatever the layouts: one
// extent for each dimension, innermost first, and for each operand its stride
// there.
//
// Simplified, a nest has no dimension of size 1, walks its first output in the
// order of its addresses, and has as few dimensions as the layouts allow: a
// call on tensors that are all contiguous has one.
#ifndef ASSAY_BACKENDS_SIMD_CORE_NEST_H_
#define ASSAY_BACKENDS_SIMD_CORE_NEST_H_

#include <stdint.h>

#include "backends/backend.h"
#include "backends/simd/core/block_function.h"
#include "backends/simd/core/names.h"

namespace assay::simd {

inline constexpr int kMaxOperands = kMaxInputs + kMaxOutputs;

// Strides are in bytes. `data` is where the first element of the walk lies.
struct NestOperand {
  unsigned char* data;
  int64_t bytes;  // Size of an element.
  int64_t strides[kMaxDims];
};

// The operands are the inputs, followed by the outputs.
struct Nest {
  int num_dims;
  int64_t extents[kMaxDims];
  int num_inputs;
  int num_operands;
  NestOperand operands[kMaxOperands];
};

// A NestTensor is a tensor and the size of its elements in bytes.
struct NestTensor {
  const DLTensor* tensor;
  size_t bytes;
};

// Makes a simplified nest over the shape of the outputs, which is not empty.
// The inputs have that shape or one that can be broadcast to it.
void MakeNest(const NestTensor* inputs, int num_inputs,
              const NestTensor* outputs, int num_outputs, Nest* nest);

// Sets `slice` to the part of the nest within [begin, end) of one dimension.
void Slice(const Nest& nest, int dim, int64_t begin, int64_t end, Nest* slice);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_NEST_H_
