// These functions read how the operands of a call are broadcast.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_BROADCAST_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_BROADCAST_H_

#include <vector>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

bool IsBroadcastInDim(const AssayCall& call);
// Reads the attribute broadcast_dimensions, such as "[0, 2]". Returns false if
// it is missing or says something else.
bool ReadDimensions(const AssayCall& call, std::vector<int64_t>* dimensions);

// Returns whether the call satisfies the constraints C2 to C5 of
// broadcast_in_dim. Precondition: it has an operand and a result.
bool CanBroadcastInDim(const AssayCall& call);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_BROADCAST_H_
