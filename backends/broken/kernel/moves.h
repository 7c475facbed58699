// These functions run the ops that only move elements, and iota: their calls
// become jobs on the views of backends/calls/moves.h.
//
// broadcast_in_dim is not one of them: it goes through the hooks of
// broadcasting, like every call that repeats an operand.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_MOVES_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_MOVES_H_

#include <stdint.h>

#include <vector>

#include "backends/broken/kernel/kernel.h"
#include "backends/calls/moves.h"

namespace assay::broken {

// The result of iota is a conversion of these numbers, which `view` shows in
// the result's shape.
struct Counting {
  std::vector<int64_t> numbers;
  calls::DimsView view;
};

bool IsMoveOrIota(const AssayCall& call);

// Runs the call. Returns what is not implemented, or nullptr.
const char* RunMoves(const AssayCall& call);

// Returns the numbers in an attribute that calls::ReadMoves has accepted.
std::vector<int64_t> NumbersOf(const AssayCall& call, const char* name);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_MOVES_H_
