// This file checks that every sentence of the semantics has been read: a clause
// quotes it, or the op file says why none does.
#include <fmt/format.h>

#include <algorithm>

#include "reports/print.h"
#include "spec/op_spec.h"
#include "spec/sentence.h"
#include "tools/lint.h"

namespace assay {
namespace {

// A key of "unquoted" may list several sentences, as a whole list.
struct UnquotedText {
  std::string key;
  std::string normalized;
  bool accounts_for_one = false;
};

// Marks the texts that list the sentence, and says whether there are any.
bool IsUnquoted(const std::string& sentence,
                std::vector<UnquotedText>* unquoted) {
  const std::string normalized = NormalizedQuotation(sentence);
  bool is_listed = false;
  for (UnquotedText& text : *unquoted) {
    if (text.normalized.find(normalized) == std::string::npos) continue;
    is_listed = text.accounts_for_one = true;
  }
  return is_listed;
}

}  // namespace

void LintSemantics(const OpSpec& spec, const std::string& file,
                   const std::string& text, SentenceCounts* counts,
                   Complaints* complaints) {
  const auto sentences = SemanticsSentences(text, spec.id);
  if (!sentences) {
    complaints->Add(
        file, "/op",
        fmt::format("section '### {}' of the text has no '#### Semantics'",
                    spec.id));
    return;
  }
  std::vector<std::string> quotations;
  for (const ClauseSpec& clause : spec.semantics)
    quotations.push_back(NormalizedQuotation(clause.text));
  std::vector<UnquotedText> unquoted;
  for (const auto& [key, reason] : spec.unquoted)
    unquoted.push_back({key, NormalizedQuotation(key)});
  std::string section;
  for (const std::string& sentence : *sentences) {
    section += sentence + " ";
    if (!IsIntroduction(sentence) && IsQuoted(sentence, quotations)) {
      ++counts->quoted;
    } else if (IsUnquoted(sentence, &unquoted)) {
      ++counts->unquoted;
    } else if (IsIntroduction(sentence)) {
      ++counts->introductions;
    } else {
      ++counts->unread;
      complaints->Add(
          file, "/semantics",
          fmt::format("no clause quotes \"{}\"; quote it, or list it in "
                      "\"unquoted\" with the reason",
                      sentence));
    }
  }
  for (const UnquotedText& listed : unquoted) {
    if (section.find(listed.normalized) == std::string::npos)
      complaints->Add(file, "/unquoted",
                      fmt::format("the section has no \"{}\"", listed.key));
    else if (!listed.accounts_for_one)
      complaints->Add(
          file, "/unquoted",
          fmt::format("clauses quote \"{}\"; remove it here", listed.key));
  }
}

void LintSections(const std::string& text_file, const std::string& text,
                  const std::set<std::string>& linted, Complaints* complaints) {
  for (const auto& [op, line] : OpSections(text)) {
    if (FindOp(op) == nullptr && !linted.contains(op))
      complaints->Add(fmt::format("{}:{}", text_file, line), "",
                      fmt::format("'### {}' has no op file", op));
  }
}

void PrintSentenceCounts(const std::string& text_file,
                         const SentenceCounts& counts) {
  PrintText(
      "{}: sentences of {} ops and {} types and constants: {} match, {} "
      "changed, {} not in the text, {} only in the text; {} ops of other "
      "documents not checked\n",
      text_file, counts.ops, counts.elements, counts.matching, counts.changed,
      counts.missing, counts.added, counts.other_sources);
  PrintText(
      "{}: sentences of the semantics: {} quoted, {} listed as unquoted, {} "
      "that introduce a list, {} not read\n",
      text_file, counts.quoted, counts.unquoted, counts.introductions,
      counts.unread);
}

}  // namespace assay
