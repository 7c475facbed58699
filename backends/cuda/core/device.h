// This header is the border between CUDA and C++: it has the parts of either
// that kernel bodies need, so that the same bodies run on a GPU and, thread
// after thread, on the host.
//
// A body is a struct with a static function Run(job, thread) or, if threads of
// a block share memory, with two phases between which all of them wait. Bodies
// are launched by launch.h, which knows the two machines.
#ifndef ASSAY_BACKENDS_CUDA_CORE_DEVICE_H_
#define ASSAY_BACKENDS_CUDA_CORE_DEVICE_H_

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define ASSAY_DEVICE __device__ __forceinline__
// Large functions are compiled once, and called.
#define ASSAY_NOINLINE inline __device__ __noinline__
// Instructions read the numbers of such a table where they are stored. As a
// literal, each number would take two more instructions.
#define ASSAY_CONSTANT static __constant__
#define ASSAY_UNROLL _Pragma("unroll")
#define ASSAY_ROLL _Pragma("unroll 1")
#else
#include <stdio.h>
#include <stdlib.h>
#define ASSAY_DEVICE inline
#define ASSAY_NOINLINE inline __attribute__((noinline))
#define ASSAY_CONSTANT static constexpr
#define ASSAY_UNROLL
#define ASSAY_ROLL
#endif

// Bodies compiled with the fast mathematics of nvcc have names of their own.
#ifdef ASSAY_CUDA_FAST
#define ASSAY_CUDA_MATH fast
#else
#define ASSAY_CUDA_MATH ieee
#endif

namespace assay::cuda {

// A Thread says which thread of a launch this is.
struct Thread {
  uint32_t block;
  uint32_t blocks;
  uint32_t thread;  // Its place in the block.
  uint32_t threads;
};

// A Grid says how many blocks and threads a launch has.
struct Grid {
  uint32_t blocks;
  uint32_t threads;  // Threads of a block.
};

template <class To, class From>
ASSAY_DEVICE To BitCast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

ASSAY_DEVICE int PopulationCount(uint64_t bits) {
#ifdef __CUDACC__
  return __popcll(bits);
#else
  return __builtin_popcountll(bits);
#endif
}

// Returns 64 for 0.
ASSAY_DEVICE int LeadingZeros(uint64_t bits) {
#ifdef __CUDACC__
  return __clzll(static_cast<long long>(bits));
#else
  return bits == 0 ? 64 : __builtin_clzll(bits);
#endif
}

// A Word is one access to memory, of 1, 2, 4, 8 or 16 bytes.
template <int kBytes>
struct Word;
template <>
struct Word<1> {
  using Type = uint8_t;
};
template <>
struct Word<2> {
  using Type = uint16_t;
};
template <>
struct Word<4> {
  using Type = uint32_t;
};
template <>
struct Word<8> {
  using Type = uint64_t;
};
#ifdef __CUDACC__
template <>
struct Word<16> {
  using Type = uint4;
};
#else
template <>
struct Word<16> {
  struct alignas(16) Type {
    uint64_t parts[2];
  };
};
#endif

// A GPU faults where a vector is not aligned, and so does the host.
template <int kBytes>
ASSAY_DEVICE void CheckAligned(const void* address) {
#ifndef __CUDACC__
  if (reinterpret_cast<uintptr_t>(address) % kBytes == 0) return;
  fprintf(stderr, "cuda-host: misaligned access of %d bytes at %p\n", kBytes,
          address);
  abort();
#endif
}

template <int kBytes>
ASSAY_DEVICE void LoadWord(const void* from, void* to) {
  using Type = typename Word<kBytes>::Type;
  CheckAligned<kBytes>(from);
  const Type word = *static_cast<const Type*>(from);
  memcpy(to, &word, kBytes);
}

template <int kBytes>
ASSAY_DEVICE void StoreWord(const void* from, void* to) {
  using Type = typename Word<kBytes>::Type;
  CheckAligned<kBytes>(to);
  Type word;
  memcpy(&word, from, kBytes);
  *static_cast<Type*>(to) = word;
}

// Replaces any NaN by one pattern, which is all that a GPU has. A host returns
// the first of two NaN operands, and its compiler may treat either of them as
// the first, differently in every kernel.
template <class T>
ASSAY_DEVICE T WithOneNan(T x) {
#ifndef __CUDACC__
  if (x != x) return static_cast<T>(NAN);
#endif
  return x;
}

// A call at the end of a branch of moves that few threads take keeps the
// compiler from turning the moves into selections, which would cost all threads
// time.
ASSAY_DEVICE void StayInBranch() {
#ifdef __CUDACC__
  asm volatile("");
#endif
}

// Starts loading data that will be read soon.
ASSAY_DEVICE void Prefetch(const void* address) {
#ifdef __CUDACC__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_DEVICE_H_
