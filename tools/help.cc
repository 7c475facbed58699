// Text in two columns, wrapped: CLI11 leaves wrapping to the terminal, which
// breaks words and needs three lines where two are enough.
#include "tools/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace assay {
namespace {

constexpr size_t kWidth = 100, kIndent = 26;

// `text` behind `head`, in lines of kWidth.
std::string Wrapped(const std::string& head, const std::string& text) {
  std::string out = "  " + head, line = out;
  if (line.size() < kIndent)
    line.resize(kIndent, ' ');
  else
    line += "  ";
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
  std::string out = command.text + "\nUsage: " + UsageOf(command) + "\n";
  if (!command.commands.empty()) {
    out += "\nCommands:\n";
    for (const CommandRow& below : command.commands)
      out += Wrapped(below.path.back(), below.text);
  }
  out += "\n";
  for (const FlagRow& flag : command.flags)
    out += Wrapped(HeadOf(flag), TextOf(flag));
  const std::string footer = app->get_footer();
  return footer.empty() ? out : out + "\n" + footer + "\n";
}

}  // namespace assay
