// This is the kernel for operands that are contiguous along another dimension
// than the result: a block takes a tile of both dimensions, transposes those
// operands in shared memory, and reads them from there.
//
// It has two phases, with a barrier between them. In whole tiles, a thread
// transposes a square of as many elements as a word has, in registers, so that
// shared memory is written and read in words. The places of the words of a row
// depend on the row, so that the words of a warp, along rows as well as along
// columns, are in different banks. Tiles that an edge cuts off, or whose
// operands are not aligned, are transposed element by element.
#ifndef ASSAY_BACKENDS_CUDA_CORE_TILED_H_
#define ASSAY_BACKENDS_CUDA_CORE_TILED_H_

#include <type_traits>

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/elementwise.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

// A tile has this many elements in either dimension: a thread has a word of
// each of as many lines, which must fit its registers, and two tiles must fit a
// block's shared memory.
template <class Group>
inline constexpr int kTile = kTileParts*(
    kLargest<Group> == 2 && kInputsOf<Group> == 1 && !Group::kIsHeavy ? 8
    : kLargest<Group> <= 4                                            ? 4
                           : 16 / kLargest<Group>);

template <class Group>
struct Tiled {
  static constexpr int kCount = kTile<Group> / kTileParts;
  static constexpr int kSide = kTile<Group>;
  static constexpr int kInputs = kInputsOf<Group>;
  static constexpr int kBlocks =
      kCount == 8                                                ? 3
      : kLargest<Group> == 2 && kInputs == 2 && !Group::kIsHeavy ? 6
                                                                 : 5;
  static constexpr uint32_t kElements = kSide * kSide;
  static constexpr uint32_t kChunks = kSide * kTileParts;
  // A thread loads the operands of this many chunks before it computes the
  // first of them.
  static constexpr int kTogether = kCount > 2 ? 2 : kCount;
  static constexpr int kAll = kTogether * kCount;

  static constexpr int kTransposed =
      kInputs < kMaxTransposed ? kInputs : kMaxTransposed;
  static constexpr int kTileBytes = kSide * kSide * kLargest<Group>;

  struct Shared {
    alignas(16) unsigned char tiles[kTransposed * kTileBytes];
  };

  // A Corner is a tile's first element: its index in the two dimensions, and
  // where it lies.
  struct Corner {
    uint32_t across;  // Index along the first dimension.
    uint32_t along;   // Index along the second dimension.
    int64_t inputs[kInputs];
    int64_t output;

    ASSAY_DEVICE explicit Corner(const Job& job, uint32_t tile) {
      const KernelHooks& hooks = job.parameters;
      uint32_t rest = job.chunks_of_row.Quotient(tile);
      across = (tile - rest * job.chunks_of_row.divisor) * kSide;
      const uint32_t outer = job.extents[1].Quotient(rest);
      along = (rest - outer * job.extents[1].divisor) * kSide;
      rest = outer;
      ASSAY_UNROLL
      for (int k = 0; k < kInputs; ++k) {
        inputs[k] = hooks.Offset(across, job.inputs[k].strides[0]) +
                    hooks.Offset(along, job.inputs[k].strides[1]);
      }
      output = hooks.Offset(across, job.output.strides[0]) +
               hooks.Offset(along, job.output.strides[1]);
      ASSAY_ROLL
      for (int d = 2; d < job.num_dims; ++d) {
        const uint32_t next = job.extents[d].Quotient(rest);
        const uint32_t index = rest - next * job.extents[d].divisor;
        rest = next;
        ASSAY_UNROLL
        for (int k = 0; k < kInputs; ++k)
          inputs[k] += hooks.Offset(index, job.inputs[k].strides[d]);
        output += hooks.Offset(index, job.output.strides[d]);
      }
    }
  };

  ASSAY_DEVICE static int64_t OffsetOf(const KernelHooks& hooks,
                                       const Operand& operand, uint32_t row,
                                       uint32_t column) {
    return hooks.Offset(row, operand.strides[1]) +
           hooks.Offset(column, operand.strides[0]);
  }

  // Returns a word of an operand's tile.
  template <class T>
  ASSAY_DEVICE static T* WordAt(const KernelHooks& hooks, unsigned char* tiles,
                                const Operand& operand, uint32_t row,
                                uint32_t part) {
    const uint32_t word =
        row * hooks.Pitch(kTileParts) + (part ^ (row / kCount % kTileParts));
    return reinterpret_cast<T*>(tiles +
                                hooks.TileOf(operand.tile) * kTileBytes) +
           word * kCount;
  }

