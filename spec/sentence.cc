// The reader understands the lists of constraints and the sections of
// semantics: the specification is regular there, and a Markdown parser would
// know no more.
#include "spec/sentence.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace assay {
namespace {

// Removes the first line from `*text` and returns it without its end.
std::string_view NextLine(std::string_view* text) {
  const size_t end = text->find('\n');
  std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }

std::string_view WithoutIndentation(std::string_view line) {
  while (!line.empty() && IsSpace(line.front())) line.remove_prefix(1);
  return line;
}

// Returns "C12" of "* (C12) ..", and sets `*line` to the rest of the line.
// Returns an empty label for other lines.
std::string_view TakeLabel(std::string_view* line) {
  std::string_view rest = WithoutIndentation(*line);
  constexpr std::string_view kOpen = "* (";
  if (!rest.starts_with(kOpen)) return {};
  rest.remove_prefix(kOpen.size());
  size_t size = 1;
  while (size < rest.size() && IsDigit(rest[size])) ++size;
  if (size == 1 || rest.front() != 'C' || !rest.substr(size).starts_with(") "))
    return {};
  *line = rest.substr(size + 2);
  return rest.substr(0, size);
}

void AppendCollapsed(std::string_view line, std::string* sentence) {
  for (char c : line) {
    if (!IsSpace(c))
      *sentence += c;
    else if (!sentence->empty() && sentence->back() != ' ')
      *sentence += ' ';
  }
  if (!sentence->empty() && sentence->back() != ' ') *sentence += ' ';
}

std::map<std::string, std::string> ReadList(std::string_view text) {
  std::map<std::string, std::string> sentences;
  std::string* sentence = nullptr;  // that the next line may continue
  while (!text.empty()) {
    std::string_view line = NextLine(&text);
    if (line.starts_with('#')) break;
    if (const std::string_view label = TakeLabel(&line); !label.empty()) {
      sentence = &sentences[std::string(label)];
      sentence->clear();
    } else if (line.starts_with("* ") || WithoutIndentation(line).empty()) {
      sentence = nullptr;
    }
    if (sentence != nullptr) AppendCollapsed(line, sentence);
  }
  for (auto& [label, collapsed] : sentences) {
    if (collapsed.ends_with(' ')) collapsed.pop_back();
  }
  return sentences;
}

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Replaces each `open` and what follows it, up to `close`, by a space.
void RemoveSpans(std::string_view open, std::string_view close,
                 std::string* text) {
  size_t begin = text->find(open);
  while (begin != std::string::npos) {
    const size_t end = text->find(close, begin + open.size());
    if (end == std::string::npos) return;
    text->replace(begin, end + close.size() - begin, " ");
    begin = text->find(open, begin);
  }
}

// Removes links in parentheses, "([#180](https://..))", and the space before
// them.
void RemoveLinks(std::string* text) {
  for (size_t begin = text->find("(["); begin != std::string::npos;
       begin = text->find("([", begin + 1)) {
    const size_t address = text->find(']', begin);
    if (text->substr(std::min(address, text->size()), 2) != "](") continue;
    const size_t end = text->find(')', address);
    if (text->substr(std::min(end, text->size()), 2) != "))") continue;
    while (begin > 0 && IsSpace((*text)[begin - 1])) --begin;
    text->erase(begin, end + 2 - begin);
  }
}

std::string WithoutMarks(std::string text) {
  RemoveSpans("<!--", "-->", &text);
  RemoveSpans("&#32", ";", &text);
  for (size_t bold; (bold = text.find("**")) != std::string::npos;)
    text.erase(bold, 2);
  RemoveLinks(&text);
  std::string collapsed;
  AppendCollapsed(text, &collapsed);
  if (collapsed.ends_with(' ')) collapsed.pop_back();
  return collapsed;
}

std::string_view WithoutEnd(std::string_view sentence) {
  if (sentence.ends_with('.') || sentence.ends_with(':'))
    sentence.remove_suffix(1);
  return sentence;
}

// Removes "* " or "1. " from the front of `*line`, and says whether it was
// there.
bool TakeBullet(std::string_view* line) {
  size_t size = 0;
  while (size < line->size() && IsDigit((*line)[size])) ++size;
  if (!line->substr(size).starts_with(size == 0 ? "* " : ". ")) return false;
  line->remove_prefix(size + 2);
  return true;
}

// Returns paragraphs, items of lists and lines of code, up to the next heading.
std::vector<std::string> ReadBlocks(std::string_view text) {
  std::vector<std::string> blocks;
  bool in_code = false, begins = true;
  while (!text.empty()) {
    std::string_view line = NextLine(&text);
    if (line.starts_with('#')) break;
    line = WithoutIndentation(line);
    if (line.starts_with("```")) {
      in_code = !in_code;
      begins = true;
    } else if (line.empty()) {
      begins = true;
    } else {
      if (in_code || TakeBullet(&line)) begins = true;
      if (begins) blocks.emplace_back();
      blocks.back() += ' ';
      blocks.back() += line;
      begins = in_code;
    }
  }
  return blocks;
}

bool EndsWithAbbreviation(std::string_view text) {
  return text.ends_with("i.e.") || text.ends_with("e.g.") ||
         text.ends_with("I.e.") || text.ends_with("E.g.");
}

void CutIntoSentences(std::string_view block,
                      std::vector<std::string>* sentences) {
  const auto begins_sentence = [](char c) {
    return (c >= 'A' && c <= 'Z') || c == '`' || c == '(';
  };
  size_t start = 0;
  int depth = 0;
  bool in_backticks = false;
  for (size_t i = 0; i < block.size(); ++i) {
    const char c = block[i];
    if (c == '`') in_backticks = !in_backticks;
    if (in_backticks) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if ((c == '.' || c == '?' || c == '!') && depth == 0 &&
        i + 2 < block.size() && block[i + 1] == ' ' &&
        begins_sentence(block[i + 2]) &&
        !EndsWithAbbreviation(block.substr(0, i + 1))) {
      sentences->emplace_back(block.substr(start, i + 1 - start));
      start = i + 2;
    }
  }
  if (start < block.size()) sentences->emplace_back(block.substr(start));
}

// Says whether `text` has `part` in whole words: "return 1" is no part of
// "return 1.0".
bool HasWords(std::string_view text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    const std::string_view rest = text.substr(at + part.size());
    const bool goes_on = (!rest.empty() && IsWord(rest[0])) ||
                         (rest.size() > 1 && rest[0] == '.' && IsWord(rest[1]));
    if (!goes_on && (at == 0 || !IsWord(text[at - 1]))) return true;
  }
  return false;
}

