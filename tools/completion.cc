// The command `assay completion` prints scripts with which shells complete
// command lines of assay. The scripts hold the commands, flags and values of
// this build, so that completing does not start it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string>
#include <vector>

#include "reports/print.h"
#include "tools/command.h"
#include "tools/flag_table.h"
#include "tools/help.h"

namespace assay {
namespace {

using Words = std::vector<std::string>;

// Returns the text in single quotes, in a form that all three shells read.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// Returns the row of the command's positional argument, or an empty row.
FlagRow Positional(const CommandRow& command) {
  for (const FlagRow& flag : command.flags) {
    if (flag.is_positional) return flag;
  }
  return {};
}

// Every shell takes a list of values as words with spaces between them.
std::string Joined(const Words& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// Returns the lines of a `case` that finds out which command is being typed:
// "$command $word" is the command so far and the next word. `line` makes a line
// of the command and the pattern.
std::string EachCommand(
    const CommandRow& root,
    const std::function<std::string(const CommandRow&, const std::string&)>&
        line) {
  std::string lines;
  for (const CommandRow* command : AllCommands(root)) {
    for (const CommandRow& below : command->commands)
      lines += line(below, command->Name() + " " + below.path.back());
  }
  return lines;
}

// Returns a line for each flag with a value. The shell compares the name of the
// command and the name of the flag with what is typed.
std::string EachValue(
    const CommandRow& root,
    const std::function<std::string(const CommandRow&, const FlagRow&,
                                    const std::string& name)>& line) {
  std::string lines;
  for (const CommandRow* command : AllCommands(root)) {
    for (const FlagRow& flag : command->flags) {
      if (flag.is_positional || flag.value.empty()) continue;
      for (const std::string& name : flag.names)
        lines += line(*command, flag, name);
    }
  }
  return lines;
}

void PrintBash(const CommandRow& root) {
  PrintText(R"(# Completion of assay in bash: source <(assay completion bash)
_assay() {{
  local line=${{COMP_LINE:0:COMP_POINT}} command='' words='' files='' current previous i
  local -a typed
  read -ra typed <<<"$line"
  if [[ $line == *[[:space:]] ]]; then typed+=(''); fi
  current=${{typed[-1]}}
  previous=${{typed[-2]}}
  for ((i = 1; i < ${{#typed[@]}} - 1; ++i)); do
    case "$command ${{typed[i]}}" in
)");
  PrintText("{}", EachCommand(root, [](const CommandRow& command,
                                       const std::string& pattern) {
              return fmt::format("      {}) command={} ;;\n", Quoted(pattern),
                                 Quoted(command.Name()));
            }));
  PrintText(R"(    esac
  done
  if [[ $current == --*=* ]]; then
    previous=${{current%%=*}}
    current=${{current#*=}}
  fi
  case "$command $previous" in
)");
  PrintText("{}",
            EachValue(root, [](const CommandRow& command, const FlagRow& flag,
                               const std::string& name) {
              return fmt::format("    {}) words={} files={} ;;\n",
                                 Quoted(command.Name() + " " + name),
                                 Quoted(Joined(flag.choices)),
                                 Quoted(flag.is_file ? "1" : ""));
            }));
  PrintText("    *)\n      case \"$command\" in\n");
  for (const CommandRow* command : AllCommands(root)) {
    const FlagRow positional = Positional(*command);
    Words words = positional.choices;
    for (const CommandRow& below : command->commands)
      words.push_back(below.path.back());
    for (const FlagRow& flag : command->flags) {
      if (!flag.is_positional)
        words.insert(words.end(), flag.names.begin(), flag.names.end());
    }
    PrintText("        {}) words={} files={} ;;\n", Quoted(command->Name()),
              Quoted(Joined(words)), Quoted(positional.is_file ? "1" : ""));
  }
  PrintText(R"(      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $files && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$current")
  fi
  # For bash, a word begins behind a colon.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("${{COMPREPLY[@]#"${{current%"${{current##*:}}"}}"}}")
  fi
}}
complete -F _assay assay
)");
}

// Returns an entry for _describe, "name:text", in which the colons of the name
// are escaped.
std::string Described(std::string name, const std::string& text) {
  for (size_t at = 0; (at = name.find(':', at)) != std::string::npos; at += 2)
    name.insert(at, "\\");
  return Quoted(name + ":" + text);
}

void PrintZsh(const CommandRow& root) {
  PrintText(R"(#compdef assay
# Completion of assay in zsh: source <(assay completion zsh), or a file _assay in $fpath
_assay() {{
  local command='' word previous=${{words[CURRENT-1]}} files=''
  local -a values described
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "$command $word" in
)");
  PrintText("{}", EachCommand(root, [](const CommandRow& command,
                                       const std::string& pattern) {
              return fmt::format("      ({}) command={} ;;\n", Quoted(pattern),
                                 Quoted(command.Name()));
            }));
  PrintText(R"(    esac
  done
  if [[ $PREFIX == --*=* ]]; then
    previous=${{PREFIX%%=*}}
    compset -P 1 '*='
  fi
  case "$command $previous" in
)");
  PrintText("{}",
            EachValue(root, [](const CommandRow& command, const FlagRow& flag,
                               const std::string& name) {
              return fmt::format("    ({}) values=({}) files={} ;;\n",
                                 Quoted(command.Name() + " " + name),
                                 Joined(flag.choices),
                                 Quoted(flag.is_file ? "1" : "0"));
            }));
  PrintText("    (*)\n      case \"$command\" in\n");
  for (const CommandRow* command : AllCommands(root)) {
    const FlagRow positional = Positional(*command);
    Words described;
    for (const CommandRow& below : command->commands)
      described.push_back(Described(below.path.back(), below.text));
    for (const FlagRow& flag : command->flags) {
      if (flag.is_positional) continue;
      for (const std::string& name : flag.names)
        described.push_back(Described(name, TextOf(flag)));
    }
    PrintText("        ({}) values=({}) described=({}) files={} ;;\n",
              Quoted(command->Name()), Joined(positional.choices),
              Joined(described), Quoted(positional.is_file ? "1" : ""));
  }
  PrintText(R"(      esac
      ;;
  esac
  if (( $#described )); then _describe -o assay described; fi
  if (( $#values )); then compadd -a values; fi
  if [[ $files == 1 ]]; then _files; fi
}}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
)");
}

void PrintFish(const CommandRow& root) {
  PrintText(R"(# Completion of assay in fish: assay completion fish | source
function __assay_at
    set -l typed ''
    for word in (commandline -opc)[2..-1]
        switch "$typed $word"
)");
  PrintText("{}", EachCommand(root, [](const CommandRow& command,
                                       const std::string& pattern) {
              return fmt::format(
                  "            case {}\n                set typed {}\n",
                  Quoted(pattern), Quoted(command.Name()));
            }));
  PrintText(R"(        end
    end
    test "$typed" = "$argv[1]"
end
complete -c assay -f
)");
  for (const CommandRow* command : AllCommands(root)) {
    const std::string at =
        fmt::format("complete -c assay -n {}",
                    Quoted("__assay_at " + Quoted(command->Name())));
    for (const CommandRow& below : command->commands)
      PrintText("{} -a {} -d {}\n", at, below.path.back(), Quoted(below.text));
    for (const FlagRow& flag : command->flags) {
      std::string line = at;
      if (!flag.is_positional) {
        for (const std::string& name : flag.names)
          line += name.starts_with("--") ? " -l " + name.substr(2)
                                         : " -s " + name.substr(1);
        line += " -d " + Quoted(TextOf(flag));
        if (!flag.value.empty()) line += " -r";
      }
      if (!flag.choices.empty()) line += " -a " + Quoted(Joined(flag.choices));
      if (!flag.value.empty() || flag.is_positional)
        line += flag.is_file ? " -F" : " -f";
      PrintText("{}\n", line);
    }
  }
}

}  // namespace

void RegisterCompletion(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a shell's completion of assay");
  auto shell = std::make_shared<std::string>();
  command
      ->add_option("SHELL", *shell,
                   "For bash: `source <(assay completion bash)`")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->required()
      ->type_name("");
  command->callback([&app, shell, exit_code] {
    const CommandRow root = CommandTable(app);
    if (*shell == "bash") PrintBash(root);
    if (*shell == "zsh") PrintZsh(root);
    if (*shell == "fish") PrintFish(root);
    *exit_code = kExitOk;
  });
}

}  // namespace assay
