// Some ops have shapes and attributes that formulas tie together, so that
// values that are drawn one by one would rarely satisfy all of them. For such
// an op a proposal draws them together.
#ifndef ASSAY_FUZZ_PROPOSALS_PROPOSALS_H_
#define ASSAY_FUZZ_PROPOSALS_PROPOSALS_H_

#include <span>
#include <string_view>

#include "fuzz/draw/choices.h"
#include "fuzz/draw/shapes.h"
#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

// What is known of a call before its proposal is made.
struct Subject {
  ElementType type;    // of the first operand, mostly of all and of the result
  const Shape& shape;  // of an operand or of the result
  Profile profile;
};

struct Proposal {
  std::string_view op;
  // Adds operands, attributes, functions and results to the op, which satisfy
  // its constraints if the type does.
  void (*draw)(const Subject& subject, Choices* choices, Op* op);
};

// Those of each kind of op.
std::span<const Proposal> FunctionProposals();
std::span<const Proposal> MovementProposals();

// Returns nullptr if the op has no proposal.
const Proposal* FindProposal(std::string_view op);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_PROPOSALS_H_
