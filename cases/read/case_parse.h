// One case of a file, from JSON. Private to the case*.cc files.
#ifndef ASSAY_CASES_READ_CASE_PARSE_H_
#define ASSAY_CASES_READ_CASE_PARSE_H_

#include <set>
#include <string>

#include "cases/case.h"

namespace assay {

// `json`: a case without `each`. `notes`: the flags that the file explains.
// Throws InputError that names the place.
Case ParseCase(const JsonView& json, const std::string& op,
               const std::string& file, const std::set<std::string>& notes,
               const ReadOptions& options);

// The op of a case or of a program. Throws InputError if there is none, or it
// is never run.
const OpSpec& RequireOp(const JsonView& at, const std::string& id);

// The values and ops of a case: its program, which has one function. Throws
// InputError. Precondition: `c` has its op, name, and what it violates.
void ParseProgram(const JsonView& json, const ReadOptions& options, Case* c);

// The parts of a case that only traits have. Precondition: `c` has its op, name
// and labels.
void ParseTraitCase(const JsonView& json, Case* c);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_PARSE_H_
