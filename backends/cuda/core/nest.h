// A nest is the loops over the elements of a call, whatever the layouts: one
// extent for each dimension, innermost first, and for each operand its stride
// there.
//
// A nest has no dimension of size 1, walks the output in the order of its
// addresses, and has as few dimensions as the layouts allow: a call on tensors
// that are all contiguous has one.
#ifndef ASSAY_BACKENDS_CUDA_CORE_NEST_H_
#define ASSAY_BACKENDS_CUDA_CORE_NEST_H_

#include <stdint.h>

#include "backends/backend.h"
#include "backends/calls/limits.h"
#include "backends/cuda/core/functions.h"

namespace assay::cuda {

// The views of calls have two dimensions more than their tensors.
inline constexpr int kMaxNestDims = calls::kMaxDims + 2;
inline constexpr int kMaxOperands = calls::kMaxInputs + 1;

// Strides are in bytes. `data` is where the first element of the walk lies.
struct NestOperand {
  unsigned char* data;
  int64_t strides[kMaxNestDims];
};

// The operands are the inputs, followed by the output.
struct Nest {
  int num_dims;
  int64_t extents[kMaxNestDims];
  int num_operands;
  NestOperand operands[kMaxOperands];
};

// A NestTensor is a tensor and the size of its elements in bytes.
struct NestTensor {
  const DLTensor* tensor;
  size_t bytes;
};

// Makes a nest over the shape of the output, which is not empty. The inputs
// have that shape or one that can be broadcast to it.
Nest MakeNest(const NestTensor* inputs, int num_inputs,
              const NestTensor& output);

// Runs the function on all elements, in as many launches as it takes. Returns
// what went wrong, or nullptr.
const char* RunNest(const Nest& nest, const Function& function);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_NEST_H_
