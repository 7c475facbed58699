// These functions run calls that read elements at indices that are operands.
#ifndef ASSAY_BACKENDS_CUDA_MOVEMENT_GATHER_H_
#define ASSAY_BACKENDS_CUDA_MOVEMENT_GATHER_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/backend.h"
#include "backends/calls/windows.h"
#include "backends/cuda/core/calls.h"
#include "backends/cuda/movement/windows.h"

namespace assay::cuda {

Failure RunGather(const AssayCall& call);
Failure RunDimensionSize(const AssayCall& call);

// Returns the bytes of an element, or of a part of a complex number: kernels
// move complex numbers as two parts.
int UnitOf(const calls::Type& type);
// Makes a job of windows of such units. Returns what is not implemented, or
// nullptr.
const char* MakeWindowsJob(const calls::Windows& windows,
                           const calls::Type& type, WindowsJob* job);

// Reads integers that lie on the device, as calls::ReadIntegers does.
const char* ReadDeviceIntegers(const AssayTensor& tensor,
                               std::vector<int64_t>* integers);

// Copies elements, of so many bytes each, from these places to others. An empty
// list is the places 0, 1, 2 and so on.
Failure MoveElements(const void* from, const std::vector<int64_t>& from_places,
                     void* to, const std::vector<int64_t>& to_places,
                     size_t bytes);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_MOVEMENT_GATHER_H_
