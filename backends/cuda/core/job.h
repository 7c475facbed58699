// What a kernel is told: where the operands lie, and what to compute.
//
// Plain data, passed by value. The loops are over one output's elements, the
// first dimension innermost; the first dimension is cut into chunks, each of
// which is the work of one thread at a time.
#ifndef ASSAY_BACKENDS_CUDA_CORE_JOB_H_
#define ASSAY_BACKENDS_CUDA_CORE_JOB_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/hooks.h"

namespace assay::cuda {

inline constexpr int kMaxJobInputs = 3;
// Chunks of a line of a tile, see tiled.h.
inline constexpr int kTileParts = 16;
// Rows of a thread, see repeated.h.
inline constexpr int kRepeatedRows = 16;
// What has more is cut into jobs that have no more.
inline constexpr int kMaxJobDims = 8;

// Division by multiplication (Granlund and Montgomery 1994): exact for all
// dividends below 2^31 and divisors from 1 to 2^31 - 1.
struct Divisor {
  uint32_t divisor;
  uint32_t multiplier;
  uint32_t shift;

  static Divisor Of(uint32_t divisor) {
    Divisor d = {divisor, 0, 0};
    while ((uint64_t{1} << d.shift) < divisor) ++d.shift;
    const uint64_t excess =
        (uint64_t{1} << 32) * ((uint64_t{1} << d.shift) - divisor);
    d.multiplier = static_cast<uint32_t>(excess / divisor + 1);
    return d;
  }

  ASSAY_DEVICE uint32_t Quotient(uint32_t n) const {
    const auto high = static_cast<uint32_t>((uint64_t{n} * multiplier) >> 32);
    return (high + n) >> shift;
  }
};

// How the elements of a chunk follow each other.
enum class Reading : uint32_t {
  kVector,  // Contiguous, and chunks are aligned to their size.
  kStrided,
  kOne,         // All are the same one.
  kReversed,    // As kVector, backwards: see rows.h.
  kTransposed,  // Contiguous along the second dimension: see tiled.h.
};

// Operands of a job that may be kTransposed: what a block has memory for.
inline constexpr int kMaxTransposed = 2;

struct Operand {
  unsigned char* data;
  int64_t strides[kMaxJobDims];  // In bytes.
  Reading reading;
  uint32_t tile;  // Of a kTransposed one: which of them it is.
};

// A float format, of those that have no arithmetic of their own.
struct FormatData {
  int bits;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  int special;   // calls::Special
  uint32_t max;  // The code of the largest finite value.
};

// What else an op asks for; each reads its own.
struct Parameters : KernelHooks {
  int bits;       // Of an integer's value, or to shift by.
  uint32_t want;  // Of complex comparisons: kLess, kEqual, kGreater, ...
  // Of comparisons of bits: what to flip for them to be in order, where the
  // mask's bit is set; where it is clear, the mask.
  uint64_t flip_negative;
  // The code of -0 is that of the only NaN, the greatest value.
  bool has_nan_at_minus_zero;
  int from_class;  // Of conversions: NumberClass.
  int to_class;
  int to_bits;
  uint64_t mask;
  uint64_t limit;
  // Of results of less than 8 bits: the bits of a byte that are cleared, since
  // another op may read it.
  uint32_t cleared;
  FormatData format;
  FormatData to_format;
  // Of reduce_precision, as codes without their sign.
  int drop;              // Bits to round away
  int significand_bits;  // of so many.
  uint64_t least;        // What is less becomes 0,
  uint64_t most;         // what is more becomes this:
  uint64_t over;
  // Set to 1 where a result cannot be told, by the functions of which that is
  // so; memory of the device.
  uint32_t* undecided;
};

struct Job {
  int op;  // Its place in the list of the group of ops.
  int num_inputs;
  int num_dims;
  uint32_t extent;         // Of the first dimension.
  uint32_t second_extent;  // If there are tiles, or rows at a time.
  bool is_aligned;         // Of tiles: all of their chunks.
  uint32_t chunks;         // Or tiles, of all dimensions.
  Divisor chunks_of_row;   // Or tiles, along the first dimension.
  Divisor
      extents[kMaxJobDims];  // From the second dimension on; in tiles, rows.
  Operand inputs[kMaxJobInputs];
  Operand output;
  Parameters parameters;
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_JOB_H_
