// Sorts by one key, in parallel, with Highway's vectorized sort.
#ifndef ASSAY_BACKENDS_SIMD_ORDER_SORT_H_
#define ASSAY_BACKENDS_SIMD_ORDER_SORT_H_

#include "backends/backend.h"
#include "backends/calls/key_sort.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// Returns what is not implemented, or nullptr after the results are written.
// The sort is stable, whatever the call asks for. Where NaN leaves floats
// without an order, they have that of TOTALORDER.
const char* RunKeySort(const AssayCall& call, const calls::KeySort& sort,
                       const Options& options);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_ORDER_SORT_H_
