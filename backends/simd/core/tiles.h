// PlanTiles cuts a nest into tiles that fit the L1 cache and decides how each
// operand is brought to the function: where it lies, copied, or repeated in a
// buffer.
//
// Nothing here is compiled per op or type: a tile is copied by one of the loops
// of copy.h and computed by one call, or by one for each of its rows.
#ifndef ASSAY_BACKENDS_SIMD_CORE_TILES_H_
#define ASSAY_BACKENDS_SIMD_CORE_TILES_H_

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/block_function.h"
#include "backends/simd/core/copy.h"
#include "backends/simd/core/nest.h"

namespace assay::simd {

// These are the sizes of one operand in a buffer. Small blocks take turns with
// the memory more often; for a transposition, long rows matter most: the sum
// with a transposed matrix took 15 ms with buffers of 256 KiB, which an L2
// cache holds, and 18 ms with 64 KiB.
inline constexpr int64_t kBufferBytes = 256 << 10;
inline constexpr int64_t kBlockBytes = 4 << 10;

// This is the size of a piece of the largest operand, in rows that are copied
// piece by piece. It is a multiple of 64 elements. With such small pieces, the
// reading of several operands takes turns as if in one loop: the sum of two
// tensors of every second element took 10 ms in pieces of 1 KiB, 11 to 13 ms in
// pieces of 2 KiB and as long in pieces of 512 bytes.
inline constexpr int64_t kPieceBytes = 1 << 10;

// A buffer holds this many repetitions of an element, and a function gets no
// more of a row at a time.
inline constexpr int64_t kRepetitions = 512;

enum class Access {
  kDirect,   // Where it lies.
  kStrided,  // Where it lies, by a Reading.
  kCopied,
  kRepeated  // One element, along the whole row or block.
};

struct TilePlan {
  const Nest* nest;
  int64_t extents[kMaxDims];  // Extents of a tile.
  int num_dims;               // From this dimension on, tiles have extent 1.
  bool by_rows;               // The function is called once for each row.
  int row_dims;               // Number of dimensions of a row, the first ones.
  int64_t piece;  // If not 0, tiles are rows, cut into pieces of this size.
  bool reads_strided;  // Tiles are rows, and no operand is copied.
  bool stream;
  Access access[kMaxOperands];
  Reading reading[kMaxOperands];  // Only of operands that are kStrided.
  // The copying loops run along these dimensions.
  int inner[kMaxOperands];
  int outer[kMaxOperands];
};

// Plans the tiles of plan->nest. plan->stream says whether results should be
// moved past the caches.
void PlanTiles(const BlockFunction& function, TilePlan* plan);

// Runs all tiles on this thread. Returns what the function returns.
const char* RunTiles(const TilePlan& plan, const Copies& copies,
                     const BlockFunction& function);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_TILES_H_
