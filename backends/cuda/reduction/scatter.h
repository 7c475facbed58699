// Scatters by assignment and by the ops that form monoids, without a function.
#ifndef ASSAY_BACKENDS_CUDA_REDUCTION_SCATTER_H_
#define ASSAY_BACKENDS_CUDA_REDUCTION_SCATTER_H_

#include "backends/backend.h"
#include "backends/cuda/core/calls.h"

namespace assay::cuda {

// Runs such a scatter of native types. Returns false, and writes nothing, if
// the call is another one; sets `failure` otherwise.
bool RunPlainScatter(const AssayCall& call, Updates updates, Failure* failure);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_REDUCTION_SCATTER_H_
