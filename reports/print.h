// The command writes everything for a person with these functions: they are the
// one way to standard output and standard error, so that no text of a backend
// or a file reaches a terminal, or the log of a CI job, as a command.
#ifndef ASSAY_REPORTS_PRINT_H_
#define ASSAY_REPORTS_PRINT_H_

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "spec/printable_text.h"

namespace assay {

// Prints TerminalText with fmt::print.
template <class... T>
void PrintText(std::FILE* stream, fmt::format_string<T...> format,
               T&&... arguments) {
  const std::string text =
      TerminalText(fmt::format(format, std::forward<T>(arguments)...));
  std::fwrite(text.data(), 1, text.size(), stream);
}

template <class... T>
void PrintText(fmt::format_string<T...> format, T&&... arguments) {
  PrintText(stdout, format, std::forward<T>(arguments)...);
}

// Words are colored if standard output is a terminal, unless $NO_COLOR is set;
// or as `--color` says.
enum class ColorMode { kAuto, kAlways, kNever };
void SetColors(ColorMode mode);

enum class Color { kRed = 31, kGreen = 32, kYellow = 33 };
// Calls PrintText to standard output, in a color if colors are on. If there are
// several lines, the first is colored.
void PrintColored(Color color, const std::string& text);

}  // namespace assay

#endif  // ASSAY_REPORTS_PRINT_H_
