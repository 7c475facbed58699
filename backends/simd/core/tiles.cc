#include "backends/simd/core/tiles.h"

#include <string.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "hwy/cache_control.h"

namespace assay::simd {
namespace {

constexpr int64_t kCacheLine = 64;

// An odometer holds positions along some dimensions, and steps from one to the
// next.
class Odometer {
 public:
  // It counts the dimensions [begin, end) of the extents in steps.
  Odometer(int begin, int end) : begin_(begin), end_(end) {
    std::fill(index_ + begin, index_ + end, 0);
  }

  // Adds the distance moved along strides_of(k) to `positions[k]`. Returns
  // false at the end.
  template <class Move>
  bool Next(const int64_t* extents, const int64_t* steps, const Move& move) {
    for (int dim = begin_; dim < end_; ++dim) {
      const int64_t step = steps == nullptr ? 1 : steps[dim];
      index_[dim] += step;
      if (index_[dim] < extents[dim]) {
        move(dim, step);
        return true;
      }
      move(dim, step - index_[dim]);
      index_[dim] = 0;
    }
    return false;
  }

  int64_t operator[](int dim) const { return index_[dim]; }

 private:
  int begin_;
  int end_;
  int64_t index_[kMaxDims];
};

class TileRunner {
 public:
  TileRunner(const TilePlan& plan, const Copies& copies,
             const BlockFunction& function)
      : plan_(plan), nest_(*plan.nest), copies_(copies), function_(function) {
    int64_t bytes = kCacheLine;
    for (int k = 0; k < nest_.num_operands; ++k) bytes += BufferBytes(k);
    memory_ = std::make_unique_for_overwrite<unsigned char[]>(
        static_cast<size_t>(bytes));
    const uintptr_t address = reinterpret_cast<uintptr_t>(memory_.get());
    unsigned char* next = memory_.get() + (-address % kCacheLine);
    for (int k = 0; k < nest_.num_operands; ++k) {
      buffers_[k] = next;
      next += BufferBytes(k);
    }
  }

  const char* Run() {
    for (int k = 0; k < nest_.num_operands; ++k) {
      tile_[k] = nest_.operands[k].data;
    }
    int64_t steps[kMaxDims];
    std::copy(plan_.extents, plan_.extents + plan_.num_dims, steps);
    std::fill(steps + plan_.num_dims, steps + nest_.num_dims, 1);
    Odometer odometer(0, nest_.num_dims);
    const auto move = [this](int dim, int64_t by) {
      for (int k = 0; k < nest_.num_operands; ++k) {
        tile_[k] += nest_.operands[k].strides[dim] * by;
      }
    };
    do {
      for (int dim = 0; dim < plan_.num_dims; ++dim) {
        extents_[dim] =
            std::min(plan_.extents[dim], nest_.extents[dim] - odometer[dim]);
      }
      const char* failure = RunTile();
      if (failure != nullptr) return failure;
    } while (odometer.Next(nest_.extents, steps, move));
    return nullptr;
  }

 private:
  bool IsOutput(int k) const { return k >= nest_.num_inputs; }

  // Does what RunTile does, for the pieces of a row one after another and with
  // as little else as possible.
  const char* RunPieces() {
    const int64_t count = extents_[0];
    for (int64_t at = 0; at < count; at += plan_.piece) {
      const int64_t piece = std::min(plan_.piece, count - at);
      Blocks blocks = {};
      blocks.count = static_cast<size_t>(piece);
      blocks.is_padded = true;
      blocks.stream = plan_.stream;
      for (int k = 0; k < nest_.num_operands; ++k) {
        const NestOperand& operand = nest_.operands[k];
        unsigned char* element = tile_[k] + at * operand.strides[0];
        unsigned char* block = buffers_[k];
        if (plan_.access[k] == Access::kDirect) {
          block = element;
          blocks.is_padded = false;
        } else if (plan_.access[k] == Access::kRepeated) {
          Repeat(k, element, piece);
        } else if (!IsOutput(k)) {
          if (Padded(piece) != piece) memset(block, 0, kPieceBytes);
          CopyOf(k)({element, block, piece, 1, operand.strides[0], 0,
                     operand.bytes, 0});
        }
        if (IsOutput(k)) {
          blocks.out[k - nest_.num_inputs] = block;
        } else {
          blocks.in[k] = block;
        }
      }
      const char* failure = function_.Run(blocks);
      if (failure != nullptr) return failure;
      for (int k = nest_.num_inputs; k < nest_.num_operands; ++k) {
        if (plan_.access[k] != Access::kCopied) continue;
        const NestOperand& operand = nest_.operands[k];
        CopyOf(k)({buffers_[k], tile_[k] + at * operand.strides[0], piece, 1,
                   operand.bytes, 0, operand.strides[0], 0});
      }
    }
    return nullptr;
  }

