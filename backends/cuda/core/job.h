// A job tells a kernel where the operands lie and what to compute.
//
// It is plain data, passed by value. The loops are over one output's elements,
// the first dimension innermost; the first dimension is cut into chunks, each
// of which is the work of one thread at a time.
#ifndef ASSAY_BACKENDS_CUDA_CORE_JOB_H_
#define ASSAY_BACKENDS_CUDA_CORE_JOB_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/hooks.h"

namespace assay::cuda {

inline constexpr int kMaxJobInputs = 3;
// A line of a tile has this many chunks, see tiled.h.
inline constexpr int kTileParts = 16;
// A thread takes this many rows, see repeated.h.
inline constexpr int kRepeatedRows = 16;
// A nest with more dimensions is cut into jobs.
inline constexpr int kMaxJobDims = 8;

// Division by multiplication (Granlund and Montgomery 1994) is exact for all
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

// A Reading says how the elements of a chunk follow each other.
enum class Reading : uint32_t {
  kVector,  // Contiguous, and chunks are aligned to their size.
  kStrided,
  kOne,         // All elements are the same one.
  kReversed,    // As kVector, but backwards: see rows.h.
  kTransposed,  // Contiguous along the second dimension: see tiled.h.
};

// At most this many operands of a job are kTransposed, since a block has memory
// for no more.
inline constexpr int kMaxTransposed = 2;

struct Operand {
  unsigned char* data;
  int64_t strides[kMaxJobDims];  // In bytes.
  Reading reading;
  // A kTransposed operand has this tile of the block.
  uint32_t tile;
};

// This describes a float format that has no arithmetic of its own.
struct FormatData {
  int bits;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  int special;   // calls::Special
  uint32_t max;  // The code of the largest finite value.
};

// These are the other data that an op asks for. Each op reads its own.
struct Parameters : KernelHooks {
  // An integer has this many bits, or is shifted by as many.
  int bits;
  // Complex comparisons are true for these orders: kLess, kEqual, kGreater, ...
  uint32_t want;
  // Comparisons of bits flip these bits to put codes in order, if the mask's
  // bit is set in the code; otherwise they flip the mask.
  uint64_t flip_negative;
  // The only NaN has the code of -0, and is the greatest value.
  bool has_nan_at_minus_zero;
  // Conversions use these: the NumberClass of either type.
  int from_class;
  int to_class;
  int to_bits;
  uint64_t mask;
  uint64_t limit;
  // Results of less than 8 bits have these bits of a byte cleared, since
  // another op may read the byte.
  uint32_t cleared;
  FormatData format;
  FormatData to_format;
  // reduce_precision uses the following, as codes without their sign. `drop` of
  // the `significand_bits` are rounded away.
  int drop;
  int significand_bits;
  // A code less than `least` becomes 0; a code more than `most` becomes `over`.
  uint64_t least;
  uint64_t most;
  uint64_t over;
  // Functions of which a result may be undecided set this to 1 in that case. It
  // is memory of the device.
  uint32_t* undecided;
};

struct Job {
  int op;  // Its place in the list of ops of the group.
  int num_inputs;
  int num_dims;
  uint32_t extent;  // Size of the first dimension.
  // Size of the second dimension, if there are tiles or several rows at a time.
  uint32_t second_extent;
  // If there are tiles, all of their chunks are aligned.
  bool is_aligned;
  uint32_t chunks;        // Number of chunks or tiles of all dimensions.
  Divisor chunks_of_row;  // Number of them along the first dimension.
  // These are the sizes from the second dimension on. If there are tiles or
  // several rows at a time, the second size counts tiles or groups of rows.
  Divisor extents[kMaxJobDims];
  Operand inputs[kMaxJobInputs];
  Operand output;
  Parameters parameters;
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_JOB_H_
