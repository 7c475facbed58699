// Scatters by assignment and by the ops that form monoids, without a function.
#ifndef ASSAY_BACKENDS_SIMD_REDUCTION_SCATTER_H_
#define ASSAY_BACKENDS_SIMD_REDUCTION_SCATTER_H_

#include "backends/backend.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// Runs such a scatter of native types, each update behind the one before it in
// row-major order. Returns false, and writes nothing, if the call is another
// one; sets `failure` to what is not implemented, or to nullptr.
bool RunPlainScatter(const AssayCall& call, const Options& options,
                     const char** failure);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_REDUCTION_SCATTER_H_
