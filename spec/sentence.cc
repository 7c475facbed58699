// The reader understands one list of one kind of section: the specification is
// regular there, and a Markdown parser would know no more.
#include "spec/sentence.h"

#include <cctype>

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
  while (size < rest.size() &&
         std::isdigit(static_cast<unsigned char>(rest[size])))
    ++size;
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

}  // namespace assay
