// Ops that are made of other ops: a call of one becomes calls of those, on a
// machine that is the backend's.
#ifndef ASSAY_BACKENDS_CALLS_COMPOSITIONS_H_
#define ASSAY_BACKENDS_CALLS_COMPOSITIONS_H_

#include "backends/backend.h"
#include "backends/calls/columns.h"

namespace assay::calls {

// Returns whether calls of the op become calls of others.
bool IsComposition(const char* op);

// Runs such a call. Returns what is not implemented or went wrong, or nullptr
// after the results are written. Precondition: IsComposition(call.op).
const char* RunComposition(const AssayCall& call, Machine* machine);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_COMPOSITIONS_H_
