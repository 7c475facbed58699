// A program that found a case worth keeping writes it as a file has it.
#ifndef ASSAY_CASES_READ_CASE_JSON_H_
#define ASSAY_CASES_READ_CASE_JSON_H_

#include <string>
#include <vector>

#include "cases/case.h"

namespace assay {

// Returns the case under the id `id`: one call or a program, with its layouts,
// or types alone if it violates a constraint. Floats are written as bits, so
// that no value changes. Flags, literal expectations and chunks are left out;
// the calls before the case are not. Precondition: WhyNotInJson is empty.
Json CaseAsJson(const Case& c, const std::string& id);

// The same with the literal expectations.
Json CaseWithLiteralsAsJson(const Case& c, const std::string& id);

// Returns why a case of StableHLO text cannot be written in JSON, or "".
std::string WhyNotInJson(const Case& c);

// Puts such cases into the file of their op at `path`, in canonical form, each
// in the place of one with the same id, and begins the file if there is none.
// Throws InputError if the file cannot be read or written, or is of another op.
void KeepCases(const std::string& path, const std::string& op,
               const std::vector<Json>& json_cases);
void KeepCase(const std::string& path, const std::string& op,
              const Json& json_case);

}  // namespace assay

#endif  // ASSAY_CASES_READ_CASE_JSON_H_
