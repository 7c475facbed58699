// This header takes the place of backends/cuda/core/hooks.h: it has the same
// hooks, each of which works as the original does, unless the planted bug is in
// it.
//
// A job tells the kernel which bug is planted. Integers that a bug makes too
// short have 32 bits on a device and 16 on the host, whose grids are as much
// smaller.
#ifndef ASSAY_BACKENDS_BROKEN_CUDA_HOOKS_H_
#define ASSAY_BACKENDS_BROKEN_CUDA_HOOKS_H_

#include <string.h>

#include <type_traits>

#include "backends/broken/cuda/bugs.h"
#include "backends/cuda/core/device.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

#ifdef __CUDACC__
using ShortInteger = int32_t;
inline constexpr uint32_t kFewBlocks = 65535;
#else
using ShortInteger = int16_t;
inline constexpr uint32_t kFewBlocks = kTuning.max_blocks;
#endif

struct TilePlace {
  uint32_t line;
  uint32_t part;
};

struct KernelHooks {
  Bug bug;

  ASSAY_DEVICE bool Has(Bug which) const { return bug == which; }

  // LA03: the stride is the number of blocks, not that of all their threads.
  ASSAY_DEVICE uint32_t Stride(const Thread& thread) const {
    return Has(Bug::kLA03) ? thread.blocks : thread.blocks * thread.threads;
  }
  // GD01: the chunk behind the last one counts, which is the first one once
  // more.
  ASSAY_DEVICE bool IsIn(uint32_t chunk, uint32_t chunks) const {
    return Has(Bug::kGD01) ? chunk <= chunks : chunk < chunks;
  }
  // LA01: there is no loop. LA04: there is no loop either if the grid is as
  // large as it gets. HANG01: the loop does not end.
  ASSAY_DEVICE uint32_t Next(uint32_t chunk, uint32_t step,
                             uint32_t chunks) const {
    if (Has(Bug::kLA01)) return chunks;
    if (Has(Bug::kLA04) && step >= kFewBlocks * kTuning.threads) return chunks;
    if (Has(Bug::kHANG01) && chunks == 513) return chunk;
    return chunk + step;
  }
  // GD02: the count is one more than there are. LP01: the last element of a
  // tail that lacks one element is dropped. LP07: the count is that of the
  // missing elements. LP09: the count is that of a whole chunk.
  ASSAY_DEVICE uint32_t Count(uint32_t left, uint32_t size) const {
    if (left >= size || Has(Bug::kLP09)) return size;
    if (Has(Bug::kGD02)) return left + 1;
    if (Has(Bug::kLP01) && left + 1 == size) return left - 1;
    if (Has(Bug::kLP07)) return size - left;
    return left;
  }
  // LA06: the product is too short. ST11: the index is too short.
  ASSAY_DEVICE int64_t Offset(uint32_t index, int64_t stride) const {
    if (Has(Bug::kLA06)) return static_cast<ShortInteger>(index * stride);
    if (Has(Bug::kST11)) return static_cast<ShortInteger>(index) * stride;
    return index * stride;
  }

  // AL02: elements are loaded through the cache that is not coherent.
  template <class T>
  ASSAY_DEVICE T LoadElement(const unsigned char* from) const {
    const T* const element = reinterpret_cast<const T*>(from);
#ifdef __CUDACC__
    if constexpr (std::is_integral_v<T>) {
      if (Has(Bug::kAL02)) return __ldg(element);
    }
#endif
    return *element;
  }
  template <int kBytes>
  ASSAY_DEVICE void LoadWord(const void* from, void* to) const {
#ifdef __CUDACC__
    if (Has(Bug::kAL02)) {
      const auto word =
          __ldg(static_cast<const typename Word<kBytes>::Type*>(from));
      memcpy(to, &word, kBytes);
      return;
    }
#endif
    cuda::LoadWord<kBytes>(from, to);
  }
  // WM01: one lane of a warp loads the element, with a mask of half of the
  // lanes.
  template <class T>
  ASSAY_DEVICE T LoadOne(const unsigned char* from, uint32_t chunk) const {
    if (!Has(Bug::kWM01)) return LoadElement<T>(from);
    T one = {};
    if (chunk % 32 >= 16) return one;
#ifdef __CUDACC__
    const unsigned mask = __activemask();
    const int first = __ffs(static_cast<int>(mask)) - 1;
    if (static_cast<int>(threadIdx.x % 32) == first) one = LoadElement<T>(from);
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &one, sizeof(T));
    for (uint32_t& word : words) word = __shfl_sync(mask, word, first);
    memcpy(&one, words, sizeof(T));
    return one;
#else
    return LoadElement<T>(from);
#endif
  }

  // RD17: rows lie further apart than there is memory for.
  ASSAY_DEVICE uint32_t Pitch(uint32_t parts) const {
    return Has(Bug::kRD17) ? parts + 1 : parts;
  }
  // TL02: in a tile at an edge, rows and columns change places.
  ASSAY_DEVICE TilePlace InTile(const TilePlace& place, bool is_whole) const {
    if (!Has(Bug::kTL02) || is_whole) return place;
    return {place.part, place.line};
  }
  // RD22: the memory of the first operand is used for the second one too.
  ASSAY_DEVICE uint32_t TileOf(uint32_t operand) const {
    return Has(Bug::kRD22) ? 0 : operand;
  }
  // LA07: x and y of a thread change places.
  ASSAY_DEVICE TilePlace StoredPlace(uint32_t n, uint32_t parts) const {
    if (!Has(Bug::kLA07)) return {n / parts, n % parts};
    const uint32_t part = n / parts;
    return {n % parts, part < parts ? part : parts - 1};
  }
  // TL01: the extent is one more than there is.
  ASSAY_DEVICE bool IsInTile(uint32_t index, uint32_t extent) const {
    return Has(Bug::kTL01) ? index <= extent : index < extent;
  }

  // RD14, RD14B: no thread waits.
