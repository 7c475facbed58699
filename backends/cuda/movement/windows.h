// Kernels that move elements to or from places that indices say.
#ifndef ASSAY_BACKENDS_CUDA_MOVEMENT_WINDOWS_H_
#define ASSAY_BACKENDS_CUDA_MOVEMENT_WINDOWS_H_

#include <stdint.h>

namespace assay::cuda {

inline constexpr int kMaxWindowDims = 16;

// What calls::Windows has, with strides in bytes. `other_stride` is that of the
// result of a gather, or of the updates of a scatter.
struct WindowsJob {
  struct Dim {
    int64_t size, stride, window_size, slice_size, other_stride;
    int index, batch;
  };
  struct BatchDim {
    int64_t size, index_stride, other_stride;
  };
  const unsigned char* indices;
  int64_t tuple_stride;
  int64_t count;  // of elements of all windows
  int index_bits;
  bool is_signed;
  int num_dims, num_batch;
  Dim dims[kMaxWindowDims];
  BatchDim batch[kMaxWindowDims];
};

struct GatherJob : WindowsJob {
  const unsigned char* operand;
  unsigned char* result;
};

struct MoveJob {
  const unsigned char* from;
  unsigned char* to;
  // By element; nullptr: its number.
  const int64_t* from_places;
  const int64_t* to_places;
  int64_t count;
};

// Elements have so many bytes, 1, 2, 4, 8 or 16, and are aligned to them.
void LaunchGather(const GatherJob& job, int bytes);
void LaunchMove(const MoveJob& job, int bytes);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_MOVEMENT_WINDOWS_H_
