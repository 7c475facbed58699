// This header reads the sentences behind the labels of constraints, and those
// of an op's semantics, from the Markdown text of the StableHLO specification.
//
// An op file keeps the SHA-256 of each sentence that it turned into a formula,
// and quotes the sentences of the semantics, so that a change of the text is
// noticed before anyone trusts formulas and clauses again.
#ifndef ASSAY_SPEC_SENTENCE_H_
#define ASSAY_SPEC_SENTENCE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Returns by label ("C1") the text behind `* (C1)` in the list under `####
// Constraints` of section `### op`, with the lines that continue it, and with
// every run of white space replaced by one space. Items without a label ("If
// the operation uses quantized tensors:") group the others and belong to none.
// Returns nullopt if the text has no such section.
std::optional<std::map<std::string, std::string>> ConstraintSentences(
    std::string_view text, std::string_view op);

// Returns the same of the first list behind the paragraph that begins with
// `title` in bold, such as "Quantized element types". Returns nullopt if there
// is no such paragraph.
std::optional<std::map<std::string, std::string>> TitledConstraintSentences(
    std::string_view text, std::string_view title);

// A section of an op is one that has `#### Semantics`.
struct OpSection {
  std::string op;
  int line;  // of the heading `### op`, from 1
};
std::vector<OpSection> OpSections(std::string_view text);

// Returns the sentences behind `#### Semantics` of section `### op`, or nullopt
// if there is no such heading.
//
// An item of a list, a paragraph and a line of code are cut into sentences
// behind each ".", "?" or "!" outside of backticks and brackets that a capital,
// a backtick or "(" follows, except behind "i.e." and "e.g.". Bold type,
// comments, and links to issues are left out.
std::optional<std::vector<std::string>> SemanticsSentences(
    std::string_view text, std::string_view op);

// Returns the text of a clause as sentences are returned, without its last "."
// or ":", in which a quotation may differ from the text.
std::string NormalizedQuotation(std::string_view quotation);

// Says whether the sentence only introduces a list or code: it ends with ":"
// and has no formula ("=" between backticks).
bool IsIntroduction(std::string_view sentence);

// Says whether clauses quote the whole sentence: it is a part of one of the
// normalized `quotations`, in whole words, or they leave nothing of it but
// commas, "and" and "where".
bool IsQuoted(std::string_view sentence,
              const std::vector<std::string>& quotations);

}  // namespace assay

#endif  // ASSAY_SPEC_SENTENCE_H_
