// This header declares what the two machines do each in their own way: streams
// and memory of a GPU, and the order of threads on the host. runtime_cuda.cu
// and runtime_host.cc implement it.
#ifndef ASSAY_BACKENDS_CUDA_CORE_RUNTIME_H_
#define ASSAY_BACKENDS_CUDA_CORE_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

namespace assay::cuda {

extern const char kBackendName[];
extern const DLDeviceType kDeviceType;

// Makes the n-th device current. Returns what is wrong, or nullptr.
const char* UseDevice(int device);
// Makes that device current for the calling thread, which may be another one.
// Returns what is wrong, or nullptr.
const char* EnterDevice();

// Returns at least `bytes` of memory of the device for intermediate results, or
// nullptr if there is none. The memory is valid until the next call with the
// same `place` or, within an arena, until the arena's end.
// There is a place for each stage of a pointwise call and one for the flag.
inline constexpr int kWorkspaces = 16;
void* Workspace(int place, size_t bytes);

// Sets `memory` to a workspace for so many values. Returns false if there is no
// memory.
template <class T>
bool Reserve(int place, int64_t count, T** memory) {
  *memory =
      static_cast<T*>(Workspace(place, static_cast<size_t>(count) * sizeof(T)));
  return *memory != nullptr;
}

// Between these two calls, which do not nest, memory that is given out is not
// given out again.
void BeginArena();
void EndArena();

// An ArenaMark records how much an arena has given out. Once the arena is
// rewound to a mark, memory that it gave out since then is given out again, for
// later launches.
struct ArenaMark {
  size_t block;
  size_t used;
};
ArenaMark MarkArena();
void RewindArena(const ArenaMark& mark);

// Returns a cleared flag on the device that kernels set, or nullptr if there is
// no memory.
uint32_t* ClearedFlag();
// Waits until all launches are done and reads whether the flag was set. Returns
// what went wrong, or nullptr.
const char* ReadFlag(const uint32_t* flag, bool* is_set);

// Returns a copy on the device, within an arena, or nullptr if there is no
// memory.
struct Job;
const Job* UploadJobs(const Job* jobs, size_t count);

// Returns a copy on the device of values in host memory, which is valid as a
// workspace is, or nullptr if there is no memory.
void* UploadValues(const void* values, size_t bytes);

// Copies memory of the device to the host, once all launches are done. Returns
// what went wrong, or nullptr.
const char* Download(const void* from, size_t bytes, void* to);

// Returns whether kernels may be given this pointer.
bool IsDevicePointer(const void* pointer);

// Returns what went wrong since the last call, or nullptr.
const char* LaunchError();

// Waits until all launches are done. Returns what went wrong, or nullptr.
const char* Synchronise();

#ifdef __CUDACC__

cudaStream_t CurrentStream();

#else

// Returns whether a device would accept the launch: it refuses launches of
// nothing, and more threads in a block than kernels are compiled for. After a
// refusal, LaunchError says so.
bool MayLaunch(uint32_t blocks, uint32_t threads);

// Returns the memory that a block shares, valid until the next call. It ends in
// front of a page that must not be touched.
void* SharedMemory(size_t bytes);

// Sets the order of threads in the next kernels: 0 is ascending, 1 descending,
// and any other seed gives a permutation.
void SetThreadSeed(uint32_t seed);

// A permutation of [0, size).
class ThreadOrder {
 public:
  explicit ThreadOrder(uint32_t size);
  uint32_t At(uint32_t i) const {
    return static_cast<uint32_t>((first_ + uint64_t{step_} * i) % size_);
  }

 private:
  uint32_t size_;
  uint32_t first_;
  uint32_t step_;
};

#endif

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_RUNTIME_H_
