// A pointwise call has operands of any types and of shapes that can be
// broadcast, a promotion rule for each output, and outputs that are given.
// These functions read and check it.
#ifndef ASSAY_BACKENDS_CALLS_POINTWISE_H_
#define ASSAY_BACKENDS_CALLS_POINTWISE_H_

#include <stdint.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/calls/broadcast.h"
#include "backends/calls/limits.h"
#include "backends/calls/promotion.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

// A PointwiseProgram is everything about a call except where its operands lie.
struct PointwiseProgram {
  std::string_view name;
  int num_inputs;
  int num_outputs;
  Type inputs[kMaxInputs];
  Promoted outputs[kMaxOutputs];
  const AssayAttribute* attributes;
  int32_t num_attributes;

  // The predicate of select takes no part in the promotion of the others.
  bool IsPredicate(int input) const { return name == "select" && input == 0; }
};

// Returns the text after the prefix of a pointwise call, or nullptr.
const char* PointwiseName(const char* op);

// Returns ASSAY_OK, ASSAY_INVALID or ASSAY_UNSUPPORTED; the text of the
// complaint says what is invalid or not implemented. The call must have a
// PointwiseName.
AssayStatus ReadPointwise(const AssayCall& call, PointwiseProgram* program,
                          Complaint* complaint);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_POINTWISE_H_
