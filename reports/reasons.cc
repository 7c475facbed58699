// The texts are written by others and may be long, so they are read once,
// without a regular expression.
#include "reports/reasons.h"

#include <algorithm>
#include <functional>

#include "spec/op_spec.h"
#include "spec/types/element_type.h"

namespace assay {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_' || c == '.';
}

// A full stop at the end is not part of a word.
size_t EndOfWord(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && IsWord(text[end])) ++end;
  while (end > begin + 1 && text[end - 1] == '.') --end;
  return end;
}

// Some names of ops are words of a sentence.
bool IsEnglish(std::string_view word) {
  return word == "and" || word == "or" || word == "not";
}

// Returns the end of a number or `?` at `begin`, or `begin` if there is none.
size_t EndOfSize(std::string_view text, size_t begin) {
  size_t end = begin;
  if (end < text.size() && text[end] == '?') return end + 1;
  if (end < text.size() && text[end] == '-') ++end;
  const size_t digits = end;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end == digits ? begin : end;
}

// Returns the end of "[2, 3]" or "(2, 3)" that opens at `open`, or `open` if
// the text is another one.
size_t EndOfList(std::string_view text, size_t open) {
  const char close = text[open] == '[' ? ']' : ')';
  size_t at = open + 1;
  bool has_size = false;
  while (at < text.size() && text[at] != close) {
    const size_t end = EndOfSize(text, at);
    has_size |= end != at;
    if (end == at && text[at] != ',' && text[at] != ' ') return open;
    at = std::max(end, at + 1);
  }
  return at < text.size() && has_size ? at + 1 : open;
}

// Returns the end of "2x3x" before an element type, or of "2x3". Returns
// `begin` if there is only one number, which need not be a size.
size_t EndOfSizes(std::string_view text, size_t begin) {
  // A hexadecimal number is not a size, but a dimension may be 0.
  if (text.substr(begin, 2) == "0x" && (begin == 0 || text[begin - 1] != '<'))
    return begin;
  size_t at = begin, sizes = 0;
  while (true) {
    const size_t end = EndOfSize(text, at);
    if (end == at || text[at] == '-') break;
    ++sizes;
    at = end;
    if (at == text.size() || text[at] != 'x') break;
    ++at;
  }
  const bool is_type = at > begin && text[at - 1] == 'x' && at < text.size();
  return sizes > 1 || (sizes == 1 && is_type) ? at : begin;
}

}  // namespace

std::string FoldedReason(std::string_view reason, int level) {
  const bool all_numbers = level > 1;
  std::string folded;
  for (size_t at = 0; at < reason.size();) {
    const char c = reason[at];
    const bool in_word = at > 0 && IsWord(reason[at - 1]);
    if (c == '[' || c == '(') {
      const size_t end = EndOfList(reason, at);
      if (end != at) {
        folded += c == '[' ? "[..]" : "(..)";
        at = end;
        continue;
      }
    } else if (!in_word && (IsDigit(c) || c == '?')) {
      size_t end = EndOfSizes(reason, at);
      if (end != at) {
        folded += reason[end - 1] == 'x' ? "..x" : "..x..";
        at = end;
        continue;
      }
      end = EndOfSize(reason, at);
      if (all_numbers && IsDigit(c) &&
          (end == reason.size() || !IsWord(reason[end]))) {
        folded += 'N';
        at = end;
        continue;
      }
    }
    if (level > 2 && IsWord(c) && !in_word) {
      const size_t end = EndOfWord(reason, at);
      const std::string_view word = reason.substr(at, end - at);
      const bool is_name = !IsEnglish(word) &&
                           (FindOp(word) != nullptr || ParseElementType(word));
      folded += is_name ? ".." : word;
      at = end;
      continue;
    }
    folded += c;
    ++at;
  }
  return folded;
}

std::vector<std::pair<int64_t, std::string>> FoldedReasons(
    const std::map<std::string, int64_t>& reasons, size_t most) {
  std::vector<std::pair<int64_t, std::string>> rows;
  for (int level = 1; level <= kFoldingLevels; ++level) {
    std::map<std::string, int64_t> folded;
    for (const auto& [reason, count] : reasons)
      folded[FoldedReason(reason, level)] += count;
    rows.clear();
    for (const auto& [reason, count] : folded) rows.emplace_back(count, reason);
    if (rows.size() <= most) break;
  }
  std::ranges::stable_sort(rows, std::greater<>(),
                           &std::pair<int64_t, std::string>::first);
  return rows;
}

}  // namespace assay
