// Readers of the calls of pad and dynamic_pad, which moves.cc has among those
// of all moves.
#ifndef ASSAY_BACKENDS_CALLS_PADDINGS_H_
#define ASSAY_BACKENDS_CALLS_PADDINGS_H_

#include "backends/backend.h"
#include "backends/calls/integers.h"
#include "backends/calls/moves.h"

namespace assay::calls {

// These append the copies of a call, for views that share no memory. They
// return what is not implemented, or nullptr.
const char* ReadPad(const AssayCall& call, const ReadIntegers& read,
                    Moves* moves);
const char* ReadDynamicPad(const AssayCall& call, const ReadIntegers& read,
                           Moves* moves);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_PADDINGS_H_
