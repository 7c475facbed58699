// A scatter whose function returns the update, or is one op that forms a
// monoid, needs no function to be called for each update.
#ifndef ASSAY_BACKENDS_CALLS_PLAIN_SCATTER_H_
#define ASSAY_BACKENDS_CALLS_PLAIN_SCATTER_H_

#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/calls/tensors.h"
#include "backends/calls/windows.h"

namespace assay::calls {

struct PlainScatter {
  // One operand, the updates of it, and the result.
  struct Operand {
    const AssayTensor* input;
    const AssayTensor* updates;
    const AssayTensor* result;
    Type type;
    Windows windows;
  };
  std::string_view monoid;        // its op; empty: results become the update
  std::vector<Operand> operands;  // all of one shape
};

// Returns whether a call is such a scatter. Its results then share memory with
// the operands in whole tensors, or not at all, and with nothing else.
bool ReadPlainScatter(const AssayCall& call, PlainScatter* scatter);

// Reads the windows of all operands. Returns what is not implemented, or
// nullptr.
const char* ReadPlainWindows(const AssayCall& call, PlainScatter* scatter);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_PLAIN_SCATTER_H_
