// Products of matrices by a library. matrices_cuda.cu has those of cuBLAS,
// which is loaded where it is there; matrices_host.cc takes its place on the
// host.
#ifndef ASSAY_BACKENDS_CUDA_CONTRACTION_MATRICES_H_
#define ASSAY_BACKENDS_CUDA_CONTRACTION_MATRICES_H_

#include <stdint.h>

#include "backends/cuda/contraction/packing.h"

namespace assay::cuda {

// result[batch, row, column] is the sum over terms of
//   lhs[batch, row, term] * rhs[batch, term, column]
// in the type of the result. Matrices are in row-major order and aligned to 16
// bytes, and their sizes are less than 2^31.
struct Matrices {
  // kF32 and kF64 have results of their type, kI8 of kI32, whose rhs is
  // [batch, column, term] and has a multiple of kTermsOfI8 terms.
  MatrixType operand;
  int64_t batch, rows, columns, terms;
  const void* lhs;
  const void* rhs;
  void* result;
};

inline constexpr int64_t kTermsOfI8 = 16;

// Returns whether there is such a library. The first call loads it.
bool HasMatrixLibrary();

// Sums of floats are rounded to nearest, in an order that is the library's.
// Returns what went wrong, or nullptr. Precondition: HasMatrixLibrary().
const char* Multiply(const Matrices& matrices);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CONTRACTION_MATRICES_H_
