// The kernel for operands that are contiguous along another dimension than the
// result: a block takes a tile of both dimensions, reads what lies across into
// shared memory as it lies, and from there as it is needed.
//
// Two phases, with a barrier between them. In shared memory a row of the tile
// has an odd number of elements, so that a warp's accesses, along rows as along
// columns, are of different banks.
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
inline constexpr int kTile = kLargest<Group> <= 4 ? 64 : 256 / kLargest<Group>;

template <class Group>
struct Tiled {
  static constexpr int kCount = kChunk<Group>;
  static constexpr int kSide = kTile<Group>;
  static constexpr int kChunksOfRow = kSide / kCount;
  static constexpr int kChunks = kSide * kChunksOfRow;

  static constexpr int kTransposed =
      kInputsOf<Group> < kMaxTransposed ? kInputsOf<Group> : kMaxTransposed;

  static constexpr int kTileBytes = kSide * (kSide + 1) * kLargest<Group>;

  struct Shared {
    alignas(16) unsigned char tiles[kTransposed * kTileBytes];
  };

  // A tile's first element: its index in the two dimensions, and where it lies.
  struct Corner {
    uint32_t across;  // Along the first dimension.
    uint32_t along;   // Along the second one.
    int64_t inputs[kInputsOf<Group>];
    int64_t output;

    ASSAY_DEVICE explicit Corner(const Job& job, uint32_t tile) {
      const KernelHooks& hooks = job.parameters;
      uint32_t rest = job.chunks_of_row.Quotient(tile);
      across = (tile - rest * job.chunks_of_row.divisor) * kSide;
      const uint32_t outer = job.extents[1].Quotient(rest);
      along = (rest - outer * job.extents[1].divisor) * kSide;
      rest = outer;
      ASSAY_UNROLL
      for (int k = 0; k < kInputsOf<Group>; ++k) {
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
        for (int k = 0; k < kInputsOf<Group>; ++k)
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

  template <class T>
  ASSAY_DEVICE static T* TileOf(const KernelHooks& hooks, unsigned char* tiles,
                                const Operand& operand) {
    return reinterpret_cast<T*>(tiles +
                                hooks.TileOf(operand.tile) * kTileBytes);
  }

  // Chunks along the second dimension, in which the operand is contiguous.
  template <class T>
  ASSAY_DEVICE static void LoadTile(const Job& job, const Operand& operand,
                                    int64_t corner, const Corner& tile,
                                    uint32_t thread, unsigned char* tiles) {
    if (operand.reading != Reading::kTransposed) return;
    const KernelHooks& hooks = job.parameters;
    T* to = TileOf<T>(hooks, tiles, operand);
    const int64_t stride = operand.strides[1];
    Operand along = operand;
    along.strides[0] = stride;
    along.reading = operand.is_aligned ? Reading::kVector : Reading::kStrided;
    ASSAY_UNROLL
    for (uint32_t i = 0; i < kChunks; i += kTuning.threads) {
      const uint32_t chunk = i + thread;
      if (kChunks % kTuning.threads != 0 && chunk >= kChunks) break;
      const uint32_t column = chunk / kChunksOfRow;
      const uint32_t row = chunk % kChunksOfRow * kCount;
      if (tile.across + column >= job.extent) continue;
      const uint32_t count = Left(hooks, job.second_extent, tile.along + row);
      if (count == 0) continue;
      T values[kCount];
      const int64_t offset =
          hooks.Offset(column, operand.strides[0]) + hooks.Offset(row, stride);
      LoadChunk(hooks, chunk, along, corner + offset, count, values);
      ASSAY_UNROLL
      for (int e = 0; e < kCount; ++e) {
        if (static_cast<uint32_t>(e) < count)
          to[(row + e) * hooks.Pitch(kSide) + column] = values[e];
      }
    }
  }

  ASSAY_DEVICE static void Load(const Job& job, const Thread& thread,
                                Shared* shared) {
    const Corner tile(job, thread.block);
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

  // A chunk along the first dimension.
  struct Place {
    uint32_t chunk;
    uint32_t row;
    uint32_t column;
    uint32_t count;
    bool is_in_whole_tile;
  };

  ASSAY_DEVICE static int64_t OffsetOf(const KernelHooks& hooks,
                                       const Operand& operand,
                                       const Place& place) {
    return hooks.Offset(place.row, operand.strides[1]) +
           hooks.Offset(place.column, operand.strides[0]);
  }

  template <class T>
  ASSAY_DEVICE static void LoadRow(const KernelHooks& hooks,
                                   const Operand& operand, int64_t corner,
                                   const Place& place, unsigned char* tiles,
                                   T (&values)[kCount]) {
    if (operand.reading == Reading::kTransposed) {
      const T* from = TileOf<T>(hooks, tiles, operand);
      ASSAY_UNROLL
      for (uint32_t e = 0; e < kCount; ++e) {
        if (e < place.count) {
          values[e] =
              from[hooks.InTile(place.row, place.column + e, hooks.Pitch(kSide),
                                place.is_in_whole_tile)];
        }
      }
      return;
    }
    LoadChunk(hooks, place.chunk, operand,
              corner + OffsetOf(hooks, operand, place), place.count, values);
  }

  ASSAY_DEVICE static void Finish(const Job& job, const Thread& thread,
                                  Shared* shared) {
    const KernelHooks& hooks = job.parameters;
    const Corner tile(job, thread.block);
    unsigned char* const tiles = shared->tiles;
    for (uint32_t chunk = thread.thread; chunk < kChunks;
         chunk += kTuning.threads) {
      const TilePlace in_tile = hooks.StoredPlace(chunk, kChunksOfRow);
      if (tile.along + in_tile.line >= job.second_extent) break;
      const uint32_t column = in_tile.part * kCount;
      const uint32_t count = Left(hooks, job.extent, tile.across + column);
      if (count == 0) continue;
      const Place place = {chunk, in_tile.line, column, count,
                           IsWhole(job, tile)};
      Stored<typename Group::In0> a[kCount];
      Stored<typename Group::In1> b[kCount];
      Stored<typename Group::In2> c[kCount];
      typename Group::Out out[kCount];
      LoadRow(hooks, job.inputs[0], tile.inputs[0], place, tiles, a);
      if constexpr (!std::is_void_v<typename Group::In1>)
        LoadRow(hooks, job.inputs[1], tile.inputs[1], place, tiles, b);
      if constexpr (!std::is_void_v<typename Group::In2>)
        LoadRow(hooks, job.inputs[2], tile.inputs[2], place, tiles, c);
      Group::Compute(job, a, b, c, out);
      StoreChunk(job.output, tile.output + OffsetOf(hooks, job.output, place),
                 count, out);
    }
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_TILED_H_
