// This header reads the sentences behind the labels of an op's constraints from
// the Markdown text of the StableHLO specification.
//
// An op file keeps the SHA-256 of each sentence that it turned into a formula,
// so that a change of the text is noticed before anyone trusts the formula
// again.
#ifndef ASSAY_SPEC_SENTENCE_H_
#define ASSAY_SPEC_SENTENCE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

// Returns by label ("C1") the text behind `* (C1)` in the list under `####
// Constraints` of section `### op`, with the lines that continue it, and with
// every run of white space replaced by one space. Items without a label ("If
// the operation uses quantized tensors:") group the others and belong to none.
// Returns nullopt if the text has no such section.
std::optional<std::map<std::string, std::string>> ConstraintSentences(
    std::string_view text, std::string_view op);

}  // namespace assay

#endif  // ASSAY_SPEC_SENTENCE_H_
