#include "tools/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "spec/nearest.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// Returns the subcommand that was reached, and in `*words` the words up to it:
// "list cases".
const CLI::App* Reached(const CLI::App& app, std::string* words) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    *words += command->get_name() + " ";
  }
  return command;
}

std::vector<std::string> FlagsOf(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      flags.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      flags.push_back("-" + name);
  }
  return flags;
}

std::vector<std::string> SubcommandsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App* sub) {
         return !sub->get_name().empty() && !sub->get_group().empty();
       }))
    names.push_back(sub->get_name());
  return names;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

std::string UsageErrorText(const CLI::App& app, const CLI::ParseError& error) {
  std::string words;
  const CLI::App* const command = Reached(app, &words);
  const std::vector<std::string> left = app.remaining(true);
  const std::string help = fmt::format("; see `assay {}--help`", words);
  // The text begins with "list: ", or has no prefix if there is no subcommand.
  if (!words.empty()) words.back() = ':', words += " ";
  const auto flag = std::ranges::find_if(left, [](const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word != "--";
  });
  if (flag != left.end()) {
    const std::string name = flag->substr(0, flag->find('='));
    return fmt::format("{}there is no flag '{}'{}{}", words, Cut(name),
                       DidYouMean(name, FlagsOf(*command)), help);
  }
  const std::vector<std::string> subcommands = SubcommandsOf(*command);
  if (!left.empty() && !subcommands.empty())
    return fmt::format("{}there is no '{}'{}; there are: {}", words,
                       Cut(left.front()), DidYouMean(left.front(), subcommands),
                       Listed(subcommands));
  if (!left.empty())
    return fmt::format("{}'{}' is not expected{}", words, Cut(left.front()),
                       help);
  if (!subcommands.empty())
    return fmt::format("{}name one of: {}", words, Listed(subcommands));
  std::string reason = error.what();
  std::ranges::replace(reason, '\n', ' ');
  return fmt::format("{}{}{}", words, Cut(reason), help);
}

}  // namespace assay
