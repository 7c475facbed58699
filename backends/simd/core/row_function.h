// A RowFunction runs a kernel over blocks of any length and alignment. It cuts
// them into the whole vectors that the loops want; the rest, and everything
// that is not computed in the lanes that it is stored in, goes through buffers.
// No byte is read in front of the first or behind the last element of a block,
// and no byte is written but the elements.
#ifndef ASSAY_BACKENDS_SIMD_CORE_ROW_FUNCTION_H_
#define ASSAY_BACKENDS_SIMD_CORE_ROW_FUNCTION_H_

#include <stddef.h>

#include "backends/simd/core/block_function.h"
#include "backends/simd/core/formats.h"
#include "backends/simd/core/kernels.h"

namespace assay::simd {

struct Lanes {
  size_t bytes;  // Size of an element in memory.
  int bits;      // It is less than 8 for types that do not fill a byte.
  // A type that has a format is computed in f32 lanes; other types have
  // nullptr.
  const FormatKernels* format;
};

struct Job {
  Kernel kernel;
  Extend extend;
  size_t vector_bytes;
  int num_inputs;
  Lanes in[kMaxInputs];
  Lanes out;
  size_t out_lanes;  // Lanes of one element, 2 if it is complex.
};

class RowFunction : public BlockFunction {
 public:
  explicit RowFunction(const Job& job);
  const char* Run(const Blocks& blocks) const override;

 private:
  const unsigned char* ElementOf(const Blocks& blocks, int k,
                                 size_t place) const;
  void RunDirect(const Blocks& blocks, Loop loop, size_t begin,
                 size_t end) const;
  void RunBuffered(const Blocks& blocks, Loop loop, size_t begin,
                   size_t end) const;
  void RunTail(const Blocks& blocks, size_t tail) const;
  void RunStrided(Blocks blocks) const;
  bool CanAlign(const Blocks& blocks) const;
  size_t HeadOf(const Blocks& blocks) const;

  Job job_;
  // Every element goes through the buffers, not only those of heads and tails.
  bool is_buffered_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_ROW_FUNCTION_H_
