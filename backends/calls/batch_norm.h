#ifndef ASSAY_BACKENDS_CALLS_BATCH_NORM_H_
#define ASSAY_BACKENDS_CALLS_BATCH_NORM_H_

#include "backends/backend.h"
#include "backends/calls/columns.h"

namespace assay::calls {

// Each of these runs a call of its op as calls of other ops. They return what
// is not implemented or went wrong, or nullptr after the results are written.
const char* RunBatchNormInference(const AssayCall& call, Machine* machine);
const char* RunBatchNormTraining(const AssayCall& call, Machine* machine);
const char* RunBatchNormGrad(const AssayCall& call, Machine* machine);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_BATCH_NORM_H_
