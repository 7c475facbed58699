// Reductions by the ops that form monoids, without a function.
#ifndef ASSAY_BACKENDS_SIMD_REDUCTION_REDUCE_H_
#define ASSAY_BACKENDS_SIMD_REDUCTION_REDUCE_H_

#include "backends/backend.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// Runs such a reduction of native types. The order of sums depends on sizes
// alone, for any layouts and any number of threads. Returns false, and writes
// nothing, if the call is another one; sets `failure` to what is not
// implemented, or to nullptr.
bool RunPlainReduce(const AssayCall& call, const Options& options,
                    const char** failure);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_REDUCTION_REDUCE_H_
