// The kernel for operands that are contiguous along another dimension than the
// result: a block takes a tile of both dimensions, turns what lies across in
// shared memory, and reads it from there as it is needed.
//
// Two phases, with a barrier between them. A thread turns a square of as many
// elements as a word has, in registers, so that shared memory is written and
// read in words. Words of a row change places by the row, so that those of a
// warp, along rows as along columns, are of different banks.
#ifndef ASSAY_BACKENDS_CUDA_TILED_H_
#define ASSAY_BACKENDS_CUDA_TILED_H_

#include <type_traits>

#include "backends/cuda/device.h"
#include "backends/cuda/elementwise.h"
#include "backends/cuda/hooks.h"
#include "backends/cuda/job.h"
#include "backends/cuda/tuning.h"

namespace assay::cuda {

// Elements of a tile in either dimension.
template <class Group>
inline constexpr int kTile =
    kTileParts * (kLargest<Group> <= 4 ? 4 : 16 / kLargest<Group>);

template <class Group>
struct Tiled {
  static constexpr int kCount = kTile<Group> / kTileParts;
  static constexpr int kSide = kTile<Group>;
  static constexpr int kInputs = kInputsOf<Group>;
  // Chunks of the result, and those of a thread whose operands are loaded
  // before the first of them is computed.
  static constexpr int kChunks = kSide * kTileParts;
  static constexpr int kTogether =
      Group::kIsHeavy && kCount > 2 ? 2 : kCount;
  static constexpr int kAll = kTogether * kCount;

  static constexpr int kTransposed =
      kInputs < kMaxTransposed ? kInputs : kMaxTransposed;
  static constexpr int kTileBytes = kSide * kSide * kLargest<Group>;

  struct Shared {
    alignas(16) unsigned char tiles[kTransposed * kTileBytes];
  };

  // A tile's first element: its index in the two dimensions, and where it lies.
  struct Corner {
    uint32_t across;  // Along the first dimension.
    uint32_t along;   // Along the second one.
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

  // Of `size` elements from `first` on, how many of a chunk there are.
  ASSAY_DEVICE static uint32_t Left(const KernelHooks& hooks, uint32_t size,
                                    uint32_t first) {
    return first >= size ? 0 : hooks.CountInTile(size - first, kCount);
  }

  // Whether the tile is not cut off by an edge.
  ASSAY_DEVICE static bool IsWhole(const Job& job, const Corner& tile) {
    return job.extent - tile.across >= kSide &&
           job.second_extent - tile.along >= kSide;
  }

  // A word of an operand's tile.
  template <class T>
  ASSAY_DEVICE static T* WordAt(const KernelHooks& hooks, unsigned char* tiles,
                                const Operand& operand, uint32_t row,
                                uint32_t part) {
    const uint32_t word = row * hooks.Pitch(kTileParts) +
                          (part ^ (row / kCount % kTileParts));
    return reinterpret_cast<T*>(tiles +
                                hooks.TileOf(operand.tile) * kTileBytes) +
           word * kCount;
  }

  // Chunks along the second dimension, in which the operand is contiguous.
  template <class T>
  ASSAY_DEVICE static void LoadTile(const Job& job, const Operand& operand,
                                    int64_t corner, const Corner& tile,
                                    uint32_t thread, unsigned char* tiles) {
    if (operand.reading != Reading::kTransposed) return;
    const KernelHooks& hooks = job.parameters;
    const int64_t stride = operand.strides[1];
    Operand along = operand;
    along.strides[0] = stride;
    along.reading = operand.is_aligned ? Reading::kVector : Reading::kStrided;
    for (uint32_t square = thread; square < kTileParts * kTileParts;
         square += kTuning.threads) {
      const uint32_t part = square / kTileParts;
      const uint32_t column = part * kCount;
      const uint32_t row = square % kTileParts * kCount;
      const uint32_t count = Left(hooks, job.second_extent, tile.along + row);
      T values[kCount][kCount] = {};
      ASSAY_UNROLL
      for (uint32_t e = 0; e < kCount; ++e) {
        if (count == 0 || tile.across + column + e >= job.extent) continue;
        const int64_t offset = hooks.Offset(column + e, operand.strides[0]) +
                               hooks.Offset(row, stride);
        LoadChunk(hooks, square, along, corner + offset, count, values[e]);
      }
      ASSAY_UNROLL
      for (uint32_t r = 0; r < kCount; ++r) {
        T word[kCount];
        ASSAY_UNROLL
        for (int e = 0; e < kCount; ++e) word[e] = values[e][r];
        StoreWord<sizeof(word)>(word, WordAt<T>(hooks, tiles, operand, row + r,
                                                part));
      }
    }
  }

