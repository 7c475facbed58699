// The commands and flags of `assay` are a table, which is read from what CLI11
// parses them with. Help, completion and the manual page are made from it, so
// that none of them can differ from the others or from the parser.
#ifndef ASSAY_TOOLS_FLAG_TABLE_H_
#define ASSAY_TOOLS_FLAG_TABLE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay {

struct FlagRow {
  std::vector<std::string> names;  // "-h", "--help"; a positional's one name
  bool is_positional = false;
  bool is_required = false;
  bool is_repeated = false;          // may have several values
  std::string value;                 // "FILE"; empty if it has none
  std::string standard;              // value if it is not given, or empty
  std::vector<std::string> choices;  // values to propose
  bool is_file = false;              // also, or only, a path
  std::string text;
};

struct CommandRow {
  std::vector<std::string> path;  // {"list", "cases"}; empty for `assay`
  std::string text;
  std::vector<FlagRow> flags;
  std::vector<CommandRow> commands;

  std::string Name() const;  // "list cases"
};

// Returns the flags of `app` and its subcommands.
CommandRow CommandTable(const CLI::App& app);

// Returns `command` and all that is below it, each before its own subcommands.
std::vector<const CommandRow*> AllCommands(const CommandRow& command);

}  // namespace assay

#endif  // ASSAY_TOOLS_FLAG_TABLE_H_
