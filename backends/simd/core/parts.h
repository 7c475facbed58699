// Work is shared among threads, which start and end with it.
#ifndef ASSAY_BACKENDS_SIMD_CORE_PARTS_H_
#define ASSAY_BACKENDS_SIMD_CORE_PARTS_H_

#include <stdint.h>

#include <functional>

namespace assay::simd {

// Calls `run` with each number below `parts`, each in a thread of its own if it
// can be started.
void RunInThreads(int64_t parts, const std::function<void(int64_t part)>& run);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_PARTS_H_
