// Patterns are globs of fnmatch(3), but a pattern that it silently treats as
// "no match" is an error.
#include "cases/read/pattern.h"

#include <fnmatch.h>

namespace assay {
namespace {

constexpr char kSpecial[] = "*?[\\";

// Returns where the bracket expression that opens at `open` closes, or npos if
// it does not. A `]` that comes first is a member.
size_t EndOfBrackets(const std::string& pattern, size_t open) {
  size_t i = open + 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;
  for (; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == ']') {
      return i;
    }
  }
  return std::string::npos;
}

}  // namespace

bool Matches(const std::string& pattern, const std::string& name,
             const std::string& type) {
  const std::string full = name + ":" + type;
  return fnmatch(pattern.c_str(), full.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::string PatternError(const std::string& pattern) {
  if (pattern.empty()) return "an empty pattern matches nothing";
  if (pattern.find('\0') != std::string::npos)
    return "a pattern has no NUL characters";
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      if (++i == pattern.size()) return "the pattern ends in a backslash";
    } else if (pattern[i] == '[') {
      i = EndOfBrackets(pattern, i);
      if (i == std::string::npos) return "the pattern has a [ without its ]";
    }
  }
  return "";
}

std::string EscapePattern(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string(kSpecial).find(c) != std::string::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

bool IsExact(const std::string& pattern, std::string* text) {
  text->clear();
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      ++i;
    } else if (std::string(kSpecial).find(pattern[i]) != std::string::npos) {
      return false;
    }
    *text += pattern[i];
  }
  return true;
}

}  // namespace assay
