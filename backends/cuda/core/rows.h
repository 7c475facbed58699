// This is the kernel for whole, aligned chunks of large operands: each thread
// takes the chunks of some rows that lie below each other, so that their
// address is computed once, all are loaded before the first is used, and data
// that is the same in all rows is loaded once.
//
// Operands without rows are divided into rows, see nest.cc.
#ifndef ASSAY_BACKENDS_CUDA_CORE_ROWS_H_
#define ASSAY_BACKENDS_CUDA_CORE_ROWS_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/elementwise.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

// A thread takes the chunks of four rows, but of two if code is long or
// registers would be too few.
template <class Group>
inline constexpr int kRows = Group::kIsHeavy || kInputsOf<Group> > 2 ||
                                     kLargest<Group> == 1 ||
                                     (kInputsOf<Group> > 1 &&
                                      kLargest<Group> == 2)
                                 ? 2
                                 : 4;

template <class Group>
struct Rows {
  static constexpr int kCount = kChunk<Group>;
  static constexpr int kAll = kRows<Group> * kCount;
  // There are more blocks if little is written, since loads then take most of
  // the time.
  static constexpr int kBlocks =
      Group::kIsHeavy                                              ? 5
      : kInputsOf<Group> == 1 && kSizeOf<typename Group::Out> == 1 ? 6
                                                                   : 4;

  // These are the chunks of an operand. Rows that do not exist are replaced by
  // the last one.
  template <class T>
  struct Loaded {
    Chunk<T, kCount> chunks[kRows<Group>];

    ASSAY_DEVICE void Load(const KernelHooks& hooks, uint32_t chunk,
                           const Operand& operand, int64_t offset,
                           uint32_t rows) {
      const unsigned char* from = operand.data + offset;
      const int64_t stride = operand.strides[1];
      if (operand.reading == Reading::kOne) {
        T ones[kRows<Group>];
        ASSAY_UNROLL
        for (uint32_t r = 0; r < kRows<Group>; ++r)
          ones[r] =
              hooks.LoadOne<T>(from + Offset(hooks, r, rows, stride), chunk);
        ASSAY_UNROLL
        for (uint32_t r = 0; r < kRows<Group>; ++r)
          chunks[r] = Chunk<T, kCount>::Of(ones[r]);
        return;
      }
      if (operand.reading == Reading::kReversed)
        from -= (kCount - 1) * sizeof(T);
      ASSAY_UNROLL
      for (uint32_t r = 0; r < kRows<Group>; ++r) {
        if (r == 0 || stride != 0) {
          chunks[r] = Chunk<T, kCount>::Load(
              hooks, from + Offset(hooks, r, rows, stride));
        }
      }
    }

    ASSAY_DEVICE void Unpack(const Operand& operand, T (&values)[kAll]) {
      if (operand.strides[1] == 0) {
        ASSAY_UNROLL
        for (int r = 1; r < kRows<Group>; ++r) chunks[r] = chunks[0];
        StayInBranch();
      }
      if (operand.reading == Reading::kReversed) {
        ASSAY_UNROLL
        for (int r = 0; r < kRows<Group>; ++r) chunks[r].Reverse();
        StayInBranch();
      }
      ASSAY_UNROLL
      for (int r = 0; r < kRows<Group>; ++r)
        chunks[r].Unpack(values + r * kCount);
    }

   private:
    ASSAY_DEVICE static int64_t Offset(const KernelHooks& hooks, uint32_t r,
                                       uint32_t rows, int64_t stride) {
      return hooks.Offset(r < rows ? r : rows - 1, stride);
    }
  };

  ASSAY_DEVICE static void Run(const Job& job, const Thread& thread) {
    const KernelHooks& hooks = job.parameters;
    ForEachChunk(job, thread, [&](uint32_t chunk) {
      using ChunkPlace = Place<kInputsOf<Group>>;
      const auto place =
          ChunkPlace::template Of<kRows<Group>>(job, chunk, kCount);
      const uint32_t rows = place.rows;
      constexpr int kInputs = kInputsOf<Group>;
      Loaded<Stored<typename Group::In0>> first;
      Loaded<Stored<typename Group::In1>> second;
      Loaded<Stored<typename Group::In2>> third;
      first.Load(hooks, chunk, job.inputs[0], place.inputs[0], rows);
      if constexpr (kInputs > 1)
        second.Load(hooks, chunk, job.inputs[1], place.inputs[1], rows);
      if constexpr (kInputs > 2)
        third.Load(hooks, chunk, job.inputs[2], place.inputs[2], rows);
      Stored<typename Group::In0> a[kAll];
      Stored<typename Group::In1> b[kAll];
      Stored<typename Group::In2> c[kAll];
      typename Group::Out out[kAll];
      first.Unpack(job.inputs[0], a);
      if constexpr (kInputs > 1) second.Unpack(job.inputs[1], b);
      if constexpr (kInputs > 2) third.Unpack(job.inputs[2], c);
      Group::Compute(job, a, b, c, out);
      unsigned char* const to = job.output.data + place.output;
      ASSAY_UNROLL
      for (uint32_t r = 0; r < kRows<Group>; ++r) {
        if (r < rows) {
          StoreWord<kCount * sizeof(*out)>(
              out + r * kCount, to + hooks.Offset(r, job.output.strides[1]));
        }
      }
    });
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_ROWS_H_