  const char* RunTile() {
    if (plan_.piece != 0) return RunPieces();
    int64_t count = 1;
    for (int dim = 0; dim < plan_.num_dims; ++dim) count *= extents_[dim];
    for (int k = 0; k < nest_.num_inputs; ++k) {
      if (plan_.access[k] == Access::kCopied) CopyTile(k);
    }
    const char* failure = nullptr;
    if (!plan_.by_rows) {
      failure = RunBlock(tile_, 0, count);
    } else {
      unsigned char* row[kMaxOperands];
      std::copy(tile_, tile_ + nest_.num_operands, row);
      const auto move = [&](int dim, int64_t by) {
        for (int k = 0; k < nest_.num_operands; ++k) {
          row[k] += nest_.operands[k].strides[dim] * by;
        }
      };
      int64_t length = 1;
      for (int dim = 0; dim < plan_.row_dims; ++dim) length *= extents_[dim];
      Odometer odometer(plan_.row_dims, plan_.num_dims);
      int64_t number = 0;
      do {
        failure = RunBlock(row, number, length);
        ++number;
      } while (failure == nullptr && odometer.Next(extents_, nullptr, move));
    }
    for (int k = nest_.num_inputs; k < nest_.num_operands; ++k) {
      if (plan_.access[k] == Access::kCopied) CopyTile(k);
    }
    return failure;
  }

  // Returns the size of a buffer: whole cache lines, with room for the padding
  // of the last vectors.
  int64_t BufferBytes(int k) const {
    if (plan_.access[k] == Access::kDirect) return 0;
    if (plan_.access[k] == Access::kStrided) return 0;
    const int64_t bytes = nest_.operands[k].bytes;
    constexpr int64_t kPadding = kMaxStep * 16;
    if (plan_.piece != 0) return kPieceBytes + kPadding;
    if (plan_.access[k] == Access::kRepeated)
      return kRepetitions * bytes + kPadding;
    int64_t packed = bytes;
    for (int dim = 0; dim < plan_.num_dims; ++dim) {
      if (plan_.by_rows && dim == plan_.row_dims) packed = Pitch(packed);
      packed *= plan_.extents[dim];
    }
    return (packed + kCacheLine - 1) / kCacheLine * kCacheLine + kPadding;
  }

  // Returns the distance from one row in a buffer to the next. It is an odd
  // number of cache lines, since rows at even ones fall on few sets of the L1
  // cache and evict each other when a transposition writes to them in turns.
  static int64_t Pitch(int64_t row_bytes) {
    const int64_t lines = (row_bytes + kCacheLine - 1) / kCacheLine;
    return (lines | 1) * kCacheLine;
  }

  // Runs row `number` of the tile, or all of it.
  const char* RunBlock(unsigned char* const* at, int64_t number,
                       int64_t count) {
    Blocks blocks = {};
    int64_t piece = count;
    blocks.is_padded = !plan_.by_rows;
    blocks.stream = plan_.stream && !(plan_.by_rows && IsShortRow(count));
    for (int k = 0; k < nest_.num_operands; ++k) {
      unsigned char* block = at[k];
      switch (plan_.access[k]) {
        case Access::kDirect:
          blocks.is_padded = false;
          break;
        case Access::kStrided:
          blocks.is_padded = false;
          blocks.reading[k] = plan_.reading[k];
          break;
        case Access::kCopied:
          block = buffers_[k] + number * Pitch(count * nest_.operands[k].bytes);
          break;
        case Access::kRepeated:
          piece = std::min(piece, kRepetitions);
          Repeat(k, at[k], piece);
          block = buffers_[k];
      }
      if (IsOutput(k)) {
        blocks.out[k - nest_.num_inputs] = block;
      } else {
        blocks.in[k] = block;
      }
    }
    for (int64_t rest = count;; rest -= piece) {
      blocks.count = static_cast<size_t>(std::min(rest, piece));
      const char* failure = function_.Run(blocks);
      if (failure != nullptr || rest <= piece) return failure;
      Advance(piece, &blocks);
    }
  }

