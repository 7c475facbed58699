#include "fuzz/proposals/proposals.h"

#include <algorithm>

namespace assay {

const Proposal* FindProposal(std::string_view op) {
  for (const std::span<const Proposal> proposals :
       {FunctionProposals(), MovementProposals()}) {
    const auto it = std::ranges::find(proposals, op, &Proposal::op);
    if (it != proposals.end()) return &*it;
  }
  return nullptr;
}

}  // namespace assay
