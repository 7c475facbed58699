// Runs dot_general, convolution and dynamic_conv.
#ifndef ASSAY_BACKENDS_CUDA_CONTRACTION_CONTRACTION_H_
#define ASSAY_BACKENDS_CUDA_CONTRACTION_CONTRACTION_H_

#include "backends/backend.h"
#include "backends/cuda/core/calls.h"

namespace assay::cuda {

// Precondition: calls::IsContraction(call.op).
Failure RunContraction(const AssayCall& call, Products products);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CONTRACTION_CONTRACTION_H_
