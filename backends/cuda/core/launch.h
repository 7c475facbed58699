// A kernel body runs as a kernel on a GPU, or thread after thread on the host.
// The host runs blocks and threads in an order that a seed shuffles, since
// results must not depend on that order.
#ifndef ASSAY_BACKENDS_CUDA_CORE_LAUNCH_H_
#define ASSAY_BACKENDS_CUDA_CORE_LAUNCH_H_

#include "backends/cuda/core/device.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {

// Returns a grid whose threads take so many items in turn. Precondition: there
// is one.
inline Grid GridOfItems(int64_t count) {
  constexpr int64_t kMostBlocks = 1 << 14;
  const int64_t blocks = (count + kTuning.threads - 1) / kTuning.threads;
  return {static_cast<uint32_t>(blocks < kMostBlocks ? blocks : kMostBlocks),
          kTuning.threads};
}

#ifdef __CUDACC__

template <class Body>
__global__ void __launch_bounds__(kTuning.threads, Body::kBlocks)
    Kernel(const __grid_constant__ Job job) {
  Body::Run(job, {blockIdx.x, gridDim.x, threadIdx.x, blockDim.x});
}

template <class Body>
void Launch(const Grid& grid, const Job& job) {
  Kernel<Body><<<grid.blocks, grid.threads, 0, CurrentStream()>>>(job);
}

// Each job has a block, which first copies the job to memory that is fast to
// read.
template <class Body>
__global__ void __launch_bounds__(kTuning.threads)
    BatchKernel(const Job* jobs) {
  __shared__ Job job;
  static_assert(sizeof(Job) % sizeof(uint32_t) == 0);
  const Job& job_of_block = jobs[blockIdx.x];
  const auto* from = reinterpret_cast<const uint32_t*>(&job_of_block);
  auto* to = reinterpret_cast<uint32_t*>(&job);
  for (uint32_t i = threadIdx.x; i < sizeof(Job) / sizeof(uint32_t);
       i += blockDim.x)
    to[i] = from[i];
  job_of_block.parameters.BarrierOfJob();
  Body::Run(job, {0, 1, threadIdx.x, blockDim.x});
}

template <class Body>
void LaunchBatch(const Job* jobs, uint32_t count) {
  BatchKernel<Body><<<count, kTuning.threads, 0, CurrentStream()>>>(jobs);
}

// A body has two phases, between which the threads of a block wait for each
// other.
template <class Body>
__global__ void __launch_bounds__(kTuning.threads, Body::kBlocks)
    PhasesKernel(const __grid_constant__ Job job) {
  __shared__ typename Body::Shared shared;
  const Thread thread = {blockIdx.x, gridDim.x, threadIdx.x, blockDim.x};
  Body::Load(job, thread, &shared);
  job.parameters.Barrier();
  Body::Finish(job, thread, &shared);
}

template <class Body>
void LaunchPhases(const Grid& grid, const Job& job) {
  PhasesKernel<Body><<<grid.blocks, grid.threads, 0, CurrentStream()>>>(job);
}

// A body has a function for each item, which threads take in turn.
template <class Body>
__global__ void __launch_bounds__(kTuning.threads)
    ItemsKernel(const __grid_constant__ typename Body::Job job, int64_t count) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t item = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       item < count; item += step)
    Body::Run(job, item);
}

template <class Body>
void LaunchItems(const typename Body::Job& job, int64_t count) {
  const Grid grid = GridOfItems(count);
  ItemsKernel<Body>
      <<<grid.blocks, grid.threads, 0, CurrentStream()>>>(job, count);
}

// A body has steps, between which the threads of a block wait for each other.
template <class Body>
__global__ void __launch_bounds__(kTuning.threads)
    StepsKernel(const __grid_constant__ typename Body::Job job) {
  __shared__ typename Body::Shared shared;
  const Thread thread = {blockIdx.x, gridDim.x, threadIdx.x, blockDim.x};
  ASSAY_UNROLL
  for (int step = 0; step < Body::kSteps; ++step) {
    if (step > 0) __syncthreads();
    Body::Run(job, step, thread, &shared);
  }
}

template <class Body>
void LaunchSteps(const typename Body::Job& job, uint32_t blocks) {
  StepsKernel<Body><<<blocks, kTuning.threads, 0, CurrentStream()>>>(job);
}

#else

template <class Body>
void LaunchItems(const typename Body::Job& job, int64_t count) {
  const Grid grid = GridOfItems(count);
  const ThreadOrder blocks(grid.blocks);
  const ThreadOrder threads(grid.threads);
  const int64_t step = int64_t{grid.blocks} * grid.threads;
  for (uint32_t b = 0; b < grid.blocks; ++b) {
    for (uint32_t t = 0; t < grid.threads; ++t) {
      for (int64_t item = int64_t{blocks.At(b)} * grid.threads + threads.At(t);
           item < count; item += step)
        Body::Run(job, item);
    }
  }
}

template <class Body>
void Launch(const Grid& grid, const Job& job) {
  if (!MayLaunch(grid.blocks, grid.threads)) return;
  const ThreadOrder blocks(grid.blocks);
  const ThreadOrder threads(grid.threads);
  for (uint32_t b = 0; b < grid.blocks; ++b) {
    for (uint32_t t = 0; t < grid.threads; ++t) {
      Body::Run(job, {blocks.At(b), grid.blocks, threads.At(t), grid.threads});
    }
  }
}

template <class Body>
void LaunchBatch(const Job* jobs, uint32_t count) {
  const ThreadOrder order(count);
  for (uint32_t i = 0; i < count; ++i)
    Launch<Body>({1, kTuning.threads}, jobs[order.At(i)]);
}

// The memory that a block shares is filled with a pattern before each block, so
// that blocks read nothing that they did not write.
template <class Body>
void LaunchPhases(const Grid& grid, const Job& job) {
  using Shared = typename Body::Shared;
  if (!MayLaunch(grid.blocks, grid.threads)) return;
  auto* const shared = static_cast<Shared*>(SharedMemory(sizeof(Shared)));
  const ThreadOrder blocks(grid.blocks);
  const ThreadOrder threads(grid.threads);
  const auto thread = [&](uint32_t b, uint32_t t) {
    return Thread{blocks.At(b), grid.blocks, threads.At(t), grid.threads};
  };
  for (uint32_t b = 0; b < grid.blocks; ++b) {
    memset(static_cast<void*>(shared), 0xC9, sizeof(Shared));
    job.parameters.AroundBarrier(
        grid.threads,
        [&](uint32_t t) { Body::Load(job, thread(b, t), shared); },
        [&](uint32_t t) { Body::Finish(job, thread(b, t), shared); });
  }
}

template <class Body>
void LaunchSteps(const typename Body::Job& job, uint32_t blocks) {
  using Shared = typename Body::Shared;
  auto* const shared = static_cast<Shared*>(SharedMemory(sizeof(Shared)));
  const ThreadOrder order(blocks);
  const ThreadOrder threads(kTuning.threads);
  for (uint32_t b = 0; b < blocks; ++b) {
    memset(static_cast<void*>(shared), 0xC9, sizeof(Shared));
    for (int step = 0; step < Body::kSteps; ++step) {
      for (uint32_t t = 0; t < kTuning.threads; ++t)
        Body::Run(job, step,
                  {order.At(b), blocks, threads.At(t), kTuning.threads},
                  shared);
    }
  }
}

#endif

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_LAUNCH_H_
