// The command `assay man` makes the manual page from the flags as they are
// parsed.
#include <fmt/format.h>

#include <string>

#include "reports/print.h"
#include "tools/command.h"
#include "tools/flag_table.h"
#include "tools/help.h"

namespace assay {
namespace {

// Returns text for roff: a hyphen becomes a minus sign, as in a flag, and no
// line is taken for a request.
std::string Roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if ((escaped.empty() || escaped.back() == '\n') && (c == '.' || c == '\''))
      escaped += "\\&";
    if (c == '-') {
      escaped += "\\-";
    } else if (c == '\\') {
      escaped += "\\e";
    } else if (c == '`') {
      escaped += "\\(ga";
    } else if (c == '\'') {
      escaped += "\\(aq";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

void PrintFlags(const CommandRow& command) {
  for (const FlagRow& flag : command.flags)
    PrintText(".TP\n\\fB{}\\fR\n{}\n", Roff(HeadOf(flag)), Roff(TextOf(flag)));
}

void PrintManual(const CLI::App& app) {
  const CommandRow root = CommandTable(app);
  PrintText(
      ".TH ASSAY 1 \"\" \"assay {}\" \"User Commands\"\n.SH NAME\n"
      "assay \\- {}\n.SH SYNOPSIS\n",
      ASSAY_VERSION, Roff(root.text));
  for (const CommandRow& command : root.commands)
    PrintText("{}\n.br\n", Roff(UsageOf(command)));
  PrintText(".SH FLAGS\n");
  PrintFlags(root);
  PrintText(".SH COMMANDS\n");
  for (const CommandRow* command : AllCommands(root)) {
    if (command->path.empty()) continue;
    PrintText(".SS {}\n{}.\n", Roff(UsageOf(*command)), Roff(command->text));
    PrintFlags(*command);
  }
  PrintText(".SH EXIT STATUS\n{}\n", Roff(app.get_footer()));
  PrintText(
      ".SH ENVIRONMENT\n.TP\n\\fBASSAY_SUITE\\fR\nA folder with "
      "conformance/, which is the suite instead of the one beside the "
      "command.\n");
}

}  // namespace

void RegisterMan(CLI::App& app, int* exit_code) {
  app.add_subcommand("man", "Print the manual page: `assay man | man -l -`")
      ->callback([&app, exit_code] {
        PrintManual(app);
        *exit_code = kExitOk;
      });
}

}  // namespace assay