  template <class T>
  ASSAY_DEVICE static T* ElementAt(const KernelHooks& hooks,
                                   unsigned char* tiles, const Operand& operand,
                                   uint32_t row, uint32_t column) {
    return WordAt<T>(hooks, tiles, operand, row, column / kCount) +
           column % kCount;
  }

  struct Tile {
    Corner corner;
    // The tile is not cut off by an edge.
    bool is_whole;

    ASSAY_DEVICE Tile(const Job& job, uint32_t n)
        : corner(job, n),
          is_whole(job.extent - corner.across >= kSide &&
                   job.second_extent - corner.along >= kSide) {}

    ASSAY_DEVICE bool Has(const Job& job, uint32_t row, uint32_t column) const {
      const KernelHooks& hooks = job.parameters;
      return hooks.IsInTile(corner.along + row, job.second_extent) &&
             hooks.IsInTile(corner.across + column, job.extent);
    }
  };

  // ------------------------------------------------------------- Into the tile

  // `from` is where the tile begins.
  template <class T>
  ASSAY_DEVICE static void LoadSquares(const Job& job, const Operand& operand,
                                       const unsigned char* from,
                                       uint32_t thread, unsigned char* tiles) {
    const KernelHooks& hooks = job.parameters;
    for (uint32_t square = thread; square < kTileParts * kTileParts;
         square += kTuning.threads) {
      const uint32_t part = square / kTileParts;
      const uint32_t row = square % kTileParts * kCount;
      T values[kCount][kCount];
      ASSAY_UNROLL
      for (uint32_t e = 0; e < kCount; ++e) {
        hooks.LoadWord<sizeof(values[e])>(
            from + OffsetOf(hooks, operand, row, part * kCount + e), values[e]);
      }
      ASSAY_UNROLL
      for (uint32_t r = 0; r < kCount; ++r) {
        T word[kCount];
        ASSAY_UNROLL
        for (int e = 0; e < kCount; ++e) word[e] = values[e][r];
        StoreWord<sizeof(word)>(
            word, WordAt<T>(hooks, tiles, operand, row + r, part));
      }
    }
  }

  template <class T>
  ASSAY_DEVICE static void LoadElements(const Job& job, const Operand& operand,
                                        const unsigned char* from,
                                        const Tile& tile, uint32_t thread,
                                        unsigned char* tiles) {
    const KernelHooks& hooks = job.parameters;
    ASSAY_ROLL
    for (uint32_t n = thread; n < kElements; n += kTuning.threads) {
      const uint32_t column = n / kSide;
      const uint32_t row = n % kSide;
      if (!tile.Has(job, row, column)) continue;
      *ElementAt<T>(hooks, tiles, operand, row, column) =
          hooks.LoadElement<T>(from + OffsetOf(hooks, operand, row, column));
    }
  }

  template <class T>
  ASSAY_DEVICE static void LoadTile(const Job& job, int k, const Tile& tile,
                                    uint32_t thread, unsigned char* tiles) {
    const Operand& operand = job.inputs[k];
    const unsigned char* from = operand.data + tile.corner.inputs[k];
    const bool is_fast = tile.is_whole && job.is_aligned;
    if (operand.reading == Reading::kTransposed) {
      if (is_fast) {
        LoadSquares<T>(job, operand, from, thread, tiles);
      } else {
        LoadElements<T>(job, operand, from, tile, thread, tiles);
      }
    } else if (operand.reading == Reading::kVector && is_fast) {
      // The chunks are read after the barrier.
      ASSAY_UNROLL
      for (uint32_t n = 0; n < kChunks; n += kTuning.threads) {
        const uint32_t chunk = n + thread;
        Prefetch(from + OffsetOf(job.parameters, operand, chunk / kTileParts,
                                 chunk % kTileParts * kCount));
      }
    }
  }

  ASSAY_DEVICE static void Load(const Job& job, const Thread& thread,
                                Shared* shared) {
    const Tile tile(job, thread.block);
    LoadTile<typename Group::In0>(job, 0, tile, thread.thread, shared->tiles);
    if constexpr (kInputs > 1)
      LoadTile<typename Group::In1>(job, 1, tile, thread.thread, shared->tiles);
    if constexpr (kInputs > 2)
      LoadTile<typename Group::In2>(job, 2, tile, thread.thread, shared->tiles);
  }

  // -------------------------------------------------------------- And from
  // there

