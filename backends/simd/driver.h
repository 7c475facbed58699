// Runs a kernel over tensors of any length and alignment: cuts them into the
// whole vectors that the loops want and handles the rest, and all that is not
// computed in the lanes that it is stored in, through buffers, so that no byte
// outside the elements is read or written.
#ifndef ASSAY_BACKENDS_SIMD_DRIVER_H_
#define ASSAY_BACKENDS_SIMD_DRIVER_H_

#include <stddef.h>

#include "backends/simd/formats.h"
#include "backends/simd/kernels.h"

namespace assay::simd {

// Outputs of this size and more bypass the caches: beside its inputs, such an
// output no longer fits half of the L3 cache (32 MiB on the machine that this
// was measured on), so that ordinary stores evict them and read each line
// before they overwrite it. The sum of two i32 tensors of 8 MiB ran at 46 GB/s
// with non-temporal and 29 GB/s with ordinary stores, of 4 MiB at 50 and 49,
// of 2 MiB at 81 and 80.
inline constexpr size_t kStreamBytes = size_t{8} << 20;

struct Operand {
  unsigned char* data;  // Element 0.
  size_t bytes;         // Of one element in memory.
  int bits;             // Less than 8 for types that do not fill a byte.
  bool is_scalar;       // One element, to be repeated.
  const FormatKernels* format;  // Computed in f32 lanes; else nullptr.
};

struct Job {
  Kernel kernel;
  Extend extend;
  size_t vector_bytes;
  int num_inputs;
  Operand in[kMaxInputs];
  Operand out;
  size_t out_lanes;  // Of one element: 2 if complex.
  size_t count;
};

// An input may be the output, but may not overlap it otherwise.
void Run(const Job& job);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_DRIVER_H_
