// A case as a file has it: for a program that found one worth keeping.
#ifndef ASSAY_CASES_READ_CASE_JSON_H_
#define ASSAY_CASES_READ_CASE_JSON_H_

#include <string>

#include "cases/case.h"

namespace assay {

// The case under the id `id`: one call or a program, with its layouts, or types
// alone if it violates a constraint. Floats are written as bits, so that
// they are these and no others. What a file says of a case beside that (flags,
// literal expectations, chunks) is left out; the calls before it are not.
Json CaseAsJson(const Case& c, const std::string& id);

// Puts such a case into the file of its op at `path`, in canonical form, in the
// place of one with the same id; begins the file if there is none. Throws
// InputError if the file cannot be read or written, or is of another op.
void KeepCase(const std::string& path, const std::string& op,
              const Json& json_case);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_JSON_H_
