// Ops that take functions, types or lists of enums: no constraint says which of
// these are worth a call, so a proposal draws them, and the types of operands
// that go with them. Shapes and numbers are searched as those of every op.
#ifndef ASSAY_FUZZ_PROPOSALS_PROPOSALS_H_
#define ASSAY_FUZZ_PROPOSALS_PROPOSALS_H_

#include <string_view>

#include "cases/search/choices.h"
#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

struct Proposal {
  std::string_view op;
  // Adds operands and results without shapes to the op; `type` is that of the
  // first operand. It may add attributes that are not searched.
  void (*add_types)(ElementType type, Choices* choices, Op* op);
  // Adds the functions to a call whose shapes and numbers are known, and sets
  // the types of the results that follow from them.
  void (*add_functions)(Choices* choices, Op* op);
  // Constants that a call may leave out are left out, unless they are added.
  bool leaves_out = false;
};

// Returns nullptr if the op has no proposal.
const Proposal* FindProposal(std::string_view op);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_PROPOSALS_H_
