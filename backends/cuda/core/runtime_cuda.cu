// This file uses the CUDA runtime, with one stream on which launches and the
// worker's copies follow each other.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

const char* TextOf(cudaError_t error) {
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

int g_device = 0;
// This is the device that the thread was given.
thread_local int t_device = -1;

struct Block {
  void* data = nullptr;
  size_t bytes = 0;
};

// A block grows by factors of two, so that few calls wait for it.
bool Reserve(size_t bytes, Block* block) {
  if (block->bytes >= bytes && block->data != nullptr) return true;
  cudaFree(block->data);
  *block = {};
  size_t size = size_t{1} << 16;
  while (size < bytes) size *= 2;
  // If there is no memory for the rounded size, the exact size is tried.
  for (const size_t wanted : {size, bytes}) {
    if (cudaMalloc(&block->data, wanted) == cudaSuccess) {
      block->bytes = wanted;
      return true;
    }
    cudaGetLastError();
    block->data = nullptr;
  }
  return false;
}

// An arena gives out memory from blocks that are kept, one after another.
struct Arena {
  static constexpr size_t kBlockBytes = size_t{16} << 20;
  static constexpr size_t kAlignment = 256;

  bool is_open = false;
  std::vector<Block> blocks;
  size_t block = 0;
  size_t used = 0;  // Used bytes of that block.

  void* Take(size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    while (block < blocks.size() && used + bytes > blocks[block].bytes) {
      ++block;
      used = 0;
    }
    if (block == blocks.size()) {
      Block fresh;
      if (!Reserve(std::max(bytes, kBlockBytes), &fresh)) return nullptr;
      blocks.push_back(fresh);
    }
    void* const data = static_cast<char*>(blocks[block].data) + used;
    used += bytes;
    return data;
  }
};

Arena g_arena;

using GetPointerAttribute = CUresult(CUDAAPI*)(void*, CUpointer_attribute,
                                               CUdeviceptr);

GetPointerAttribute FindGetPointerAttribute() {
  constexpr char kName[] = "cuPointerGetAttribute";
  void* function = nullptr;
#if CUDART_VERSION >= 12050
  const cudaError_t found = cudaGetDriverEntryPointByVersion(
      kName, &function, 12000, cudaEnableDefault);
#else
  const cudaError_t found =
      cudaGetDriverEntryPoint(kName, &function, cudaEnableDefault);
#endif
  if (found != cudaSuccess) {
    cudaGetLastError();  // It is no error of a launch.
    return nullptr;
  }
  return reinterpret_cast<GetPointerAttribute>(function);
}

// Asks the driver for one attribute: the runtime would ask for six, which is a
// tenth of the cost of a small call. Returns false also if the runtime has to
// be asked.
bool DriverSaysDevice(const void* pointer) {
  static const GetPointerAttribute get = FindGetPointerAttribute();
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  return get != nullptr &&
         get(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
             reinterpret_cast<CUdeviceptr>(pointer)) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_DEVICE;
}

}  // namespace

const char kBackendName[] = "cuda";
const DLDeviceType kDeviceType = kDLCUDA;

const char* UseDevice(int device) {
  int count = 0;
  if (const char* error = TextOf(cudaGetDeviceCount(&count))) return error;
  if (device >= count) return "there is no device of this number";
  g_device = device;
  return EnterDevice();
}

const char* EnterDevice() {
  if (t_device == g_device) return nullptr;
  if (const char* error = TextOf(cudaSetDevice(g_device))) return error;
  t_device = g_device;
  return nullptr;
}

void* Workspace(int place, size_t bytes) {
  if (g_arena.is_open) return g_arena.Take(bytes);
  static Block blocks[kWorkspaces];
  return Reserve(bytes, &blocks[place]) ? blocks[place].data : nullptr;
}

void BeginArena() {
  g_arena.is_open = true;
  g_arena.block = g_arena.used = 0;
}

// Blocks larger than the usual size are not kept, because tensors may need the
// memory.
void EndArena() {
  g_arena.is_open = false;
  std::erase_if(g_arena.blocks, [](const Block& block) {
    if (block.bytes <= Arena::kBlockBytes) return false;
    cudaFree(block.data);
    return true;
  });
}

ArenaMark MarkArena() { return {g_arena.block, g_arena.used}; }

void RewindArena(const ArenaMark& mark) {
  g_arena.block = mark.block;
  g_arena.used = mark.used;
}

uint32_t* ClearedFlag() {
  auto* const flag =
      static_cast<uint32_t*>(Workspace(kWorkspaces - 1, sizeof(uint32_t)));
  if (flag != nullptr) cudaMemsetAsync(flag, 0, sizeof(*flag), CurrentStream());
  return flag;
}

const char* ReadFlag(const uint32_t* flag, bool* is_set) {
  uint32_t value = 0;
  const char* error =
      TextOf(cudaMemcpy(&value, flag, sizeof(value), cudaMemcpyDeviceToHost));
  *is_set = value != 0;
  return error;
}

const Job* UploadJobs(const Job* jobs, size_t count) {
  void* const copy = Workspace(0, count * sizeof(Job));
  if (copy == nullptr) return nullptr;
  if (cudaMemcpyAsync(copy, jobs, count * sizeof(Job), cudaMemcpyHostToDevice,
                      CurrentStream()) != cudaSuccess)
    return nullptr;
  return static_cast<const Job*>(copy);
}

// A copy from pageable memory has read it when the call returns.
void* UploadValues(const void* values, size_t bytes) {
  void* const copy = Workspace(1, bytes);
  if (copy == nullptr) return nullptr;
  return cudaMemcpyAsync(copy, values, bytes, cudaMemcpyHostToDevice,
                         CurrentStream()) == cudaSuccess
             ? copy
             : nullptr;
}

const char* Download(const void* from, size_t bytes, void* to) {
  const char* error = TextOf(cudaStreamSynchronize(CurrentStream()));
  if (error != nullptr) return error;
  return TextOf(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

bool IsDevicePointer(const void* pointer) {
  if (DriverSaysDevice(pointer)) return true;
  cudaPointerAttributes attributes = {};
  const cudaError_t asked = cudaPointerGetAttributes(&attributes, pointer);
  if (asked != cudaSuccess) {
    cudaGetLastError();
    // If the device is lost, the launch reports that.
    return asked != cudaErrorInvalidValue;
  }
  return attributes.type == cudaMemoryTypeDevice ||
         attributes.type == cudaMemoryTypeManaged;
}

const char* LaunchError() { return TextOf(cudaGetLastError()); }

const char* Synchronise() { return TextOf(cudaStreamSynchronize(nullptr)); }

cudaStream_t CurrentStream() { return hooks::Stream(); }

}  // namespace assay::cuda
