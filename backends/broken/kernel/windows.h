// gather and scatter: a window for each tuple of indices, one after the other.
//
// The windows of gather are jobs, as the copies of other ops that move
// elements are. The updates of scatter are elements of functions, as the terms
// of reduce are.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_WINDOWS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_WINDOWS_H_

#include <stdint.h>

#include <vector>

#include "backends/broken/kernel/regions.h"
#include "backends/calls/windows.h"

namespace assay::broken {

// Runs a call of gather or dynamic_gather. Returns what is not implemented, or
// nullptr.
const char* RunGather(const AssayCall& call);
// Fills the outputs.
void RunScatter(FunctionCall* call);

bool IsDimensionSize(const AssayCall& call);
const char* RunDimensionSize(const AssayCall& call);

// An element of the results, and the place of an update that goes to it.
struct Hit {
  int64_t element, update;
};

// These are the sound hooks.
const char* ReadWindows(const AssayCall& call, calls::Windows* windows);
// Returns an index of gather as the place where the slice begins.
int64_t Clamped(const calls::Windows::Dim& dim, int64_t index);
// Returns whether an element of a window of scatter is in the operand.
bool IsInside(const calls::Windows& windows, const std::vector<int64_t>& begin,
              const std::vector<int64_t>& offset);
// Applies updates to the outputs, which are the inputs at first.
void ApplyHits(FunctionCall* call, const std::vector<Hit>& hits);
int64_t SizeOf(const AssayCall& call, int64_t dimension);

// Returns what is updated, and the update, of each operand. The first element
// of init_values is the tensor of indices.
Tuple ElementsOfHit(const FunctionCall& call, const std::vector<Elements>& of,
                    int64_t element);
void ApplyHit(FunctionCall* call, const Tuple& element, const Hit& hit);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_WINDOWS_H_