  // A row of so few bytes is not moved past the caches: a transposition that
  // moved its rows so took three times as long with rows of 256 bytes, and 0.85
  // times as long with rows of 1,024.
  bool IsShortRow(int64_t count) const {
    constexpr int64_t kStreamedBytes = 1024;
    return count * nest_.operands[nest_.num_inputs].bytes < kStreamedBytes;
  }

  void Advance(int64_t count, Blocks* blocks) const {
    for (int k = 0; k < nest_.num_operands; ++k) {
      const int64_t bytes = nest_.operands[k].bytes * count;
      if (IsOutput(k)) {
        blocks->out[k - nest_.num_inputs] += bytes;
      } else if (plan_.access[k] != Access::kRepeated) {
        blocks->in[k] += bytes;
      }
    }
  }

  CopyPlane CopyOf(int k) const {
    const auto bytes = static_cast<unsigned>(nest_.operands[k].bytes);
    return copies_.width[std::countr_zero(bytes)];
  }

  int64_t Padded(int64_t count) const {
    const auto step = static_cast<int64_t>(function_.step);
    return (count + step - 1) & -step;
  }

  // Rows come in order, so that the element is often the one that the buffer
  // holds already.
  void Repeat(int k, const unsigned char* element, int64_t count) {
    if (element == repeated_[k] && count <= repetitions_[k]) return;
    repeated_[k] = element;
    repetitions_[k] = count;
    Plane plane = {};
    plane.from = element;
    plane.to = buffers_[k];
    plane.count_a = Padded(count);
    plane.count_b = 1;
    plane.to_a = nest_.operands[k].bytes;
    CopyOf(k)(plane);
  }

  // Copies an input to its buffer or an output from it.
  void CopyTile(int k) {
    const NestOperand& operand = nest_.operands[k];
    int64_t packed[kMaxDims];
    int64_t bytes = operand.bytes;
    for (int dim = 0; dim < plan_.num_dims; ++dim) {
      if (plan_.by_rows && dim == plan_.row_dims) bytes = Pitch(bytes);
      packed[dim] = bytes;
      bytes *= extents_[dim];
    }
    unsigned char* buffer = buffers_[k];
    if (!IsOutput(k) && !plan_.by_rows) {
      const int64_t padded = Padded(bytes / operand.bytes) * operand.bytes;
      memset(buffer + bytes, 0, static_cast<size_t>(padded - bytes));
    }
    const int inner = plan_.inner[k];
    const int outer = plan_.outer[k];
    const bool is_output = IsOutput(k);
    const int64_t* from = is_output ? packed : operand.strides;
    const int64_t* to = is_output ? operand.strides : packed;
    Plane plane = {};
    plane.from = is_output ? buffer : tile_[k];
    plane.to = is_output ? tile_[k] : buffer;
    plane.count_a = extents_[inner];
    plane.from_a = from[inner];
    plane.to_a = to[inner];
    plane.count_b = 1;
    if (outer >= 0) {
      plane.count_b = extents_[outer];
      plane.from_b = from[outer];
      plane.to_b = to[outer];
    }
    int64_t rest[kMaxDims];
    for (int dim = 0; dim < plan_.num_dims; ++dim) {
      rest[dim] = dim == inner || dim == outer ? 1 : extents_[dim];
    }
    Odometer odometer(0, plan_.num_dims);
    const CopyPlane copy = CopyOf(k);
    do {
      copy(plane);
    } while (odometer.Next(rest, nullptr, [&](int dim, int64_t by) {
      plane.from += from[dim] * by;
      plane.to += to[dim] * by;
    }));
  }

  const TilePlan& plan_;
  const Nest& nest_;
  const Copies& copies_;
  const BlockFunction& function_;
  unsigned char* tile_[kMaxOperands];  // First elements of the tile.
  int64_t extents_[kMaxDims];          // Extents of this tile.
  const unsigned char* repeated_[kMaxOperands] = {};
  int64_t repetitions_[kMaxOperands] = {};
  std::unique_ptr<unsigned char[]> memory_;
  unsigned char* buffers_[kMaxOperands];
};

}  // namespace

const char* RunTiles(const TilePlan& plan, const Copies& copies,
                     const BlockFunction& function) {
  TileRunner runner(plan, copies, function);
  const char* failure = runner.Run();
  if (plan.stream) hwy::FlushStream();
  return failure;
}

}  // namespace assay::simd
