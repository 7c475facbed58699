// Text is in two columns and wrapped here, because CLI11 leaves wrapping to the
// terminal, which breaks words and needs three lines where two are enough. Help
// that would be longer than a screen has only the first part of each text.
#include "tools/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace assay {
namespace {

constexpr size_t kWidth = 100, kIndent = 26, kHeight = 50;

// Returns `text` after `head`, in lines of kWidth.
std::string Wrapped(const std::string& head, const std::string& text) {
  std::string out = "  " + head, line = out;
  line.resize(std::max(line.size() + 2, kIndent), ' ');
  out.clear();
  size_t words_in_line = 0;
  std::istringstream words(text);
  for (std::string word; words >> word; ++words_in_line) {
    if (words_in_line > 0 && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line.assign(kIndent, ' ');
      words_in_line = 0;
    }
    line += (words_in_line > 0 ? " " : "") + word;
  }
  return out + line + "\n";
}

// Returns the text before the first semicolon or full stop, and the default.
std::string FirstPart(const std::string& text) {
  const size_t end = std::min(text.find("; "), text.find(". "));
  if (end == std::string::npos) return text;
  const size_t standard = text.find("Default: ", end);
  return text.substr(0, end) +
         (standard == std::string::npos ? "" : ". " + text.substr(standard));
}

// Lays out a page, with whole texts or the first part of each.
std::string PageText(const CommandRow& command, const std::string& footer,
                     bool is_whole) {
  std::string out = command.text + "\nUsage: " + UsageOf(command) + "\n";
  if (!command.commands.empty()) {
    out += "\nCommands:\n";
    for (const CommandRow& below : command.commands)
      out += Wrapped(below.path.back(), below.text);
  }
  out += "\n";
  for (const FlagRow& flag : command.flags) {
    const std::string text = TextOf(flag);
    out += Wrapped(HeadOf(flag), is_whole ? text : FirstPart(text));
  }
  if (!is_whole) out += "\nMore about the flags: assay man\n";
  // The help of a command ends with its flags; the footer, which applies to all
  // commands, is on the first page only.
  return command.path.empty() ? out + "\n" + footer + "\n" : out;
}

}  // namespace

std::string HeadOf(const FlagRow& flag) {
  std::string head = fmt::format("{}", fmt::join(flag.names, ", "));
  if (!flag.value.empty() && !flag.is_positional) head += " " + flag.value;
  return head;
}

std::string UsageOf(const CommandRow& command) {
  std::string usage = "assay";
  if (!command.path.empty()) usage += " " + command.Name();
  if (!command.commands.empty()) usage += " COMMAND";
  for (const FlagRow& flag : command.flags) {
    if (!flag.is_positional && !flag.is_required) continue;
    const std::string head = HeadOf(flag) + (flag.is_repeated ? ".." : "");
    usage += flag.is_required ? " " + head : " [" + head + "]";
  }
  return usage + " [FLAGS]";
}

std::string TextOf(const FlagRow& flag) {
  return flag.standard.empty()
             ? flag.text
             : fmt::format("{} [{}]", flag.text, flag.standard);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string,
                                     CLI::AppFormatMode) const {
  const CommandRow command = CommandTable(*app);
  const std::string page = PageText(command, app->get_footer(), true);
  const size_t lines = static_cast<size_t>(std::ranges::count(page, '\n'));
  return lines <= kHeight ? page : PageText(command, app->get_footer(), false);
}

}  // namespace assay
