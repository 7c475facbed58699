// The host takes the place of a device here: device memory is host memory, and
// launches are complete when they return.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/cuda/core/runtime.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {
namespace {

uint32_t g_seed = 0;
const char* g_launch_error = nullptr;
bool g_has_arena = false;
using Memory = std::unique_ptr<unsigned char[]>;
std::vector<Memory> g_arena;

// Memory has any contents, and is nullptr if there is none, as on a device.
Memory Allocate(size_t bytes) {
  return Memory(new (std::nothrow) unsigned char[bytes]);
}

// This small generator makes launches that follow each other differ.
uint32_t Next() {
  g_seed = g_seed * 747796405u + 2891336453u;
  return (g_seed >> ((g_seed >> 28) + 4)) ^ g_seed;
}

}  // namespace

const char kBackendName[] = "cuda-host";
const DLDeviceType kDeviceType = kDLCPU;

const char* UseDevice(int) { return "the host has no devices"; }
const char* EnterDevice() { return nullptr; }

void* Workspace(int place, size_t bytes) {
  static Memory memory[kWorkspaces];
  Memory fresh = Allocate(bytes);
  void* const data = fresh.get();
  if (g_has_arena) {
    g_arena.push_back(std::move(fresh));
  } else {
    memory[place] = std::move(fresh);
  }
  return data;
}

void BeginArena() { g_has_arena = true; }

void EndArena() {
  g_has_arena = false;
  g_arena.clear();
}

ArenaMark MarkArena() { return {g_arena.size(), 0}; }

void RewindArena(const ArenaMark& mark) { g_arena.resize(mark.block); }

uint32_t* ClearedFlag() {
  auto* const flag =
      static_cast<uint32_t*>(Workspace(kWorkspaces - 1, sizeof(uint32_t)));
  if (flag != nullptr) *flag = 0;
  return flag;
}

const char* ReadFlag(const uint32_t* flag, bool* is_set) {
  *is_set = *flag != 0;
  return nullptr;
}

const Job* UploadJobs(const Job* jobs, size_t) { return jobs; }

void* UploadValues(const void* values, size_t bytes) {
  void* const copy = Workspace(1, bytes);
  if (copy != nullptr) memcpy(copy, values, bytes);
  return copy;
}

const char* Download(const void* from, size_t bytes, void* to) {
  memcpy(to, from, bytes);
  return nullptr;
}

bool IsDevicePointer(const void*) { return true; }

const char* LaunchError() { return std::exchange(g_launch_error, nullptr); }

bool MayLaunch(uint32_t blocks, uint32_t threads) {
  if (blocks > 0 && threads > 0 && threads <= kTuning.threads) return true;
  g_launch_error = "invalid configuration argument";
  return false;
}

void* SharedMemory(size_t bytes) {
  static unsigned char* end = nullptr;
  static size_t size = 0;
  if (bytes > size) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size = (bytes + page - 1) / page * page;
    // A larger size leaves the smaller memory allocated, since there are only a
    // few sizes.
    void* const memory = mmap(nullptr, size + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    end = static_cast<unsigned char*>(memory) + size;
    if (mprotect(end, page, PROT_NONE) != 0) abort();
  }
  return end - bytes;
}

const char* Synchronise() { return nullptr; }

void SetThreadSeed(uint32_t seed) { g_seed = seed; }

// Multiples of a step that has no divisor in common with the size are all
// different.
ThreadOrder::ThreadOrder(uint32_t size) : size_(size) {
  const uint32_t random = Next();
  first_ = random % size;
  step_ = (random >> 8) % size;
  while (std::gcd(step_, size) != 1) ++step_;
}

}  // namespace assay::cuda
