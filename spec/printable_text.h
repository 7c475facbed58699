// These functions make text that a file or a backend wrote safe for a person or
// a shell to read.
//
// A terminal obeys control characters, a log of GitHub or Azure obeys lines
// that look like commands, and a shell obeys everything. Text of others passes
// one of these functions before any of them sees it.
#ifndef ASSAY_SPEC_PRINTABLE_TEXT_H_
#define ASSAY_SPEC_PRINTABLE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// Returns `text` on one line. Controls (C0, DEL, C1), controls of the writing
// direction, line separators, noncharacters and bytes that are not UTF-8 are
// written as \xNN, or as \u{NNNN} beyond U+007F.
std::string EscapeLine(std::string_view text);

// Escapes the same characters except newlines.
std::string EscapeLines(std::string_view text);

// Returns EscapeLines for a terminal that may be the log of a CI job: a line
// that begins with "::", or has "##[" or "##word[" anywhere, would be a command
// to the runner of GitHub or Azure, so one character of that is escaped.
std::string TerminalText(std::string_view text);

// A message quotes at most this many characters of a text.
inline constexpr size_t kMostQuoted = 200;

// Returns `text`; if it has more than kMostQuoted characters, returns the first
// ones, an ellipsis and their number.
std::string Cut(std::string_view text);

// Returns `text` with at least two spaces in front of every line but the first.
std::string IndentRest(std::string_view text);

// Returns `text` as one word of a command line for sh: in quotes, with printf
// for the characters that EscapeLine would escape, so that TerminalText does
// not change it.
std::string ShellWord(std::string_view text);

// Returns "--flag WORD", or "--flag=WORD" if the value begins with a dash.
std::string ShellFlag(std::string_view flag, std::string_view value);

// Returns the word for a path without a flag.
std::string ShellPath(std::string_view path);

}  // namespace assay

#endif  // ASSAY_SPEC_PRINTABLE_TEXT_H_