bool HasOnlyConnectives(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  std::string word;
  while (words >> word)
    if (word != "and" && word != "where") return false;
  return true;
}

}  // namespace

std::optional<std::map<std::string, std::string>> ConstraintSentences(
    std::string_view text, std::string_view op) {
  bool found = false;
  while (!text.empty()) {
    const std::string_view line = NextLine(&text);
    if (line.starts_with("### ")) {
      if (found) break;
      found = line.substr(4) == op;
    } else if (found && line.starts_with("#### Constraints")) {
      return ReadList(text);
    }
  }
  if (!found) return std::nullopt;
  return std::map<std::string, std::string>();
}

std::optional<std::map<std::string, std::string>> TitledConstraintSentences(
    std::string_view text, std::string_view title) {
  const std::string paragraph = "**" + std::string(title) + "**";
  bool found = false;
  std::string list;
  while (!text.empty()) {
    const std::string_view line = NextLine(&text);
    found = found || line.starts_with(paragraph);
    if (!list.empty() && WithoutIndentation(line).empty()) break;
    if (found && (!list.empty() || line.starts_with("* ")))
      list.append(line) += '\n';
  }
  if (!found) return std::nullopt;
  return ReadList(list);
}

std::vector<OpSection> OpSections(std::string_view text) {
  std::vector<OpSection> sections;
  OpSection section;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = NextLine(&text);
    if (line.starts_with("### "))
      section = {std::string(line.substr(4)), number};
    else if (line == "#### Semantics")
      sections.push_back(section);
  }
  return sections;
}

std::optional<std::vector<std::string>> SemanticsSentences(
    std::string_view text, std::string_view op) {
  bool found = false;
  while (!text.empty()) {
    const std::string_view line = NextLine(&text);
    if (line.starts_with("### ")) {
      found = line.substr(4) == op;
    } else if (found && line == "#### Semantics") {
      std::vector<std::string> sentences;
      for (std::string& block : ReadBlocks(text))
        CutIntoSentences(WithoutMarks(std::move(block)), &sentences);
      return sentences;
    }
  }
  return std::nullopt;
}

std::string NormalizedQuotation(std::string_view quotation) {
  return std::string(WithoutEnd(WithoutMarks(std::string(quotation))));
}

bool IsIntroduction(std::string_view sentence) {
  if (!sentence.ends_with(':')) return false;
  const size_t open = sentence.find('`'), close = sentence.rfind('`');
  return open == close || sentence.substr(open, close - open).find('=') ==
                              std::string_view::npos;
}

bool IsQuoted(std::string_view sentence,
              const std::vector<std::string>& quotations) {
  const std::string_view words = WithoutEnd(sentence);
  if (std::ranges::any_of(quotations, [&](const std::string& quotation) {
        return HasWords(quotation, words);
      }))
    return true;
  std::vector<std::string_view> longest_first(quotations.begin(),
                                              quotations.end());
  std::ranges::stable_sort(longest_first, std::ranges::greater(),
                           &std::string_view::size);
  std::string rest(words);
  bool is_shared = false;
  for (const std::string_view quotation : longest_first) {
    if (quotation.find_first_not_of(' ') == std::string_view::npos) continue;
    for (size_t at; (at = rest.find(quotation)) != std::string::npos;) {
      rest.replace(at, quotation.size(), " ");
      is_shared = true;
    }
  }
  return is_shared && HasOnlyConnectives(rest);
}

}  // namespace assay
