// Text that a file or a backend wrote, where a person or a shell reads it.
//
// A terminal obeys control characters, a log of GitHub or Azure obeys lines
// that look like commands, and a shell obeys everything. What others wrote
// passes one of these functions before any of them sees it.
#ifndef ASSAY_SPEC_PRINTABLE_TEXT_H_
#define ASSAY_SPEC_PRINTABLE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// `text` on one line. Controls (C0, DEL, C1), controls of the direction of
// writing, line separators, noncharacters and bytes that are not UTF-8 are
// written as \xNN, or as \u{NNNN} beyond U+007F.
std::string EscapeLine(std::string_view text);

// The same, but for newlines, which stay.
std::string EscapeLines(std::string_view text);

// EscapeLines for a terminal that may be the log of a CI job: where a line
// begins with "::", or has "##[" or "##word[" anywhere, the runner of GitHub or
// Azure would take it for a command, so one character of that is escaped.
std::string TerminalText(std::string_view text);

// Of text that a message quotes.
inline constexpr size_t kMostQuoted = 200;

// `text`; of more than kMostQuoted characters the first ones, an ellipsis and
// their number.
std::string Cut(std::string_view text);

// `text` with two spaces at least in front of every line but the first.
std::string IndentRest(std::string_view text);

// `text` as one word of a command line for sh: in quotes, and what EscapeLine
// would escape by printf, so that TerminalText leaves it as it is.
std::string ShellWord(std::string_view text);

// "--flag WORD"; "--flag=WORD" where the value begins with a dash.
std::string ShellFlag(std::string_view flag, std::string_view value);

// The same of a path that stands without a flag.
std::string ShellPath(std::string_view path);

}  // namespace assay

#endif  // ASSAY_SPEC_PRINTABLE_TEXT_H_
