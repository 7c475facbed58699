// `assay explain --against` says what backends did on a case, from results
// files.
#ifndef ASSAY_TOOLS_EXPLAIN_AGAINST_H_
#define ASSAY_TOOLS_EXPLAIN_AGAINST_H_

#include <string>
#include <vector>

#include "cases/case.h"

namespace assay {

// Prints for every backend of the files whether it is right on the case, what
// it returned where it is not, and why it was not judged; then which are right.
// `suite` has the paths that the case is from, and `memory` is the value of
// --memory. Throws InputError if a file is no results file.
void PrintAgainst(const Case& c, const std::vector<std::string>& files,
                  const std::vector<std::string>& suite,
                  const std::string& memory);

}  // namespace assay

#endif  // ASSAY_TOOLS_EXPLAIN_AGAINST_H_
