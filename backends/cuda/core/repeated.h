// This is the kernel for large results of operands that repeat themselves: all
// their rows are the same, or all their columns. A thread takes chunks of many
// rows that lie below each other, and loads, and if possible computes, their
// common data once: there is little to read, so that everything else that is
// done for an element would limit the kernel.
#ifndef ASSAY_BACKENDS_CUDA_CORE_REPEATED_H_
#define ASSAY_BACKENDS_CUDA_CORE_REPEATED_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/elementwise.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

// The groups are those whose results are written faster than they are computed.
// Plan in nest.cc chooses the jobs.
template <class Group>
inline constexpr bool kIsRepeated =
    !Group::kIsHeavy && kInputsOf<Group> <= 2 && kLargest<Group> <= 8 &&
    kSizeOf<typename Group::Out> <= (kInputsOf<Group> == 1 ? 4 : 2);

// A chunk's store limits it, not its loads: its elements make 16 bytes of the
// result, or half of that if it would take too many registers.
template <class Group>
inline constexpr int kRepeatedChunk =
    (kLargest<Group> == 8 ? 8 : 16) / kSizeOf<typename Group::Out>;

template <class Group>
struct Repeated {
  static constexpr int kCount = kRepeatedChunk<Group>;
  // These rows are computed together.
  static constexpr int kTogether = 16 / kCount;
  static constexpr int kAll = kTogether * kCount;
  static constexpr int kBlocks = 4;

  using In0 = typename Group::In0;
  using In1 = Stored<typename Group::In1>;
  using In2 = Stored<typename Group::In2>;
  using Out = typename Group::Out;

  // A column of operands or of results is a sequence of addresses at a constant
  // distance. Offsets are added up, since multiplying them would be most of the
  // work.
  template <class Byte>
  struct Column {
    Byte* next;
    int64_t stride;

    ASSAY_DEVICE Column(const KernelHooks& hooks, const Operand& operand,
                        int64_t offset)
        : next(operand.data + offset),
          stride(hooks.Offset(1, operand.strides[1])) {}

    ASSAY_DEVICE Byte* Next() {
      Byte* const here = next;
      next += stride;
      return here;
    }
  };
  using From = Column<const unsigned char>;
  using To = Column<unsigned char>;