#ifdef __CUDACC__
  __device__ __forceinline__ void Barrier() const {
    if (!Has(Bug::kRD14)) __syncthreads();
  }
  __device__ __forceinline__ void BarrierOfJob() const {
    if (!Has(Bug::kRD14B)) __syncthreads();
  }
#else
  template <class Phase, class NextPhase>
  void AroundBarrier(uint32_t threads, const Phase& phase,
                     const NextPhase& next) const {
    for (uint32_t t = 0; t < threads; ++t) {
      phase(t);
      if (Has(Bug::kRD14)) next(t);
    }
    for (uint32_t t = threads; t-- > 0 && !Has(Bug::kRD14);) next(t);
  }
#endif

  // FL07: the division multiplies by the reciprocal, which is 0 if it is
  // subnormal.
  template <class T>
  ASSAY_DEVICE T Quotient(T a, T b) const {
    if constexpr (std::is_same_v<T, float>) {
      if (Has(Bug::kFL07)) {
#ifdef __CUDACC__
        return __fdividef(a, b);
#else
        constexpr float kLeastNormal = 0x1p-126f;
        const float reciprocal = 1 / b;
        return a * (fabsf(reciprocal) < kLeastNormal ? 0 : reciprocal);
#endif
      }
    }
    return a / b;
  }
};

struct Function;
struct Job;

namespace hooks {

inline constexpr bool kHasAllTypes = false;

// LA01: the grid is rounded down, although there is no loop. LA04: the grid has
// no more blocks than grids once could have, and there is no loop. LA09: the
// grid is one block, whatever number of threads that makes.
inline Grid GridFor(uint32_t work) {
  const uint64_t items = kTuning.threads;
  uint64_t blocks = (work + items - 1) / items;
  uint64_t most = kTuning.max_blocks;
  if (IsActive(Bug::kLA01)) {
    blocks = work < items ? 1 : work / items;
    most = blocks;
  }
  if (IsActive(Bug::kLA04)) most = kFewBlocks;
  if (IsActive(Bug::kLA09)) return {1, work};
  return {static_cast<uint32_t>(blocks < most ? blocks : most),
          kTuning.threads};
}

// BC16: a tensor without dimensions has a stride nevertheless.
inline int64_t StrideOf(const DLTensor& tensor, int dim) {
  if (IsActive(Bug::kBC16) && tensor.ndim == 0) return 1;
  return dim < 0 || tensor.shape[dim] == 1 ? 0 : tensor.strides[dim];
}

// BC15: an element that is repeated counts as contiguous.
inline bool IsContiguous(int64_t stride, int64_t bytes) {
  return stride == bytes || (IsActive(Bug::kBC15) && stride == 0);
}

// ME02: operands count as aligned wherever they begin. ME04: rows made of whole
// chunks count as aligned wherever they begin.
inline bool IsAligned(const unsigned char* data, const int64_t* strides,
                      int num_dims, int64_t extent, int chunk, int64_t bytes) {
  const int64_t word = bytes * chunk;
  if (reinterpret_cast<uintptr_t>(data) % static_cast<size_t>(word) != 0 &&
      !IsActive(Bug::kME02)) {
    return false;
  }
  if (IsActive(Bug::kME04) && extent % chunk == 0) return true;
  for (int d = 1; d < num_dims; ++d) {
    if (strides[d] % word != 0) return false;
  }
  return true;
}

// ST11: a job may have any number of elements.
inline int64_t MaxJobElements() {
  return IsActive(Bug::kST11) ? INT64_MAX : int64_t{1} << 30;
}

void Prepare(Job* job);
void PrepareBatch(Job* jobs, size_t count);
const char* RunEmpty(const Function& function);

// BT02: the job is launched before the collected ones.
inline bool FlushesFirst() { return !IsActive(Bug::kBT02); }

// LA09: nobody looks at the error.
inline const char* Checked(const char* error) {
  return IsActive(Bug::kLA09) ? nullptr : error;
}

#ifdef __CUDACC__
// LA10: copies do not wait for this stream.
inline cudaStream_t Stream() {
  if (!IsActive(Bug::kLA10)) return nullptr;
  static cudaStream_t stream = [] {
    cudaStream_t created = nullptr;
    cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking);
    return created;
  }();
  return stream;
}
#endif

const AssayBackend* Offered(const AssayBackend* backend);

}  // namespace hooks
}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_BROKEN_CUDA_HOOKS_H_