  // What lies as the result does is wanted behind the barrier.
  ASSAY_DEVICE static void Announce(const Job& job, const Operand& operand,
                                    int64_t corner, const Corner& tile,
                                    uint32_t thread) {
    if (operand.reading != Reading::kVector || !IsWhole(job, tile)) return;
    for (uint32_t chunk = thread; chunk < kChunks; chunk += kTuning.threads) {
      Prefetch(operand.data + corner +
               OffsetOf(job.parameters, operand, chunk / kTileParts,
                        chunk % kTileParts * kCount));
    }
  }

  ASSAY_DEVICE static void Load(const Job& job, const Thread& thread,
                                Shared* shared) {
    const Corner tile(job, thread.block);
    ASSAY_UNROLL
    for (int k = 0; k < kInputs; ++k)
      Announce(job, job.inputs[k], tile.inputs[k], tile, thread.thread);
    LoadTile<typename Group::In0>(job, job.inputs[0], tile.inputs[0], tile,
                                  thread.thread, shared->tiles);
    if constexpr (!std::is_void_v<typename Group::In1>) {
      LoadTile<typename Group::In1>(job, job.inputs[1], tile.inputs[1], tile,
                                    thread.thread, shared->tiles);
    }
    if constexpr (!std::is_void_v<typename Group::In2>) {
      LoadTile<typename Group::In2>(job, job.inputs[2], tile.inputs[2], tile,
                                    thread.thread, shared->tiles);
    }
  }

  ASSAY_DEVICE static int64_t OffsetOf(const KernelHooks& hooks,
                                       const Operand& operand, uint32_t row,
                                       uint32_t column) {
    return hooks.Offset(row, operand.strides[1]) +
           hooks.Offset(column, operand.strides[0]);
  }

  // A chunk along the first dimension.
  struct Place {
    uint32_t chunk;
    uint32_t row;
    uint32_t part;
    uint32_t count;  // 0 beyond the edge.

    ASSAY_DEVICE Place(const Job& job, const Corner& tile, uint32_t n)
        : chunk(n) {
      const KernelHooks& hooks = job.parameters;
      const TilePlace stored = hooks.StoredPlace(n, kTileParts);
      row = stored.line;
      part = stored.part;
      const bool is_row = tile.along + row < job.second_extent;
      count = is_row ? Left(hooks, job.extent, tile.across + part * kCount) : 0;
    }
  };

  template <class T>
  ASSAY_DEVICE static void LoadPlace(const Job& job, const Operand& operand,
                                     int64_t corner, const Place& place,
                                     bool is_whole, unsigned char* tiles,
                                     T* to) {
    const KernelHooks& hooks = job.parameters;
    T values[kCount];
    if (place.count == 0) return;
    if (operand.reading == Reading::kTransposed) {
      const TilePlace from =
          hooks.InTile({place.row, place.part}, kCount, is_whole);
      LoadWord<sizeof(values)>(
          WordAt<T>(hooks, tiles, operand, from.line, from.part), values);
    } else {
      LoadChunk(
          hooks, place.chunk, operand,
          corner + OffsetOf(hooks, operand, place.row, place.part * kCount),
          place.count, values);
    }
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) to[i] = values[i];
  }

  ASSAY_DEVICE static void Finish(const Job& job, const Thread& thread,
                                  Shared* shared) {
    const KernelHooks& hooks = job.parameters;
    const Corner tile(job, thread.block);
    const bool is_whole = IsWhole(job, tile);
    unsigned char* const tiles = shared->tiles;
    for (uint32_t first = thread.thread; first < kChunks;
         first += kTogether * kTuning.threads) {
      Stored<typename Group::In0> a[kAll];
      Stored<typename Group::In1> b[kAll];
      Stored<typename Group::In2> c[kAll];
      typename Group::Out out[kAll];
      ASSAY_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        const Place place(job, tile, first + i * kTuning.threads);
        LoadPlace(job, job.inputs[0], tile.inputs[0], place, is_whole, tiles,
                  a + i * kCount);
        if constexpr (!std::is_void_v<typename Group::In1>) {
          LoadPlace(job, job.inputs[1], tile.inputs[1], place, is_whole, tiles,
                    b + i * kCount);
        }
        if constexpr (!std::is_void_v<typename Group::In2>) {
          LoadPlace(job, job.inputs[2], tile.inputs[2], place, is_whole, tiles,
                    c + i * kCount);
        }
      }
      Group::Compute(job, a, b, c, out);
      ASSAY_UNROLL
      for (int i = 0; i < kTogether; ++i) {
        const Place place(job, tile, first + i * kTuning.threads);
        typename Group::Out chunk[kCount];
        ASSAY_UNROLL
        for (int e = 0; e < kCount; ++e) chunk[e] = out[i * kCount + e];
        StoreChunk(
            job.output,
            tile.output +
                OffsetOf(hooks, job.output, place.row, place.part * kCount),
            place.count, chunk);
      }
    }
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_TILED_H_
