// Where the command writes for a person: the one way to standard output and
// standard error, so that nothing that a backend or a file says reaches a
// terminal, or the log of a CI job, as a command of it.
#ifndef ASSAY_REPORTS_PRINT_H_
#define ASSAY_REPORTS_PRINT_H_

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "spec/printable_text.h"

namespace assay {

// fmt::print of TerminalText.
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

// Whether words stand in colors: where standard output is a terminal, unless
// $NO_COLOR is set; or as `--color` says.
enum class ColorMode { kAuto, kAlways, kNever };
void SetColors(ColorMode mode);

enum class Color { kRed = 31, kGreen = 32, kYellow = 33 };
// PrintText to standard output, in a color where there are colors. Of several
// lines the first is colored.
void PrintColored(Color color, const std::string& text);

}  // namespace assay

#endif  // ASSAY_REPORTS_PRINT_H_
