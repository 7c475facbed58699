// Kernels that sum products of elements.
#ifndef ASSAY_BACKENDS_CUDA_CONTRACTION_SUMS_H_
#define ASSAY_BACKENDS_CUDA_CONTRACTION_SUMS_H_

#include <stdint.h>

#include "backends/cuda/core/job.h"

namespace assay::cuda {

inline constexpr int kMaxSumDims = 32, kMaxSumWindows = 8;

// How an element lies in memory: a float of `format`, f32 or f64, each also as
// a part of a complex number, or an integer of `bits`.
struct SumElement {
  enum Kind : int { kFormat, kF32, kF64, kInteger } kind;
  int bytes;  // of the element, or of each part
  int bits;
  bool is_signed;
  FormatData format;
};

// What an operand is rounded to before it is multiplied.
struct SumRounding {
  enum Kind : int { kNothing, kFormat, kF32 } kind;
  FormatData format;
};

// What calls::Contraction has, with strides in bytes. The dimensions are those
// of the batch, then rows, columns and terms.
struct SumsJob {
  struct Dim {
    int64_t size, lhs_stride, rhs_stride, result_stride;
  };
  struct Window {
    int row, term;  // numbers of dimensions
    int64_t size, stride, begin, row_step, term_step, dilation;
  };
  const unsigned char* lhs;
  const unsigned char* rhs;
  unsigned char* result;
  int64_t results;
  bool has_terms;
  int num_result_dims, num_dims, num_windows;
  Dim dims[kMaxSumDims];
  Window windows[kMaxSumWindows];
  SumElement operand, to;
  SumRounding lhs_rounding, rhs_rounding;
};

enum class SumsOf { kF32, kF64, kComplexF32, kComplexF64, kInteger, kBool };

// Each thread sums the terms of a result in their order.
void LaunchSums(const SumsJob& job, SumsOf of);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CONTRACTION_SUMS_H_
