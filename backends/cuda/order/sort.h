// Sorts by one key, with the radix sort of the device.
#ifndef ASSAY_BACKENDS_CUDA_ORDER_SORT_H_
#define ASSAY_BACKENDS_CUDA_ORDER_SORT_H_

#include "backends/backend.h"
#include "backends/calls/key_sort.h"
#include "backends/cuda/core/calls.h"

namespace assay::cuda {

// The sort is stable, whatever the call asks for. Where NaN leaves floats
// without an order, they have that of TOTALORDER.
Failure RunKeySort(const AssayCall& call, const calls::KeySort& sort);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ORDER_SORT_H_
