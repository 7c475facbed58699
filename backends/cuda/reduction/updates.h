// Kernels that apply the updates of a scatter.
#ifndef ASSAY_BACKENDS_CUDA_REDUCTION_UPDATES_H_
#define ASSAY_BACKENDS_CUDA_REDUCTION_UPDATES_H_

#include <stdint.h>

#include "backends/cuda/movement/windows.h"
#include "backends/cuda/reduction/combine.h"

namespace assay::cuda {

enum class UpdateKind : int { kUnsigned, kSigned, kFloat };

struct UpdateJob : WindowsJob {
  const unsigned char* updates;
  unsigned char* result;
  int64_t window_count;  // elements of a window
  CombineOp op;
  UpdateKind kind;
  int bytes;  // of an element, 1, 2, 4 or 8
  // By update: the number of the element of the result that it changes, in
  // row-major order, or `nowhere`, in 4 or 8 bytes; and the number of the
  // update. LaunchInOrder takes them sorted.
  int code_bytes;
  uint64_t nowhere;
  void* codes;
  uint32_t* places;
};

void LaunchCodes(const UpdateJob& job);
// Each update of an element comes behind the one before it.
void LaunchInOrder(const UpdateJob& job);
// Updates of an element come in any order. Precondition: HasAtomic of the job.
void LaunchAtomic(const UpdateJob& job);
bool HasAtomic(const UpdateJob& job);
// Sets each element to its last update. `job.places` has a place for each
// element of the result. Precondition: the op is kSecond.
void LaunchLast(const UpdateJob& job);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_REDUCTION_UPDATES_H_
