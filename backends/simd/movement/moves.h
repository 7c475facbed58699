// These functions run calls that move elements, or make them from indices.
#ifndef ASSAY_BACKENDS_SIMD_MOVEMENT_MOVES_H_
#define ASSAY_BACKENDS_SIMD_MOVEMENT_MOVES_H_

#include "backends/backend.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// These return what is not implemented, or nullptr after the result is written.
// Precondition of the first: calls::IsMove(call.op).
const char* RunMoves(const AssayCall& call, const Options& options);
const char* RunIota(const AssayCall& call, const Options& options);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_MOVEMENT_MOVES_H_
