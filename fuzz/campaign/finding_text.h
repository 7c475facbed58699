// A finding of a program is also written as StableHLO text, since who develops
// a compiler has tools that read it.
#ifndef ASSAY_FUZZ_CAMPAIGN_FINDING_TEXT_H_
#define ASSAY_FUZZ_CAMPAIGN_FINDING_TEXT_H_

#include <string>

#include "cases/case.h"
#include "spec/policy.h"

namespace assay {

// Returns whether there is more to a case than one op on operands: several ops,
// or ops of functions.
bool IsProgram(const Case& c);

// Returns a module that `assay run --cases` reads: inputs are constants, and
// what the oracle allows under the policy is checked of each result. Layouts
// are left out. Precondition: the case is valid, and its results are tensors.
std::string TextFileOf(const Case& c, const Policy& policy);

}  // namespace assay

#endif  // ASSAY_FUZZ_CAMPAIGN_FINDING_TEXT_H_
