// What a person may have meant by a name or pattern that no case has.
#ifndef ASSAY_CASES_READ_NO_MATCH_H_
#define ASSAY_CASES_READ_NO_MATCH_H_

#include <string>
#include <utility>
#include <vector>

namespace assay {

// Names, each with the type of the case's first input.
using CaseNames = std::vector<std::pair<std::string, std::string>>;

// "no case 'add/exampel' (did you mean 'add/example'?); .." of
// a case's name.
std::string NoCase(const std::string& name, const CaseNames& cases);

// "no case matches 'add:*f32' (did you mean 'add/*:*f32*', of 12 cases?)" of a
// value of --op. What is proposed matches.
std::string NoMatch(const std::string& pattern, const CaseNames& cases);

}  // namespace assay

#endif  // ASSAY_CASES_READ_NO_MATCH_H_
