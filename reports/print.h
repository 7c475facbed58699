// Where the command writes for a person: the one way to standard output and
// standard error, so that nothing that a backend or a file says reaches a
// terminal, or the log of a CI job, as a command of it.
#ifndef ASSAY_REPORTS_PRINT_H_
#define ASSAY_REPORTS_PRINT_H_

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "spec/text.h"

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

}  // namespace assay

#endif  // ASSAY_REPORTS_PRINT_H_
