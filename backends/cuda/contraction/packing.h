// Kernels that copy operands to matrices in row-major order, and products of
// matrices to results.
#ifndef ASSAY_BACKENDS_CUDA_CONTRACTION_PACKING_H_
#define ASSAY_BACKENDS_CUDA_CONTRACTION_PACKING_H_

#include <stdint.h>

#include "backends/cuda/contraction/sums.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

// The types of elements of matrices.
enum class MatrixType { kF32, kF64, kI8, kI32 };

// Elements of a tensor in the order of its dimensions. There are less than 2^31
// of them.
struct PackDims {
  struct Dim {
    Divisor size;
    int64_t stride;  // in bytes; 0 in a dimension of a window
  };
  int num_dims;
  Dim dims[kMaxSumDims];
  SumElement element;
};

// Each element comes from the tensor, or is 0 where a window is not over one.
struct PackJob : PackDims {
  // As calls::ContractionWindow has it. The index in a dimension is the number
  // of the element by `below`, modulo the size.
  struct Window {
    struct Dim {
      Divisor below, size;
      int64_t step;
    } row, term;
    int64_t size, stride, begin, dilation;
  };
  const unsigned char* from;
  unsigned char* to;
  int num_windows;
  Window windows[kMaxSumWindows];
  SumRounding rounding;
  // Rows of so many elements are followed by zeros up to the padded size.
  uint32_t row;
  Divisor padded;
};

// Goes the other way.
struct UnpackJob : PackDims {
  const unsigned char* from;
  unsigned char* to;
};

// `count` counts padding too.
void LaunchPack(const PackJob& job, MatrixType to, int64_t count);
// Copies 16 bytes at a time. Preconditions: elements are those of the matrix,
// without a rounding or padding; those of the last dimension, a multiple of 16
// bytes, lie one behind the other; all strides are multiples of 16 bytes.
void LaunchPackWords(const PackJob& job, int64_t words);
void LaunchUnpack(const UnpackJob& job, MatrixType from, int64_t count);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CONTRACTION_PACKING_H_
