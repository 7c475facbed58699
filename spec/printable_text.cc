// One decoder of UTF-8 finds what must not be printed; the functions differ in
// what they write instead.
#include "spec/printable_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace assay {
namespace {

struct Character {
  size_t bytes = 1;
  uint32_t code = 0;
  bool is_valid = false;
};

// Returns the first character of `text`, which is not empty.
Character First(std::string_view text) {
  const auto byte = [&](size_t i) -> uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {1, lead};
  uint32_t code = lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {1, lead};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || is_surrogate || code > 0x10ffff) return {1, lead};
  return {bytes, code, true};
}

bool IsPrintable(const Character& c) {
  const uint32_t code = c.code;
  if (!c.is_valid || code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  const bool changes_direction =
      code == 0x061c || code == 0x200e || code == 0x200f ||
      (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool separates_lines = code == 0x2028 || code == 0x2029;
  const bool is_noncharacter =
      (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  return !changes_direction && !separates_lines && !is_noncharacter;
}

std::string Escaped(const Character& c) {
  return c.is_valid && c.code >= 0x80 ? fmt::format("\\u{{{:04x}}}", c.code)
                                      : fmt::format("\\x{:02x}", c.code);
}

std::string Escape(std::string_view text, bool keeps_newlines) {
  // Most texts need no escapes.
  const auto is_plain = [&](char c) {
    return (c >= 0x20 && c < 0x7f) || (keeps_newlines && c == '\n');
  };
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string escaped;
  while (!text.empty()) {
    const Character c = First(text);
    if (IsPrintable(c) || (keeps_newlines && c.code == '\n')) {
      escaped += text.substr(0, c.bytes);
    } else {
      escaped += Escaped(c);
    }
    text.remove_prefix(c.bytes);
  }
  return escaped;
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns where "##[" or "##word[" begins.
size_t FindMark(std::string_view text, size_t from) {
  for (size_t at = text.find("##", from); at != std::string_view::npos;
       at = text.find("##", at + 1)) {
    size_t end = at + 2;
    while (end < text.size() && IsLetter(text[end])) ++end;
    if (end < text.size() && text[end] == '[') return at;
  }
  return std::string_view::npos;
}

// Returns the end of the unprintable characters at the begin of `text`. If the
// last of them is a newline, the next character is included.
size_t EndOfUnprintable(std::string_view text) {
  size_t end = 0;
  while (end < text.size()) {
    const Character c = First(text.substr(end));
    const bool is_behind_newline = end > 0 && text[end - 1] == '\n';
    if (IsPrintable(c) && !is_behind_newline) break;
    end += c.bytes;
  }
  return end;
}

}  // namespace

std::string EscapeLine(std::string_view text) { return Escape(text, false); }

std::string EscapeLines(std::string_view text) { return Escape(text, true); }

std::string TerminalText(std::string_view text) {
  std::string escaped = Escape(text, true);
  for (size_t at = FindMark(escaped, 0); at != std::string::npos;
       at = FindMark(escaped, at + 1))
    escaped.replace(at + 1, 1, "\\x23");
  // The CI runner skips blanks in front of a command.
  for (size_t line = 0; line < escaped.size();) {
    const size_t first = escaped.find_first_not_of(' ', line);
    if (first != std::string::npos && escaped.compare(first, 2, "::") == 0)
      escaped.replace(first, 1, "\\x3a");
    const size_t end = escaped.find('\n', line);
    line = end == std::string::npos ? escaped.size() : end + 1;
  }
  return escaped;
}

std::string Cut(std::string_view text) {
  if (text.size() <= kMostQuoted) return std::string(text);
  size_t characters = 0, end = 0;
  for (size_t at = 0; at < text.size(); ++characters) {
    if (characters == kMostQuoted) end = at;
    at += First(text.substr(at)).bytes;
  }
  if (characters <= kMostQuoted) return std::string(text);
  return fmt::format("{}… ({} characters)", text.substr(0, end), characters);
}

std::string IndentRest(std::string_view text) {
  std::string indented;
  for (size_t i = 0; i < text.size(); ++i) {
    indented += text[i];
    if (text[i] == '\n' && !text.substr(i + 1).starts_with("  "))
      indented += "  ";
  }
  return indented;
}

std::string ShellWord(std::string_view text) {
  std::string word = "'";
  while (!text.empty()) {
    const Character c = First(text);
    if (IsPrintable(c)) {
      const char last = word.back();
      if (c.code == '\'') {
        word += "'\\''";
      } else {
        // TerminalText would change "##[".
        if (c.code == '#' && last == '#') word += "''";
        word += text.substr(0, c.bytes);
      }
      text.remove_prefix(c.bytes);
      continue;
    }
    // A substitution loses the newlines at its end, so the next character is in
    // it as well. At the end of the word the newlines are written unchanged,
    // and the next line begins with a quote.
    const size_t end = EndOfUnprintable(text);
    size_t lost = end;
    while (end == text.size() && lost > 0 && text[lost - 1] == '\n') --lost;
    if (lost > 0) {
      std::string octal;
      for (const char byte : text.substr(0, lost))
        octal += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
      word += fmt::format("'\"$(printf '{}')\"'", octal);
    }
    for (size_t i = lost; i < end; ++i) word += "\n''";
    text.remove_prefix(end);
  }
  return word + "'";
}

std::string ShellFlag(std::string_view flag, std::string_view value) {
  return fmt::format("{}{}{}", flag, value.starts_with('-') ? '=' : ' ',
                     ShellWord(value));
}

std::string ShellPath(std::string_view path) {
  return path.starts_with('-') ? ShellWord(fmt::format("./{}", path))
                               : ShellWord(path);
}

}  // namespace assay
