// This file reads CLI11's options, and knows the values of some flags.
#include "tools/flag_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "backends/host/installation.h"
#include "backends/host/open.h"
#include "spec/op_spec.h"
#include "spec/policy.h"

namespace assay {
namespace {

std::vector<std::string> OpNames() {
  std::vector<std::string> names;
  for (const OpSpec& spec : Ops()) names.push_back(spec.id);
  return names;
}

std::vector<std::string> BackendNames() {
  std::vector<std::string> names = OurPlugins();
  for (const std::string& name : ListPythonWorkers())
    names.push_back("python:" + name);
  names.push_back("spec");
  return names;
}

// Returns the fixed set of a flag's values, which CLI11 writes as "{a,b}"
// behind the name of the type.
std::vector<std::string> SetOf(const std::string& type) {
  const size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::vector<std::string> values;
  std::istringstream words(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(words, word, ',');)
    values.push_back(word);
  return values;
}

bool IsPath(const std::string& value) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"FILE", "PATH", "FOLDER", "DIR",
                                         ".json", "OLD", "CASE", "RESULTS"},
      [&](const char* word) { return value.find(word) != std::string::npos; });
}

FlagRow Row(const CLI::Option& option) {
  FlagRow row;
  row.is_positional = option.get_positional();
  if (row.is_positional) {
    row.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_snames())
      row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
      row.names.push_back("--" + name);
  }
  row.is_required = option.get_required();
  row.text = option.get_description();
  const std::string type = option.get_type_name();
  row.choices = SetOf(type);
  const std::string& name = row.names.back();
  if (option.get_type_size() != 0) {
    row.is_repeated =
        option.get_expected_max() == CLI::detail::expected_max_vector_size;
    row.value = row.choices.empty()
                    ? type.substr(0, type.find(':'))
                    : fmt::format("{}", fmt::join(row.choices, "|"));
    row.standard = option.get_default_str();
    row.is_file = IsPath(row.is_positional ? name + row.value : row.value);
  }
  if (name == "--op" || name == "OP" || name == "CASE") row.choices = OpNames();
  if (name == "--policy") row.choices = Policy::Names();
  if (name == "--backend") {
    row.choices = BackendNames();
    row.is_file = true;
  }
  return row;
}

}  // namespace

std::string CommandRow::Name() const {
  return fmt::format("{}", fmt::join(path, " "));
}

CommandRow CommandTable(const CLI::App& app) {
  CommandRow row;
  for (const CLI::App* at = &app; at->get_parent() != nullptr;
       at = at->get_parent())
    row.path.insert(row.path.begin(), at->get_name());
  row.text = app.get_description();
  for (const CLI::Option* option : app.get_options())
    row.flags.push_back(Row(*option));
  // The flags that every call needs stand before those that are rarely needed.
  std::ranges::stable_partition(row.flags, [](const FlagRow& flag) {
    return flag.is_positional || flag.is_required;
  });
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App*) { return true; }))
    row.commands.push_back(CommandTable(*command));
  return row;
}

std::vector<const CommandRow*> AllCommands(const CommandRow& command) {
  std::vector<const CommandRow*> all = {&command};
  for (const CommandRow& below : command.commands) {
    const std::vector<const CommandRow*> more = AllCommands(below);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace assay
