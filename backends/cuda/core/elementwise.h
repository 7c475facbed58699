// This is the kernel of every elementwise op, on any layout: each thread loads
// a chunk of every operand into registers, computes and stores.
//
// A group is a set of ops on operands of the same sizes, and one kernel: the op
// is looked up once a chunk, so that a kernel serves dozens of ops, compiles
// once for all of them, and many small calls are one launch. The members of a
// group are
//   In0, In1, In2, Out   the types of elements; void if there is no operand
//   kIsHeavy             whether something else than memory limits the kernel
//   kIsTiled             whether there is a kernel for transposed operands
//   Compute(job, a, b, c, out)   the op on arrays of as many elements each
#ifndef ASSAY_BACKENDS_CUDA_CORE_ELEMENTWISE_H_
#define ASSAY_BACKENDS_CUDA_CORE_ELEMENTWISE_H_

#include <type_traits>

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

template <class T>
inline constexpr int kSizeOf = sizeof(T);
template <>
inline constexpr int kSizeOf<void> = 0;

constexpr int Larger(int a, int b) { return a < b ? b : a; }

template <class Group>
inline constexpr int kLargest =
    Larger(Larger(kSizeOf<typename Group::In0>, kSizeOf<typename Group::In1>),
           Larger(kSizeOf<typename Group::In2>, kSizeOf<typename Group::Out>));

template <class Group>
inline constexpr int kInputsOf = std::is_void_v<typename Group::In1>   ? 1
                                 : std::is_void_v<typename Group::In2> ? 2
                                                                       : 3;

// This is the number of elements of a chunk: the largest operand has one access
// of 16 bytes, or of 8 if more than 8 elements would make the code long.
template <class Group>
inline constexpr int kChunk = kLargest<Group> == 1 ? (Group::kIsHeavy ? 4 : 8)
                                                   : 16 / kLargest<Group>;

// Loads the n-th chunk, of which `count` elements exist. All elements are
// computed: those that do not exist are 0, since a function of garbage might be
// undecided.
template <class T, int kCount>
ASSAY_DEVICE void LoadChunk(const KernelHooks& hooks, uint32_t n,
                            const Operand& operand, int64_t offset,
                            uint32_t count, T (&chunk)[kCount]) {
  const unsigned char* from = operand.data + offset;
  if (operand.reading == Reading::kVector && count == kCount) {
    hooks.LoadWord<kCount * sizeof(T)>(from, chunk);
  } else if (operand.reading == Reading::kOne) {
    const T one = hooks.LoadOne<T>(from, n);
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) chunk[i] = one;
  } else {
    const int64_t stride = operand.strides[0];
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) {
      chunk[i] = {};
      if (static_cast<uint32_t>(i) < count)
        chunk[i] = hooks.LoadElement<T>(from + i * stride);
    }
  }
}

template <class T, int kCount>
ASSAY_DEVICE void StoreChunk(const Operand& operand, int64_t offset,
                             uint32_t count, const T (&chunk)[kCount]) {
  unsigned char* to = operand.data + offset;
  if (operand.reading == Reading::kVector && count == kCount) {
    StoreWord<kCount * sizeof(T)>(chunk, to);
    return;
  }
  const int64_t stride = operand.strides[0];
  ASSAY_UNROLL
  for (int i = 0; i < kCount; ++i) {
    if (static_cast<uint32_t>(i) < count)
      *reinterpret_cast<T*>(to + i * stride) = chunk[i];
  }
}

// A Chunk is a whole chunk as it is loaded: any work on its elements before
// other chunks are loaded would make those loads wait for this one.
template <class T, int kCount>
struct Chunk {
  typename Word<kCount * sizeof(T)>::Type word;

  ASSAY_DEVICE static Chunk Load(const KernelHooks& hooks,
                                 const unsigned char* from) {
    Chunk chunk;
    hooks.LoadWord<sizeof(chunk)>(from, &chunk.word);
    return chunk;
  }
  ASSAY_DEVICE static Chunk Of(T one) {
    T values[kCount];
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) values[i] = one;
    return BitCast<Chunk>(values);
  }
  ASSAY_DEVICE void Reverse() {
    T values[kCount], reversed[kCount];
    Unpack(values);
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) reversed[i] = values[kCount - 1 - i];
    memcpy(&word, reversed, sizeof(word));
  }
  ASSAY_DEVICE void Unpack(T* to) const {
    if constexpr (sizeof(T) == 2 && kCount % 2 == 0) {
      // The compiler merges these shifts with those of the computation.
      uint32_t pairs[kCount / 2];
      memcpy(pairs, &word, sizeof(pairs));
      ASSAY_UNROLL
      for (int i = 0; i < kCount; ++i)
        to[i] = static_cast<T>(pairs[i / 2] >> (i % 2 * 16));
    } else {
      T values[kCount];
      memcpy(values, &word, sizeof(values));
      ASSAY_UNROLL
      for (int i = 0; i < kCount; ++i) to[i] = values[i];
    }
  }
};

