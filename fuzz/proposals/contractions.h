#ifndef ASSAY_FUZZ_PROPOSALS_CONTRACTIONS_H_
#define ASSAY_FUZZ_PROPOSALS_CONTRACTIONS_H_

#include <span>

#include "fuzz/proposals/proposals.h"

namespace assay {

// Returns the proposals of ops that add products of their operands.
std::span<const Proposal> ContractionProposals();

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_CONTRACTIONS_H_