  // Loads the chunk that all rows of an operand have in common.
  template <class T>
  ASSAY_DEVICE static void LoadRow(const Job& job, const Operand& operand,
                                   int64_t offset, T (&row)[kCount]) {
    constexpr int kOfWord = kCount * sizeof(T) > 16 ? 16 / sizeof(T) : kCount;
    const unsigned char* from = operand.data + offset;
    const bool is_reversed = operand.reading == Reading::kReversed;
    if (is_reversed) from -= (kCount - 1) * sizeof(T);
    T values[kCount];
    ASSAY_UNROLL
    for (int i = 0; i < kCount; i += kOfWord) {
      Chunk<T, kOfWord>::Load(job.parameters, from + i * sizeof(T))
          .Unpack(values + i);
    }
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i)
      row[i] = is_reversed ? values[kCount - 1 - i] : values[i];
  }

  // Loads one element for each existing row of an operand whose columns are all
  // the same. Callers load the next elements before they use those that were
  // loaded.
  template <class T>
  ASSAY_DEVICE static void LoadColumn(const KernelHooks& hooks, uint32_t chunk,
                                      int32_t rows, From* from,
                                      T (&column)[kTogether]) {
    ASSAY_UNROLL
    for (int32_t i = 0; i < kTogether; ++i) {
      const unsigned char* const element = from->Next();
      column[i] = {};
      if (i < rows) column[i] = hooks.LoadOne<T>(element, chunk);
    }
  }

  ASSAY_DEVICE static void Store(int32_t row, int32_t rows, const void* chunk,
                                 To* to) {
    unsigned char* const place = to->Next();
    if (row < rows) StoreWord<kCount * sizeof(Out)>(chunk, place);
  }

  using ChunkPlace = Place<kInputsOf<Group>>;

  // Computes a single operand whose rows are all the same.
  ASSAY_DEVICE static void RunRow(const Job& job, const ChunkPlace& place,
                                  int32_t rows, To to) {
    In0 row[kCount];
    const In1 b[kCount] = {};
    const In2 c[kCount] = {};
    Out out[kCount];
    LoadRow(job, job.inputs[0], place.inputs[0], row);
    Group::Compute(job, row, b, c, out);
    ASSAY_UNROLL
    for (int32_t r = 0; r < kRepeatedRows; ++r) Store(r, rows, out, &to);
  }

  ASSAY_DEVICE static void RunColumn(const Job& job, uint32_t chunk,
                                     const ChunkPlace& place, int32_t rows,
                                     To to) {
    const KernelHooks& hooks = job.parameters;
    From from(hooks, job.inputs[0], place.inputs[0]);
    In0 next[kTogether];
    LoadColumn(hooks, chunk, rows, &from, next);
    ASSAY_ROLL
    for (int32_t first = 0; first < rows; first += kTogether) {
      In0 column[kTogether];
      memcpy(column, next, sizeof(column));
      LoadColumn(hooks, chunk, rows - first - kTogether, &from, next);
      const In1 b[kTogether] = {};
      const In2 c[kTogether] = {};
      Out out[kTogether];
      Group::Compute(job, column, b, c, out);
      ASSAY_UNROLL
      for (int32_t i = 0; i < kTogether; ++i) {
        const auto word = Chunk<Out, kCount>::Of(out[i]);
        Store(i, rows - first, &word, &to);
      }
    }
  }

  // Computes two operands: all columns of one are the same, all rows of the
  // other.
  template <bool kFirstIsColumn>
  ASSAY_DEVICE static void RunBoth(const Job& job, uint32_t chunk,
                                   const ChunkPlace& place, int32_t rows,
                                   To to) {
    const KernelHooks& hooks = job.parameters;
    constexpr int kColumn = kFirstIsColumn ? 0 : 1;
    constexpr int kRow = 1 - kColumn;
    using OfColumn = std::conditional_t<kFirstIsColumn, In0, In1>;
    using OfRow = std::conditional_t<kFirstIsColumn, In1, In0>;
    OfRow row[kCount];
    LoadRow(job, job.inputs[kRow], place.inputs[kRow], row);
    From from(hooks, job.inputs[kColumn], place.inputs[kColumn]);
    OfColumn next[kTogether];
    LoadColumn(hooks, chunk, rows, &from, next);
    ASSAY_ROLL
    for (int32_t first = 0; first < rows; first += kTogether) {
      OfColumn column[kTogether];
      memcpy(column, next, sizeof(column));
      LoadColumn(hooks, chunk, rows - first - kTogether, &from, next);
      In0 a[kAll];
      In1 b[kAll];
      const In2 c[kAll] = {};
      Out out[kAll];
      ASSAY_UNROLL
      for (int i = 0; i < kAll; ++i) {
        if constexpr (kFirstIsColumn) {
          a[i] = column[i / kCount];
          b[i] = row[i % kCount];
        } else {
          a[i] = row[i % kCount];
          b[i] = column[i / kCount];
        }
      }
      Group::Compute(job, a, b, c, out);
      ASSAY_UNROLL
      for (int32_t i = 0; i < kTogether; ++i)
        Store(i, rows - first, out + i * kCount, &to);
    }
  }

  ASSAY_DEVICE static void Run(const Job& job, const Thread& thread) {
    ForEachChunk(job, thread, [&](uint32_t chunk) {
      const auto place =
          ChunkPlace::template Of<kRepeatedRows>(job, chunk, kCount);
      const int32_t rows = static_cast<int32_t>(
          place.rows < kRepeatedRows ? place.rows : kRepeatedRows);
      const To to(job.parameters, job.output, place.output);
      const bool first_is_column = job.inputs[0].reading == Reading::kOne;
      if constexpr (kInputsOf<Group> == 1) {
        if (first_is_column) {
          RunColumn(job, chunk, place, rows, to);
        } else {
          RunRow(job, place, rows, to);
        }
      } else {
        if (first_is_column) {
          RunBoth<true>(job, chunk, place, rows, to);
        } else {
          RunBoth<false>(job, chunk, place, rows, to);
        }
      }
    });
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_REPEATED_H_
