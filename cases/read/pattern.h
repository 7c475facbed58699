// A PATTERN of the command line and of baselines is a glob over `name:type`, or
// over the name alone. `*` also matches `/`.
//
// Cases, verdicts and baseline entries must agree on what a pattern matches, so
// it is decided here and nowhere else.
#ifndef ASSAY_CASES_READ_PATTERN_H_
#define ASSAY_CASES_READ_PATTERN_H_

#include <string>

namespace assay {

// `name` is "add/x@transposed", and `type` the type of the first input,
// "tensor<4xi8>".
bool Matches(const std::string& pattern, const std::string& name,
             const std::string& type);

// Returns why a pattern can match nothing: it is empty, ends in a backslash or
// opens a bracket expression that it does not close. Empty if nothing is wrong.
std::string PatternError(const std::string& pattern);

// Returns the pattern that matches `text` and nothing else.
std::string EscapePattern(const std::string& text);

// Returns whether the pattern matches exactly one text, and sets `*text` to it.
bool IsExact(const std::string& pattern, std::string* text);

}  // namespace assay

#endif  // ASSAY_CASES_READ_PATTERN_H_
