// These messages propose what a person may have meant by a name or pattern that
// no case has.
#ifndef ASSAY_CASES_READ_NO_MATCH_H_
#define ASSAY_CASES_READ_NO_MATCH_H_

#include <string>
#include <utility>
#include <vector>

namespace assay {

// The names of cases, each with the type of the case's first input.
using CaseNames = std::vector<std::pair<std::string, std::string>>;

// Returns "no case 'add/exampel' (did you mean 'add/example'?); .." for the
// name of a case.
std::string NoCase(const std::string& name, const CaseNames& cases);

// Returns "no case matches 'add:*f32' (did you mean 'add/*:*f32*', of 12
// cases?)" for a value of --op. Every proposal matches some case.
std::string NoMatch(const std::string& pattern, const CaseNames& cases);

}  // namespace assay

#endif  // ASSAY_CASES_READ_NO_MATCH_H_
