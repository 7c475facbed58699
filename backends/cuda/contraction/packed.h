// Runs contractions as products of matrices.
#ifndef ASSAY_BACKENDS_CUDA_CONTRACTION_PACKED_H_
#define ASSAY_BACKENDS_CUDA_CONTRACTION_PACKED_H_

#include "backends/calls/contraction.h"
#include "backends/cuda/contraction/sums.h"
#include "backends/cuda/core/calls.h"

namespace assay::cuda {

SumElement ElementOf(const calls::Type& type);
SumRounding RoundingOf(const calls::RoundingTo& rounding);

// Returns false, and launches nothing, if there is no library, no memory for
// the matrices, or the types are none of a library's: those of products are
// floats, whose sums are rounded to nearest in f32 or f64, and integers of 8
// bits or less whose sums fit 32. Precondition: the result does not lie in an
// operand.
bool RunPacked(const calls::Contraction& contraction, Failure* failure);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CONTRACTION_PACKED_H_
