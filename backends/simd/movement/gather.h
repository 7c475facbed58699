// These functions run calls that read elements at indices that are operands.
#ifndef ASSAY_BACKENDS_SIMD_MOVEMENT_GATHER_H_
#define ASSAY_BACKENDS_SIMD_MOVEMENT_GATHER_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// These return what is not implemented, or nullptr after the result is written.
const char* RunGather(const AssayCall& call, const Options& options);
const char* RunDimensionSize(const AssayCall& call);

// Copies elements, of so many bytes each, from these places to others. An empty
// list is the places 0, 1, 2 and so on.
void MoveElements(const void* from, const std::vector<int64_t>& from_places,
                  void* to, const std::vector<int64_t>& to_places,
                  size_t bytes);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_MOVEMENT_GATHER_H_
