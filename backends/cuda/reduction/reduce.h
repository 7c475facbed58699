// Reductions by the ops that form monoids, without a function.
#ifndef ASSAY_BACKENDS_CUDA_REDUCTION_REDUCE_H_
#define ASSAY_BACKENDS_CUDA_REDUCTION_REDUCE_H_

#include "backends/backend.h"
#include "backends/cuda/core/calls.h"

namespace assay::cuda {

// Runs such a reduction of integers of whole bytes, f32 or f64. The order of
// sums is that of the terms, and depends on sizes alone. Returns false, and
// writes nothing, if the call is another one.
bool RunPlainReduce(const AssayCall& call, Failure* failure);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_REDUCTION_REDUCE_H_
