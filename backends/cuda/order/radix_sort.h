// Sorts integers without a sign on the device, or on the host that takes its
// place. radix_sort_cuda.cu and radix_sort_host.cc implement it.
#ifndef ASSAY_BACKENDS_CUDA_ORDER_RADIX_SORT_H_
#define ASSAY_BACKENDS_CUDA_ORDER_RADIX_SORT_H_

#include <stddef.h>
#include <stdint.h>

namespace assay::cuda {

// The places of workspaces: of what is sorted, and of the sort's own memory.
enum : int {
  kCodesMemory = 2,
  kSortedMemory,
  kPlacesMemory,
  kSortedPlacesMemory,
  kSortMemory
};

// Slices of `length` codes lie one behind the other. Codes have 4 or 8 bytes,
// of which the lowest `bits` may be set. Where `places` is not null, each code
// has one, and goes with it.
struct RadixSort {
  int code_bytes;
  int bits;
  int64_t slices, length;
  const void* codes;
  void* sorted;
  const uint32_t* places;
  uint32_t* sorted_places;
};

// The sort is stable. Returns what went wrong, or nullptr.
const char* SortCodes(const RadixSort& sort);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ORDER_RADIX_SORT_H_
