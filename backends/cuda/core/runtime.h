// What the two machines do each in their way: streams and memory of a GPU, the
// order of threads on the host. runtime_cuda.cu and runtime_host.cc.
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
// That device for the thread that asks, which may be another one. Returns what
// is wrong, or nullptr.
const char* EnterDevice();

// Memory of the device for what is in between, at least `bytes`, until the next
// call of the kind with the same `place`; within an arena, until its end.
// nullptr if there is none.
inline constexpr int kWorkspaces = 16;  // Of a stage of a pointwise call each.
void* Workspace(int place, size_t bytes);

// Between the two, which do not nest, all memory that is given out is its own.
void BeginArena();
void EndArena();

// What an arena has given out so far. Once it is rewound to a mark, what it
// gave out since then is given out again: to what is launched later.
struct ArenaMark {
  size_t block;
  size_t used;
};
ArenaMark MarkArena();
void RewindArena(const ArenaMark& mark);

// A flag of the device that kernels set, cleared; nullptr if there is no
// memory.
uint32_t* ClearedFlag();
// Whether it was set, once all is done. Returns what went wrong, or nullptr.
const char* ReadFlag(const uint32_t* flag, bool* is_set);

// A copy on the device, within an arena; nullptr if there is no memory.
struct Job;
const Job* UploadJobs(const Job* jobs, size_t count);

// Whether a pointer is one that kernels may be given.
bool IsDevicePointer(const void* pointer);

// What went wrong since the last call, or nullptr.
const char* LaunchError();

// Waits until all is done. Returns what went wrong, or nullptr.
const char* Synchronise();

#ifdef __CUDACC__

cudaStream_t CurrentStream();

#else

// What a device refuses, the host refuses too: a launch of nothing, or of more
// threads to a block than kernels are compiled for. LaunchError says so.
bool MayLaunch(uint32_t blocks, uint32_t threads);

// What a block shares, until the next call. It ends in front of a page that
// must not be touched.
void* SharedMemory(size_t bytes);

// Of what the next kernels do: 0 is ascending, 1 descending, anything else a
// permutation that follows from it.
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
