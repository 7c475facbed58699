// How kernels are launched, as data: what was measured, not what they compute.
#ifndef ASSAY_BACKENDS_CUDA_CORE_TUNING_H_
#define ASSAY_BACKENDS_CUDA_CORE_TUNING_H_

#include <stdint.h>

namespace assay::cuda {

struct Tuning {
  uint32_t threads;  // Of a block.
  uint32_t max_blocks;
  // Below this, threads that take several rows would be too few.
  uint32_t least_chunks_for_rows;
  uint32_t least_chunks_for_repeated;
  // Of threads, in a row that is made of what has none.
  uint32_t blocks_of_row;
};

// The host runs threads one after another: few are enough to have several of
// everything.
#ifdef __CUDACC__
inline constexpr Tuning kTuning = {256, uint32_t{1} << 30, uint32_t{1} << 18,
                                   uint32_t{1} << 20, 16};
#else
inline constexpr Tuning kTuning = {32, 3, 1024, 2048, 2};
#endif

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_TUNING_H_
