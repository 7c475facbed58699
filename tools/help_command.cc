// The command `assay help` prints the same text as --help.
#include <fmt/format.h>

#include <memory>

#include "reports/print.h"
#include "spec/error.h"
#include "spec/nearest.h"
#include "tools/command.h"

namespace assay {
namespace {

// App::help() returns the help of the subcommand that was parsed, which is this
// one.
std::string HelpOf(const CLI::App& command) {
  return command.get_formatter()->make_help(&command, "",
                                            CLI::AppFormatMode::Normal);
}

int Help(const CLI::App& app, const std::string& name) {
  if (name.empty()) {
    PrintText("{}", HelpOf(app));
    return kExitOk;
  }
  std::vector<std::string> names;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) {
      PrintText("{}", HelpOf(*command));
      return kExitOk;
    }
    names.push_back(command->get_name());
  }
  throw InputError("help", fmt::format("there is no subcommand '{}'{}",
                                       Cut(name), DidYouMean(name, names)));
}

}  // namespace

void RegisterHelp(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("help", "Print the help of a subcommand");
  auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "A subcommand: run")->type_name("");
  command->callback([&app, name, exit_code] { *exit_code = Help(app, *name); });
}

}  // namespace assay