  template <class T>
  ASSAY_DEVICE static Chunk<T, kCount> ChunkAt(const Job& job, int k,
                                               const Tile& tile, uint32_t n,
                                               const TilePlace& place,
                                               unsigned char* tiles) {
    const KernelHooks& hooks = job.parameters;
    const Operand& operand = job.inputs[k];
    if (operand.reading == Reading::kTransposed) {
      Chunk<T, kCount> chunk;
      LoadWord<sizeof(chunk)>(
          WordAt<T>(hooks, tiles, operand, place.line, place.part),
          &chunk.word);
      return chunk;
    }
    const unsigned char* from =
        operand.data + tile.corner.inputs[k] +
        OffsetOf(hooks, operand, place.line, place.part * kCount);
    if (operand.reading == Reading::kOne)
      return Chunk<T, kCount>::Of(hooks.LoadOne<T>(from, n));
    return Chunk<T, kCount>::Load(hooks, from);
  }

  ASSAY_DEVICE static void FinishChunks(const Job& job, const Tile& tile,
                                        uint32_t thread, unsigned char* tiles) {
    using A = Stored<typename Group::In0>;
    using B = Stored<typename Group::In1>;
    using C = Stored<typename Group::In2>;
    const KernelHooks& hooks = job.parameters;
    ASSAY_ROLL
    for (uint32_t first = thread; first < kChunks;
         first += kTogether * kTuning.threads) {
      Chunk<A, kCount> as[kTogether];
      Chunk<B, kCount> bs[kTogether];
      Chunk<C, kCount> cs[kTogether];
      ASSAY_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        const uint32_t n = first + i * kTuning.threads;
        const TilePlace place = hooks.StoredPlace(n, kTileParts);
        as[i] = ChunkAt<A>(job, 0, tile, n, place, tiles);
        if constexpr (kInputs > 1)
          bs[i] = ChunkAt<B>(job, 1, tile, n, place, tiles);
        if constexpr (kInputs > 2)
          cs[i] = ChunkAt<C>(job, 2, tile, n, place, tiles);
      }
      A a[kAll];
      B b[kAll];
      C c[kAll];
      typename Group::Out out[kAll];
      ASSAY_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        as[i].Unpack(a + i * kCount);
        if constexpr (kInputs > 1) bs[i].Unpack(b + i * kCount);
        if constexpr (kInputs > 2) cs[i].Unpack(c + i * kCount);
      }
      Group::Compute(job, a, b, c, out);
      ASSAY_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        const TilePlace place =
            hooks.StoredPlace(first + i * kTuning.threads, kTileParts);
        StoreWord<kCount * sizeof(*out)>(
            out + i * kCount,
            job.output.data + tile.corner.output +
                OffsetOf(hooks, job.output, place.line, place.part * kCount));
      }
    }
  }

  template <class T>
  ASSAY_DEVICE static void LoadElementAt(const Job& job, int k,
                                         const Tile& tile,
                                         const TilePlace& place,
                                         unsigned char* tiles, T* to) {
    const KernelHooks& hooks = job.parameters;
    const Operand& operand = job.inputs[k];
    if (operand.reading == Reading::kTransposed) {
      const TilePlace from = hooks.InTile(place, tile.is_whole);
      *to = *ElementAt<T>(hooks, tiles, operand, from.line, from.part);
    } else {
      *to = hooks.LoadElement<T>(
          operand.data + tile.corner.inputs[k] +
          OffsetOf(hooks, operand, place.line, place.part));
    }
  }

  ASSAY_DEVICE static void FinishElements(const Job& job, const Tile& tile,
                                          uint32_t thread,
                                          unsigned char* tiles) {
    const KernelHooks& hooks = job.parameters;
    ASSAY_ROLL
    for (uint32_t n = thread; n < kElements; n += kTuning.threads) {
      const TilePlace place = hooks.StoredPlace(n, kSide);
      if (!tile.Has(job, place.line, place.part)) continue;
      Stored<typename Group::In0> a[1];
      Stored<typename Group::In1> b[1];
      Stored<typename Group::In2> c[1];
      typename Group::Out out[1];
      LoadElementAt(job, 0, tile, place, tiles, a);
      if constexpr (kInputs > 1) LoadElementAt(job, 1, tile, place, tiles, b);
      if constexpr (kInputs > 2) LoadElementAt(job, 2, tile, place, tiles, c);
      Group::Compute(job, a, b, c, out);
      *reinterpret_cast<typename Group::Out*>(
          job.output.data + tile.corner.output +
          OffsetOf(hooks, job.output, place.line, place.part)) = out[0];
    }
  }

  ASSAY_DEVICE static void Finish(const Job& job, const Thread& thread,
                                  Shared* shared) {
    const Tile tile(job, thread.block);
    if (tile.is_whole && job.is_aligned) {
      FinishChunks(job, tile, thread.thread, shared->tiles);
    } else {
      FinishElements(job, tile, thread.thread, shared->tiles);
    }
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_TILED_H_
