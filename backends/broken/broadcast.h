// What of a call says how its operands are broadcast.
#ifndef ASSAY_BACKENDS_BROKEN_BROADCAST_H_
#define ASSAY_BACKENDS_BROKEN_BROADCAST_H_

#include <vector>

#include "backends/broken/kernel.h"

namespace assay::broken {

bool IsBroadcastInDim(const AssayCall& call);
// The attribute broadcast_dimensions, such as "[0, 2]"; false if it is missing
// or says something else.
bool ReadDimensions(const AssayCall& call, std::vector<int64_t>* dimensions);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_BROADCAST_H_
