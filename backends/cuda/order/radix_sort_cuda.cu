// The sorts are those of CUB.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

#include "backends/cuda/core/runtime.h"
#include "backends/cuda/order/radix_sort.h"

namespace assay::cuda {
namespace {

// A slice of so many elements is sorted by the whole device, and a shorter one
// by a block of threads.
constexpr int64_t kWholeDevice = int64_t{1} << 16;

struct OffsetOf {
  int64_t length;
  __host__ __device__ int64_t operator()(int64_t slice) const {
    return slice * length;
  }
};

// Calls `run` with memory of the size that its first call asks for.
template <class F>
const char* RunWithMemory(F run) {
  size_t bytes = 0;
  cudaError_t error = run(nullptr, bytes);
  if (error == cudaSuccess) {
    void* const memory = Workspace(kSortMemory, bytes);
    if (memory == nullptr) return "no memory on the device for a sort";
    error = run(memory, bytes);
  }
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <class Code>
const char* SortWhole(const RadixSort& sort, int64_t first, int64_t count) {
  const auto* const codes = static_cast<const Code*>(sort.codes) + first;
  auto* const sorted = static_cast<Code*>(sort.sorted) + first;
  return RunWithMemory([&](void* memory, size_t& bytes) {
    if (sort.places == nullptr)
      return cub::DeviceRadixSort::SortKeys(memory, bytes, codes, sorted, count,
                                            0, sort.bits, CurrentStream());
    return cub::DeviceRadixSort::SortPairs(
        memory, bytes, codes, sorted, sort.places + first,
        sort.sorted_places + first, count, 0, sort.bits, CurrentStream());
  });
}

// Precondition: slices from `first` on have fewer elements than 2^31.
template <class Code>
const char* SortSlices(const RadixSort& sort, int64_t first, int64_t count) {
  const auto offsets = thrust::make_transform_iterator(
      thrust::make_counting_iterator(int64_t{0}), OffsetOf{sort.length});
  const int64_t elements = count * sort.length;
  const int64_t at = first * sort.length;
  const auto* const codes = static_cast<const Code*>(sort.codes) + at;
  auto* const sorted = static_cast<Code*>(sort.sorted) + at;
  return RunWithMemory([&](void* memory, size_t& bytes) {
    if (sort.places == nullptr)
      return cub::DeviceSegmentedRadixSort::SortKeys(
          memory, bytes, codes, sorted, elements, count, offsets, offsets + 1,
          0, sort.bits, CurrentStream());
    return cub::DeviceSegmentedRadixSort::SortPairs(
        memory, bytes, codes, sorted, sort.places + at, sort.sorted_places + at,
        elements, count, offsets, offsets + 1, 0, sort.bits, CurrentStream());
  });
}

template <class Code>
const char* Sort(const RadixSort& sort) {
  const char* failure = nullptr;
  if (sort.slices == 1 || sort.length >= kWholeDevice) {
    for (int64_t slice = 0; slice < sort.slices && !failure; ++slice)
      failure = SortWhole<Code>(sort, slice * sort.length, sort.length);
    return failure;
  }
  const int64_t most = (int64_t{1} << 30) / sort.length;
  for (int64_t first = 0; first < sort.slices && !failure; first += most)
    failure =
        SortSlices<Code>(sort, first, std::min(most, sort.slices - first));
  return failure;
}

}  // namespace

const char* SortCodes(const RadixSort& sort) {
  return sort.code_bytes == 4 ? Sort<uint32_t>(sort) : Sort<uint64_t>(sort);
}

}  // namespace assay::cuda
