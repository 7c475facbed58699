#ifndef ASSAY_SPEC_UNENFORCED_H_
#define ASSAY_SPEC_UNENFORCED_H_

#include <string>
#include <string_view>

namespace assay {

// Returns what is accepted against a constraint in spite of the text, as the
// op's file says; empty if nothing is. Programs in the field violate such a
// constraint, and are not judged.
std::string AcceptedAgainst(std::string_view op, std::string_view label);

}  // namespace assay

#endif  // ASSAY_SPEC_UNENFORCED_H_
