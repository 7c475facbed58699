// The tuning holds the measured parameters of launches as data. It does not
// affect what kernels compute.
#ifndef ASSAY_BACKENDS_CUDA_CORE_TUNING_H_
#define ASSAY_BACKENDS_CUDA_CORE_TUNING_H_

#include <stdint.h>

namespace assay::cuda {

struct Tuning {
  uint32_t threads;  // Threads of a block.
  uint32_t max_blocks;
  // Below this many chunks, there would be too few threads if each took several
  // rows.
  uint32_t least_chunks_for_rows;
  uint32_t least_chunks_for_repeated;
  // If an operand without rows is divided into rows, a row has a chunk for each
  // thread of this many blocks.
  uint32_t blocks_of_row;
};

// The host runs threads one after another: a few blocks and threads are enough
// to have several of each.
#ifdef __CUDACC__
inline constexpr Tuning kTuning = {256, uint32_t{1} << 30, uint32_t{1} << 18,
                                   uint32_t{1} << 20, 16};
#else
inline constexpr Tuning kTuning = {32, 3, 1024, 2048, 2};
#endif

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_TUNING_H_
