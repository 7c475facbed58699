// RunNest runs a function over a nest in one or several threads, each of them
// in the floating-point environment that the function asks for.
#ifndef ASSAY_BACKENDS_SIMD_CORE_RUN_NEST_H_
#define ASSAY_BACKENDS_SIMD_CORE_RUN_NEST_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/block_function.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

// Outputs of this size and more bypass the caches: beside its inputs, such an
// output no longer fits half of the L3 cache (32 MiB on the machine that this
// was measured on), so that ordinary stores evict the inputs and read each line
// before they overwrite it. The sum of two i32 tensors of 8 MiB ran at 46 GB/s
// with non-temporal and 29 GB/s with ordinary stores, of 4 MiB at 50 and 49, of
// 2 MiB at 81 and 80.
inline constexpr int64_t kStreamBytes = int64_t{8} << 20;

// Work of at least this many elements is shared among threads, each of which
// has at least half of it. Sweeps come in chunks of 2^20 elements from a
// process for each core, which has no other core to share them with.
inline constexpr int64_t kThreadedElements = int64_t{4} << 20;

// Returns what the function returns.
const char* RunNest(const Nest& nest, const BlockFunction& function,
                    const hwy::ChosenTarget& target, int threads);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_RUN_NEST_H_
