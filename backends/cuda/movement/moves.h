// These functions run calls that move elements, or make them from indices.
#ifndef ASSAY_BACKENDS_CUDA_MOVEMENT_MOVES_H_
#define ASSAY_BACKENDS_CUDA_MOVEMENT_MOVES_H_

#include "backends/backend.h"
#include "backends/cuda/core/calls.h"

namespace assay::cuda {

// Precondition of the first: calls::IsMove(call.op).
Failure RunMoves(const AssayCall& call);
Failure RunIota(const AssayCall& call, Math math);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_MOVEMENT_MOVES_H_
