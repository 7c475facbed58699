// The kernel for whole, aligned chunks of large operands: each thread takes the
// chunks of some rows that lie below each other, so that where they lie is
// worked out once, all are loaded before the first is used, and what is the
// same in all rows is loaded once.
//
// What has no rows is given some: see nest.cc.
#ifndef ASSAY_BACKENDS_CUDA_ROWS_H_
#define ASSAY_BACKENDS_CUDA_ROWS_H_

#include <type_traits>

#include "backends/cuda/device.h"
#include "backends/cuda/elementwise.h"
#include "backends/cuda/hooks.h"
#include "backends/cuda/job.h"

namespace assay::cuda {

// Rows of a thread: 16 elements of it, but for functions, whose code is long,
// two chunks.
template <class Group>
inline constexpr int kRows =
    Group::kIsHeavy || kChunk<Group> >= 8 ? 2 : 4;

template <class Group>
struct Rows {
  static constexpr int kCount = kChunk<Group>;
  static constexpr int kAll = kRows<Group> * kCount;

  template <class T>
  ASSAY_DEVICE static void LoadChunk(const KernelHooks& hooks, uint32_t chunk,
                                     const Operand& operand,
                                     const unsigned char* from, T* to) {
    if (operand.reading == Reading::kOne) {
      const T one = hooks.LoadOne<T>(from, chunk);
      ASSAY_UNROLL
      for (int i = 0; i < kCount; ++i) to[i] = one;
    } else if (operand.reading == Reading::kReversed) {
      T word[kCount];
      hooks.LoadWord<kCount * sizeof(T)>(from - (kCount - 1) * sizeof(T), word);
      ASSAY_UNROLL
      for (int i = 0; i < kCount; ++i) to[i] = word[kCount - 1 - i];
    } else {
      hooks.LoadWord<kCount * sizeof(T)>(from, to);
    }
  }

  // Rows that there are not are the last one once more.
  template <class T>
  ASSAY_DEVICE static void LoadRows(const KernelHooks& hooks, uint32_t chunk,
                                    const Operand& operand, int64_t offset,
                                    uint32_t rows, T (&values)[kAll]) {
    const unsigned char* const from = operand.data + offset;
    const int64_t stride = operand.strides[1];
    LoadChunk(hooks, chunk, operand, from, values);
    if (stride == 0) {
      ASSAY_UNROLL
      for (int i = kCount; i < kAll; ++i) values[i] = values[i - kCount];
      return;
    }
    ASSAY_UNROLL
    for (uint32_t r = 1; r < kRows<Group>; ++r) {
      const uint32_t row = r < rows ? r : rows - 1;
      LoadChunk(hooks, chunk, operand, from + hooks.Offset(row, stride),
                values + r * kCount);
    }
  }

  ASSAY_DEVICE static void Run(const Job& job, const Thread& thread) {
    const KernelHooks& hooks = job.parameters;
    const uint32_t stride = hooks.Stride(thread);
    for (uint32_t chunk = thread.block * thread.threads + thread.thread;
         hooks.IsIn(chunk, job.chunks);
         chunk = hooks.Next(chunk, stride, job.chunks)) {
      using ChunkPlace = Place<kInputsOf<Group>>;
      const auto place = ChunkPlace::template Of<kRows<Group>>(job, chunk,
                                                               kCount);
      Stored<typename Group::In0> a[kAll];
      Stored<typename Group::In1> b[kAll];
      Stored<typename Group::In2> c[kAll];
      typename Group::Out out[kAll];
      const uint32_t rows = place.rows;
      LoadRows(hooks, chunk, job.inputs[0], place.inputs[0], rows, a);
      if constexpr (!std::is_void_v<typename Group::In1>)
        LoadRows(hooks, chunk, job.inputs[1], place.inputs[1], rows, b);
      if constexpr (!std::is_void_v<typename Group::In2>)
        LoadRows(hooks, chunk, job.inputs[2], place.inputs[2], rows, c);
      Group::Compute(job, a, b, c, out);
      unsigned char* const to = job.output.data + place.output;
      ASSAY_UNROLL
      for (uint32_t r = 0; r < kRows<Group>; ++r) {
        if (r < rows) {
          StoreWord<kCount * sizeof(*out)>(
              out + r * kCount, to + hooks.Offset(r, job.output.strides[1]));
        }
      }
    }
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ROWS_H_
