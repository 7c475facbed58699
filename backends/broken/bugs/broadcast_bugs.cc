// These bugs are in broadcasting: they confuse dimensions or repetitions, or
// write where a repeated operand lies. Without broadcasting they are all sound.
#include <algorithm>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/broadcast.h"
#include "backends/broken/kernel/types.h"
#include "backends/broken/kernel/validation.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

// ----------------------------------------------------------------------- Infer

// BC06.
int64_t OneWinsOverZero(int64_t a, int64_t b) {
  return a + b == 1 ? 1 : InferDim(a, b);
}

// BC07.
int64_t GreaterSize(int64_t a, int64_t b) { return std::max(a, b); }

// ----------------------------------------------------------------------- Align

void AlignFromTheLeft(const DLTensor& operand, int* dimensions) {
  for (int d = 0; d < operand.ndim; ++d) dimensions[d] = d;
}

// BC01.
void FirstIsFirst(const AssayCall& call, const DLTensor& operand, int rank,
                  int* dimensions) {
  if (IsBroadcastInDim(call))
    Align(call, operand, rank, dimensions);
  else
    AlignFromTheLeft(operand, dimensions);
}

// BC12.
void DimensionsAreNotRead(const AssayCall& call, const DLTensor& operand,
                          int rank, int* dimensions) {
  if (IsBroadcastInDim(call))
    AlignFromTheLeft(operand, dimensions);
  else
    Align(call, operand, rank, dimensions);
}

// ------------------------------------------------------------------------ View

// BC03.
Tensor OnesKeepTheirStride(const DLTensor& operand, const int* dimensions,
                           const Job& job, bool is_output) {
  Tensor tensor = View(operand, dimensions, job, is_output);
  for (int d = 0; d < operand.ndim; ++d)
    tensor.strides[dimensions[d]] = operand.strides[d];
  return tensor;
}

// BC04.
Tensor OnlyTheLastIsRepeated(const DLTensor& operand, const int* dimensions,
                             const Job& job, bool is_output) {
  Tensor tensor = View(operand, dimensions, job, is_output);
  for (int d = 0; d < operand.ndim; ++d) {
    if (dimensions[d] != job.rank - 1)
      tensor.strides[dimensions[d]] = operand.strides[d];
  }
  return tensor;
}

// ------------------------------------------------------------------------ Body

// BC09. One loop serves a vector and a number, whichever of the two comes
// first.
int64_t NumberIsAlwaysSecond(const Row& row) {
  const bool is_number_first =
      row.job.num_inputs == 2 && row.in[0].stride == 0 && row.in[1].stride != 0;
  if (!is_number_first) return Body(row);
  int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    Inputs in = LoadInputs(row, i, kLanes);
    std::swap(in[0], in[1]);
    StoreResults(row, i, kLanes, ActiveHooks().op(row.job, in));
  }
  return i;
}

// ------------------------------------------------------------------------ Walk

// BC10. The first repeated operand is expanded to where the result will be,
// which may be the place of another operand.
void ExpandsIntoTheOutput(const Job& job) {
  const auto is_repeated = [&](const Tensor& tensor) {
    for (int d = 0; d < job.rank; ++d) {
      if (tensor.strides[d] == 0 && job.shape[d] > 1) return true;
    }
    return false;
  };
  Job expanded = job;
  for (int k = 0; k < job.num_inputs; ++k) {
    if (!is_repeated(job.in[k]) || !IsSameType(job.in[k].type, job.out.type))
      continue;
    Job move = job;
    MoveFrom(job.in[k], &move);
    Walk(move);
    expanded.in[k] = job.out;
    break;
  }
  Walk(expanded);
}

// -------------------------------------------------------------------- Validate

// BC10V.
bool MayShareWithRepeated(const DLTensor& output, const DLTensor& input) {
  return IsSamePlace(output, input) || !calls::IsSameShape(output, input);
}
std::string RepeatedMayBeOverwritten(const AssayCall& call) {
  return ValidateExcept(call, MayShareWithRepeated);
}

constexpr Bug kBugs[] = {
    {"BC01", Replace<&Hooks::align, FirstIsFirst>},
    {"BC03", Replace<&Hooks::view, OnesKeepTheirStride>},
    {"BC04", Replace<&Hooks::view, OnlyTheLastIsRepeated>},
    {"BC06", Replace<&Hooks::infer, OneWinsOverZero>},
    {"BC07", Replace<&Hooks::infer, GreaterSize>},
    {"BC09", Replace<&Hooks::body, NumberIsAlwaysSecond>},
    {"BC10", Replace<&Hooks::walk, ExpandsIntoTheOutput>},
    {"BC10V", Replace<&Hooks::validate, RepeatedMayBeOverwritten>},
    {"BC12", Replace<&Hooks::align, DimensionsAreNotRead>},
};

}  // namespace

std::span<const Bug> BroadcastBugs() { return kBugs; }

}  // namespace assay::broken
