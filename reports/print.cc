// Colors are added after text of others is escaped.
#include "reports/print.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace assay {
namespace {

bool has_colors = false;

bool IsColorTerminal() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 &&
         (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

void SetColors(ColorMode mode) {
  has_colors = mode == ColorMode::kAlways ||
               (mode == ColorMode::kAuto && IsColorTerminal());
}

void PrintColored(Color color, const std::string& text) {
  if (!has_colors) return PrintText("{}", text);
  const std::string safe = TerminalText(text);
  const size_t end = std::min(safe.find('\n'), safe.size());
  const std::string colored =
      fmt::format("\x1b[{}m{}\x1b[0m{}", static_cast<int>(color),
                  safe.substr(0, end), safe.substr(end));
  std::fwrite(colored.data(), 1, colored.size(), stdout);
}

}  // namespace assay
