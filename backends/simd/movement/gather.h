// These functions run calls that read elements at indices that are operands.
#ifndef ASSAY_BACKENDS_SIMD_MOVEMENT_GATHER_H_
#define ASSAY_BACKENDS_SIMD_MOVEMENT_GATHER_H_

#include "backends/backend.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// These return what is not implemented, or nullptr after the result is written.
const char* RunGather(const AssayCall& call, const Options& options);
const char* RunDimensionSize(const AssayCall& call);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_MOVEMENT_GATHER_H_
