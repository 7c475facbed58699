// How kernels are launched, as data: what was measured, not what they compute.
#ifndef ASSAY_BACKENDS_CUDA_TUNING_H_
#define ASSAY_BACKENDS_CUDA_TUNING_H_

#include <stdint.h>

namespace assay::cuda {

struct Tuning {
  uint32_t threads;           // Of a block.
  uint32_t chunks_of_thread;  // At most, before a grid is as large as it gets.
  uint32_t max_blocks;
};

// The host runs threads one after another: few are enough to have several of
// everything.
#ifdef __CUDACC__
inline constexpr Tuning kTuning = {256, 2, uint32_t{1} << 30};
#else
inline constexpr Tuning kTuning = {32, 2, 3};
#endif

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_TUNING_H_
