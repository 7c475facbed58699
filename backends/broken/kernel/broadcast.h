// These functions read how the operands of a call are broadcast.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_BROADCAST_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_BROADCAST_H_

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

bool IsBroadcastInDim(const AssayCall& call);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_BROADCAST_H_
