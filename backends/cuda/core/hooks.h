// The kernels and the host's side do some things by a named hook, so that the
// same sources, compiled a second time, can do them wrong: ASSAY_CUDA_HOOKS is
// then the header that takes the place of this one
// (backends/broken/cuda/hooks.h).
//
// Hooks cost nothing here: all of them are inline and look at no data. The
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

// A TilePlace is a chunk or an element of a tile, as a part of a line.
struct TilePlace {
  uint32_t line;
  uint32_t part;
};

// These are the hooks of kernels. Parameters are made of them and of what an op
// asks for.
struct KernelHooks {
  // Returns the distance between two chunks of the same thread in the loop over
  // the chunks of a job. The threads of a launch take one chunk each at a time.
  ASSAY_DEVICE uint32_t Stride(const Thread& thread) const {
    return thread.blocks * thread.threads;
  }
  // Returns whether the job has this chunk.
  ASSAY_DEVICE bool IsIn(uint32_t chunk, uint32_t chunks) const {
    return chunk < chunks;
  }
  // Returns the next chunk of the same thread.
  ASSAY_DEVICE uint32_t Next(uint32_t chunk, uint32_t step,
                             uint32_t /*chunks*/) const {
    return chunk + step;
  }
  // Returns how many elements a chunk has if so many of its row are left.
  ASSAY_DEVICE uint32_t Count(uint32_t left, uint32_t size) const {
    return left < size ? left : size;
  }
  // Returns the offset of an element in bytes.
  ASSAY_DEVICE int64_t Offset(uint32_t index, int64_t stride) const {
    return index * stride;
  }

  // Loads an element whose parts are aligned, but not the whole element.
  template <class T>
  ASSAY_DEVICE T LoadElement(const unsigned char* from) const {
    return *reinterpret_cast<const T*>(from);
  }
  // Loads an element of an operand whose elements along the row are all this
  // one.
  template <class T>
  ASSAY_DEVICE T LoadOne(const unsigned char* from, uint32_t /*chunk*/) const {
    return LoadElement<T>(from);
  }
  template <int kBytes>
  ASSAY_DEVICE void LoadWord(const void* from, void* to) const {
    cuda::LoadWord<kBytes>(from, to);
  }

  // Returns the distance of two rows of a tile in shared memory, in words.
  ASSAY_DEVICE uint32_t Pitch(uint32_t parts) const { return parts; }
  // Returns the place of an element in a tile. A tile at an edge may not be
  // whole.
  ASSAY_DEVICE TilePlace InTile(const TilePlace& place,
                                bool /*is_whole*/) const {
    return place;
  }
  // Returns which of a block's tiles an operand has.
  ASSAY_DEVICE uint32_t TileOf(uint32_t operand) const { return operand; }
  // Returns the place of the n-th part that is stored, of so many parts in a
  // line.
  ASSAY_DEVICE TilePlace StoredPlace(uint32_t n, uint32_t parts) const {
    return {n / parts, n % parts};
  }
  // Returns whether an element is not beyond the edge.
  ASSAY_DEVICE bool IsInTile(uint32_t index, uint32_t extent) const {
    return index < extent;
  }

#ifdef __CUDACC__
  // These are the barriers between the phases of a block, and between copying
  // its job and running it.
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

// These are the hooks of the host's side.
namespace hooks {

// This says whether the plugin has the types that the planted bugs are not
// about: floats other than f32, and complex numbers.
inline constexpr bool kHasAllTypes = true;

// Returns a grid of as many threads as `work` items take.
inline Grid GridFor(uint32_t work) {
  const uint64_t items = kTuning.threads;
  const uint64_t blocks = (work + items - 1) / items;
  return {static_cast<uint32_t>(
              blocks < kTuning.max_blocks ? blocks : kTuning.max_blocks),
          kTuning.threads};
}

// Returns the stride of a tensor in a dimension of the result, in elements: it
// is 0 if the tensor does not have that dimension, or repeats itself there.
inline int64_t StrideOf(const DLTensor& tensor, int dim) {
  return dim < 0 || tensor.shape[dim] == 1 ? 0 : tensor.strides[dim];
}

// Returns whether chunks along the first dimension are contiguous.
inline bool IsContiguous(int64_t stride, int64_t bytes) {
  return stride == bytes;
}

// Returns whether each chunk begins at a multiple of its size. There are
// `extent` elements along the first dimension, `chunk` in a chunk.
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

// A job with more elements is cut, so that chunks and their places are 32-bit
// integers everywhere.
inline int64_t MaxJobElements() { return int64_t{1} << 30; }

// Changes a job just before it is launched.
inline void Prepare(Job* /*job*/) {}

// Changes the jobs of a batch, in the order of their launches.
inline void PrepareBatch(Job* /*jobs*/, size_t /*count*/) {}

// Returns whether the collected jobs are launched before a job that is not
// collected.
inline bool FlushesFirst() { return true; }

// Runs a call without elements, which launches nothing. Returns what went
// wrong, or nullptr.
inline const char* RunEmpty(const Function& /*function*/) { return nullptr; }

// Returns what went wrong with launches.
inline const char* Checked(const char* error) { return error; }

#ifdef __CUDACC__
// Returns the stream on which launches and copies follow each other.
inline cudaStream_t Stream() { return nullptr; }
#endif

// Returns the plugin.
inline const AssayBackend* Offered(const AssayBackend* backend) {
  return backend;
}

}  // namespace hooks
}  // namespace assay::cuda

#endif  // ASSAY_CUDA_HOOKS

#endif  // ASSAY_BACKENDS_CUDA_CORE_HOOKS_H_