// A Place says where a chunk begins, in bytes from the operands' first
// elements.
template <int kInputs>
struct Place {
  int64_t inputs[kInputs];
  int64_t output;
  uint32_t count;  // Elements of the chunk that exist.
  uint32_t rows;   // Rows from this one on that exist.

  // Returns the place of the first of kRows chunks that lie below each other
  // along the second dimension.
  template <int kRows = 1>
  ASSAY_DEVICE static Place Of(const Job& job, uint32_t chunk, int size) {
    const KernelHooks& hooks = job.parameters;
    const uint32_t row = job.chunks_of_row.Quotient(chunk);
    const uint32_t first =
        (chunk - row * job.chunks_of_row.divisor) * static_cast<uint32_t>(size);
    Place place;
    ASSAY_UNROLL
    for (int k = 0; k < kInputs; ++k)
      place.inputs[k] = hooks.Offset(first, job.inputs[k].strides[0]);
    place.output = hooks.Offset(first, job.output.strides[0]);
    place.count = hooks.Count(job.extent - first, static_cast<uint32_t>(size));
    place.rows = 1;
    uint32_t rest = row;
    ASSAY_ROLL
    for (int d = 1; d < job.num_dims; ++d) {
      const uint32_t outer = job.extents[d].Quotient(rest);
      uint32_t index = rest - outer * job.extents[d].divisor;
      rest = outer;
      if (kRows > 1 && d == 1) {
        index *= kRows;
        place.rows = job.second_extent - index;
      }
      ASSAY_UNROLL
      for (int k = 0; k < kInputs; ++k)
        place.inputs[k] += hooks.Offset(index, job.inputs[k].strides[d]);
      place.output += hooks.Offset(index, job.output.strides[d]);
    }
    return place;
  }
};

// Calls run(chunk) for each chunk of the job that this thread takes.
template <class Body>
ASSAY_DEVICE void ForEachChunk(const Job& job, const Thread& thread,
                               const Body& run) {
  const KernelHooks& hooks = job.parameters;
  const uint32_t stride = hooks.Stride(thread);
  for (uint32_t chunk = thread.block * thread.threads + thread.thread;
       hooks.IsIn(chunk, job.chunks);
       chunk = hooks.Next(chunk, stride, job.chunks))
    run(chunk);
}

// Nothing takes the place of an operand that a group does not have.
struct Nothing {};

template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, Nothing, T>;

// Chunks of one element are for jobs whose rows are short.
template <class Group, int kCount = kChunk<Group>>
struct Elementwise {
  // A multiprocessor has at least this many blocks at a time: some load while
  // others compute. The number limits the registers of a thread.
  static constexpr int kBlocks = 1;

  ASSAY_DEVICE static void Run(const Job& job, const Thread& thread) {
    const KernelHooks& hooks = job.parameters;
    ForEachChunk(job, thread, [&](uint32_t chunk) {
      const auto place = Place<kInputsOf<Group>>::Of(job, chunk, kCount);
      const uint32_t count = place.count;
      Stored<typename Group::In0> a[kCount];
      Stored<typename Group::In1> b[kCount];
      Stored<typename Group::In2> c[kCount];
      typename Group::Out out[kCount];
      LoadChunk(hooks, chunk, job.inputs[0], place.inputs[0], count, a);
      if constexpr (!std::is_void_v<typename Group::In1>)
        LoadChunk(hooks, chunk, job.inputs[1], place.inputs[1], count, b);
      if constexpr (!std::is_void_v<typename Group::In2>)
        LoadChunk(hooks, chunk, job.inputs[2], place.inputs[2], count, c);
      Group::Compute(job, a, b, c, out);
      StoreChunk(job.output, place.output, count, out);
    });
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_ELEMENTWISE_H_
