// Reports show a failed case as a file has it. A run has its suite in memory; a
// report reads the files again, if they are still those of the run.
#ifndef ASSAY_TOOLS_CASES_AS_JSON_H_
#define ASSAY_TOOLS_CASES_AS_JSON_H_

#include <string>
#include <vector>

#include "cases/case.h"
#include "reports/page/cause_list.h"
#include "reports/run_header.h"

namespace assay {

// Returns the name of a file of the suite, wherever that lies: the name of its
// folder and its path within.
std::string NameInSuite(const std::string& file,
                        const std::vector<std::string>& paths);

// Returns whether a file of the suite is as it was in the run.
bool IsFileOfRun(const RunHeader& header, const std::string& file,
                 const std::vector<std::string>& paths);

// `suite` must outlive the function that is returned.
CasesAsJson CasesOfSuite(const std::vector<Case>& suite);

// `memory` is the value of --memory.
CasesAsJson CasesOfFiles(const RunHeader& header, const std::string& memory);

}  // namespace assay

#endif  // ASSAY_TOOLS_CASES_AS_JSON_H_
