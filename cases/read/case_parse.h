// One case of a file is parsed from JSON here. Private to the case*.cc files.
#ifndef ASSAY_CASES_READ_CASE_PARSE_H_
#define ASSAY_CASES_READ_CASE_PARSE_H_

#include <set>
#include <string>

#include "cases/case.h"

namespace assay {

// Parses a case without `each`. `notes` has the flags that the file explains.
// Throws InputError that names the place.
Case ParseCase(const JsonView& json, const std::string& op,
               const std::string& file, const std::set<std::string>& notes,
               const ReadOptions& options);

// Parses the parts of a case that only traits have. Precondition: `c` has its
// op, name and labels.
void ParseTraitCase(const JsonView& json, Case* c);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_PARSE_H_
