// This header instantiates the kernels of a group of ops.
#ifndef ASSAY_BACKENDS_CUDA_CORE_KERNEL_SET_H_
#define ASSAY_BACKENDS_CUDA_CORE_KERNEL_SET_H_

#include "backends/cuda/core/elementwise.h"
#include "backends/cuda/core/functions.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/launch.h"
#include "backends/cuda/core/repeated.h"
#include "backends/cuda/core/rows.h"
#include "backends/cuda/core/tiled.h"

namespace assay::cuda {

template <class Group>
void LaunchElementwise(const Job& job) {
  Launch<Elementwise<Group>>(hooks::GridFor(job.chunks), job);
}

template <class Group>
void LaunchNarrow(const Job& job) {
  Launch<Elementwise<Group, 1>>(hooks::GridFor(job.chunks), job);
}

template <class Group>
void LaunchJobs(const Job* jobs, uint32_t count) {
  LaunchBatch<Elementwise<Group, 1>>(jobs, count);
}

template <class Group>
void LaunchRows(const Job& job) {
  Launch<Rows<Group>>(hooks::GridFor(job.chunks), job);
}

template <class Group>
void LaunchRepeated(const Job& job) {
  Launch<Repeated<Group>>(hooks::GridFor(job.chunks), job);
}

template <class Group>
constexpr auto RepeatedOf() -> void (*)(const Job&) {
  if constexpr (kIsRepeated<Group>) {
    return &LaunchRepeated<Group>;
  } else {
    return nullptr;
  }
}

template <class Group>
void LaunchTiled(const Job& job) {
  LaunchPhases<Tiled<Group>>({job.chunks, kTuning.threads}, job);
}

// A group that is limited by arithmetic on any layout has no kernel for tiles.
template <class Group>
constexpr auto TiledOf() -> void (*)(const Job&) {
  if constexpr (Group::kIsTiled) {
    return &LaunchTiled<Group>;
  } else {
    return nullptr;
  }
}

template <class Group>
inline constexpr KernelSet kKernels = {
    &LaunchElementwise<Group>,
    &LaunchNarrow<Group>,
    &LaunchJobs<Group>,
    &LaunchRows<Group>,
    RepeatedOf<Group>(),
    TiledOf<Group>(),
    kChunk<Group>,
    kRepeatedChunk<Group>,
    kTile<Group>,
    kRows<Group>,
    kTuning,
    {kSizeOf<typename Group::In0>, kSizeOf<typename Group::In1>,
     kSizeOf<typename Group::In2>},
    kSizeOf<typename Group::Out>};

// Returns the op of this name and number of operands, if the group has it.
template <class Group>
Function FunctionOf(std::string_view name, int num_inputs,
                    const Parameters& parameters) {
  const int op = Group::List::Find(name, num_inputs);
  if (op < 0) return {};
  return {&kKernels<Group>, op, num_inputs, parameters};
}

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_KERNEL_SET_H_
