// Runs dot_general, convolution and dynamic_conv.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_CONTRACTION_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_CONTRACTION_H_

#include "backends/backend.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// Returns what is not implemented, or nullptr after the result is written.
// Precondition: calls::IsContraction(call.op).
const char* RunContraction(const AssayCall& call, const Options& options);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_CONTRACTION_H_
