// The names that formulas of an op have in scope for a call.
#ifndef ASSAY_SPEC_OP_ENVIRONMENT_H_
#define ASSAY_SPEC_OP_ENVIRONMENT_H_

#include "spec/op_spec.h"

namespace assay {

// Returns the inputs and attributes of a call, its process counts, and its
// outputs if they are there. The spec must outlive the environment.
Environment EnvironmentOf(const OpSpec& spec, const Op& call,
                          bool with_outputs);

}  // namespace assay

#endif  // ASSAY_SPEC_OP_ENVIRONMENT_H_
