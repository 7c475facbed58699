// What kernels and the host's side do by a name, so that the same sources,
// compiled a second time, can do it wrong: ASSAY_CUDA_HOOKS is then the header
// that takes the place of this one (backends/broken/cuda/hooks.h).
//
// Here nothing costs anything: all of it is inline and looks at no data. The
// instructions of a kernel are those that it has without hooks, or as many in
// another order, with the same registers.
#ifndef ASSAY_BACKENDS_CUDA_CORE_HOOKS_H_
#define ASSAY_BACKENDS_CUDA_CORE_HOOKS_H_

#ifdef ASSAY_CUDA_HOOKS
#include ASSAY_CUDA_HOOKS
#else

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

// A chunk or an element of a tile: a part of a line.
struct TilePlace {
  uint32_t line;
  uint32_t part;
};

// Of kernels: Parameters are made of them and of what an op asks for.
struct KernelHooks {
  // The loop over the chunks of a job, of which the threads of a launch take
  // one each: how far apart those are that one thread takes,
  ASSAY_DEVICE uint32_t Stride(const Thread& thread) const {
    return thread.blocks * thread.threads;
  }
  // whether there is such a chunk,
  ASSAY_DEVICE bool IsIn(uint32_t chunk, uint32_t chunks) const {
    return chunk < chunks;
  }
  // and the one after it, so much further on.
  ASSAY_DEVICE uint32_t Next(uint32_t chunk, uint32_t step,
                             uint32_t /*chunks*/) const {
    return chunk + step;
  }
  // How many elements it has where so many of its row are left.
  ASSAY_DEVICE uint32_t Count(uint32_t left, uint32_t size) const {
    return left < size ? left : size;
  }
  // Of an element, in bytes.
  ASSAY_DEVICE int64_t Offset(uint32_t index, int64_t stride) const {
    return index * stride;
  }

  // An element whose parts are aligned, not the whole.
  template <class T>
  ASSAY_DEVICE T LoadElement(const unsigned char* from) const {
    return *reinterpret_cast<const T*>(from);
  }
  // The same where all elements of the operand are that one.
  template <class T>
  ASSAY_DEVICE T LoadOne(const unsigned char* from, uint32_t /*chunk*/) const {
    return LoadElement<T>(from);
  }
  template <int kBytes>
  ASSAY_DEVICE void LoadWord(const void* from, void* to) const {
    cuda::LoadWord<kBytes>(from, to);
  }

  // Tiles in shared memory: words from one row to the next,
  ASSAY_DEVICE uint32_t Pitch(uint32_t parts) const { return parts; }
  // the place of an element, of a tile at an edge that is not whole,
  ASSAY_DEVICE TilePlace InTile(const TilePlace& place,
                                bool /*is_whole*/) const {
    return place;
  }
  // which of a block's tiles an operand has,
  ASSAY_DEVICE uint32_t TileOf(uint32_t operand) const { return operand; }
  // the n-th of the parts that are stored, of so many to a line,
  ASSAY_DEVICE TilePlace StoredPlace(uint32_t n, uint32_t parts) const {
    return {n / parts, n % parts};
  }
  // and whether an element is not beyond the edge.
  ASSAY_DEVICE bool IsInTile(uint32_t index, uint32_t extent) const {
    return index < extent;
  }

#ifdef __CUDACC__
  // Between the phases of a block, and between copying its job and running it.
  __device__ __forceinline__ void Barrier() const { __syncthreads(); }
  __device__ __forceinline__ void BarrierOfJob() const { __syncthreads(); }
#else
  template <class Phase, class NextPhase>
  void AroundBarrier(uint32_t threads, const Phase& phase,
                     const NextPhase& next) const {
    for (uint32_t t = 0; t < threads; ++t) phase(t);
    for (uint32_t t = threads; t-- > 0;) next(t);
  }
#endif

  template <class T>
  ASSAY_DEVICE T Quotient(T a, T b) const {
    return a / b;
  }
};

struct Function;
struct Job;

// Of the host's side.
namespace hooks {

// Whether there is more than what the planted bugs are about: floats other than
// f32, and complex numbers.
inline constexpr bool kHasAllTypes = true;

// A grid of as many threads as `work` items take.
inline Grid GridFor(uint32_t work) {
  const uint64_t items = kTuning.threads;
  const uint64_t blocks = (work + items - 1) / items;
  return {static_cast<uint32_t>(
              blocks < kTuning.max_blocks ? blocks : kTuning.max_blocks),
          kTuning.threads};
}

// The stride of a tensor in a dimension of the result, in elements: 0 where it
// has not that dimension, or repeats itself.
inline int64_t StrideOf(const DLTensor& tensor, int dim) {
  return dim < 0 || tensor.shape[dim] == 1 ? 0 : tensor.strides[dim];
}

// Whether chunks along the first dimension lie together,
inline bool IsContiguous(int64_t stride, int64_t bytes) {
  return stride == bytes;
}

// and whether each begins at a multiple of its size; of `extent` elements
// there, `chunk` to a chunk.
inline bool IsAligned(const unsigned char* data, const int64_t* strides,
                      int num_dims, int64_t /*extent*/, int chunk,
                      int64_t bytes) {
  const int64_t word = bytes * chunk;
  if (reinterpret_cast<uintptr_t>(data) % static_cast<size_t>(word)) {
    return false;
  }
  for (int d = 1; d < num_dims; ++d) {
    if (strides[d] % word != 0) return false;
  }
  return true;
}

// What has more elements is cut, so that chunks and their places are 32-bit
// integers everywhere.
inline int64_t MaxJobElements() { return int64_t{1} << 30; }

// A job as it is launched.
inline void Prepare(Job* /*job*/) {}

// The jobs of a batch, in the order of their launches.
inline void PrepareBatch(Job* /*jobs*/, size_t /*count*/) {}

// Whether what was collected is launched before a job that is not.
inline bool FlushesFirst() { return true; }

// A call without elements: nothing is launched. Returns what went wrong, or
// nullptr.
inline const char* RunEmpty(const Function& /*function*/) { return nullptr; }

// What went wrong with launches.
inline const char* Checked(const char* error) { return error; }

#ifdef __CUDACC__
// What launches and copies follow each other on.
inline cudaStream_t Stream() { return nullptr; }
#endif

// The plugin.
inline const AssayBackend* Offered(const AssayBackend* backend) {
  return backend;
}

}  // namespace hooks
}  // namespace assay::cuda

#endif  // ASSAY_CUDA_HOOKS

#endif  // ASSAY_BACKENDS_CUDA_CORE_HOOKS_H_
