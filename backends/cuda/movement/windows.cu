#include "backends/cuda/core/device.h"
#include "backends/cuda/core/launch.h"
#include "backends/cuda/movement/read_index.h"
#include "backends/cuda/movement/windows.h"

namespace assay::cuda {
namespace {

template <int kBytes>
struct Gather {
  using Job = GatherJob;
  static ASSAY_DEVICE void Run(const GatherJob& job, int64_t item) {
    using T = typename Word<kBytes>::Type;
    int64_t from = 0, to = 0, place = 0;
    // The windows' own dimensions are the inner ones.
    for (int d = job.num_dims - 1; d >= 0; --d) {
      const WindowsJob::Dim& dim = job.dims[d];
      if (dim.window_size == 1) continue;
      const int64_t i = item % dim.window_size;
      item /= dim.window_size;
      from += i * dim.stride;
      to += i * dim.other_stride;
    }
    for (int b = job.num_batch - 1; b >= 0; --b) {
      const WindowsJob::BatchDim& dim = job.batch[b];
      const int64_t i = item % dim.size;
      item /= dim.size;
      place += i * dim.index_stride;
      to += i * dim.other_stride;
      for (int d = 0; d < job.num_dims; ++d) {
        if (job.dims[d].batch == b) from += i * job.dims[d].stride;
      }
    }
    for (int d = 0; d < job.num_dims; ++d) {
      const WindowsJob::Dim& dim = job.dims[d];
      if (dim.batch >= 0) continue;
      int64_t start =
          dim.index < 0 ? 0
                        : ReadIndex(job, place + dim.index * job.tuple_stride);
      const int64_t most = dim.size - dim.slice_size;
      start = start < 0 ? 0 : start > most ? most : start;
      // A slice without elements may begin behind the last one.
      if (start > dim.size - dim.window_size)
        start = dim.size - dim.window_size;
      from += start * dim.stride;
    }
    const unsigned char* const source = job.operand + from;
    unsigned char* const target = job.result + to;
    CheckAligned<kBytes>(source);
    CheckAligned<kBytes>(target);
    *reinterpret_cast<T*>(target) = *reinterpret_cast<const T*>(source);
  }
};

template <int kBytes>
struct MoveElement {
  using Job = MoveJob;
  static ASSAY_DEVICE void Run(const MoveJob& job, int64_t item) {
    using T = typename Word<kBytes>::Type;
    const int64_t from =
        job.from_places == nullptr ? item : job.from_places[item];
    const int64_t to = job.to_places == nullptr ? item : job.to_places[item];
    reinterpret_cast<T*>(job.to)[to] =
        reinterpret_cast<const T*>(job.from)[from];
  }
};

template <template <int> class Body, class Job>
void LaunchForBytes(const Job& job, int bytes) {
  switch (bytes) {
    case 1:
      return LaunchItems<Body<1>>(job, job.count);
    case 2:
      return LaunchItems<Body<2>>(job, job.count);
    case 4:
      return LaunchItems<Body<4>>(job, job.count);
    case 8:
      return LaunchItems<Body<8>>(job, job.count);
    default:
      return LaunchItems<Body<16>>(job, job.count);
  }
}

}  // namespace

void LaunchGather(const GatherJob& job, int bytes) {
  LaunchForBytes<Gather>(job, bytes);
}

void LaunchMove(const MoveJob& job, int bytes) {
  LaunchForBytes<MoveElement>(job, bytes);
}

}  // namespace assay::cuda
