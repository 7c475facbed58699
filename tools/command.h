// The subcommands of `assay` share these declarations. Each subcommand is a
// file that registers itself with CLI11: its flags, their help and its action
// are one declaration.
#ifndef ASSAY_TOOLS_COMMAND_H_
#define ASSAY_TOOLS_COMMAND_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "cases/case.h"
#include "reports/exit_code.h"
#include "spec/policy.h"

namespace assay {

// Registers a subcommand. When it is chosen, its callback runs and leaves its
// exit code in `*exit_code`.
void RegisterRun(CLI::App& app, int* exit_code);
void RegisterFuzz(CLI::App& app, int* exit_code);
void RegisterShrink(CLI::App& app, int* exit_code);
void RegisterExplain(CLI::App& app, int* exit_code);
void RegisterSpec(CLI::App& app, int* exit_code);
void RegisterList(CLI::App& app, int* exit_code);
void RegisterBench(CLI::App& app, int* exit_code);
void RegisterMutants(CLI::App& app, int* exit_code);
void RegisterReport(CLI::App& app, int* exit_code);
void RegisterWorkerTest(CLI::App& app, int* exit_code);
void RegisterLint(CLI::App& app, int* exit_code);
void RegisterImport(CLI::App& app, int* exit_code);
void RegisterClimb(CLI::App& app, int* exit_code);
void RegisterOrder(CLI::App& app, int* exit_code);
void RegisterHelp(CLI::App& app, int* exit_code);
void RegisterCompletion(CLI::App& app, int* exit_code);
void RegisterMan(CLI::App& app, int* exit_code);

// Our own backends are held to one answer wherever the texts allow several,
// others to the texts alone, unless the command line says otherwise. `name` is
// the value of `--policy`, a shipped policy or a file, and empty if that is not
// given. Throws InputError.
const Policy& PolicyFor(const std::string& name, bool is_ours);

// Returns "shift_overflow = clamp". If the policy is from a file, the value of
// its base follows where it differs, and the reason: " (stablehlo: any; our
// hardware clamps)".
std::string PolicyValueText(const Policy& policy, const std::string& key);

// Rejects an empty value, which a flag has if it is given an unset variable.
CLI::Validator NotEmpty();

// Adds an option whose value, or each of them, must not be empty.
template <class Value>
CLI::Option* AddText(CLI::App& command, const char* flag, Value* value,
                     const char* type, const char* help) {
  return command.add_option(flag, *value, help)
      ->check(NotEmpty())
      ->type_name(type);
}

// Returns the command line as it was given, for the header of results.
std::vector<std::string> CommandLine(const CLI::App& command);

// Adds the flag --memory, which has one meaning in every command. ParseBytes
// reads it.
void AddMemoryTo(CLI::App& command, std::string* memory);

// These flags select cases.
struct SuiteFlags {
  std::vector<std::string> cases;
  std::vector<std::string> ops;
  std::vector<std::string> after;  // names of cases
  std::string memory;
  std::string layouts = "none";

  void AddTo(CLI::App& command);
  void AddLayoutsTo(CLI::App& command);
  void AddAfterTo(CLI::App& command);
  // Reads the suite and keeps the cases that match. With layouts, each is
  // followed by its deferred variants. What StableHLO text has besides, and
  // --op does not exclude by its name, is added to `*left_out`, unless that is
  // null. Throws InputError, also for a value of --op that no case matches.
  std::vector<Case> Read(int threads = 1,
                         std::vector<LeftOut>* left_out = nullptr) const;
  std::vector<std::string> Paths() const;
  // Returns the flags that chose the suite, for another command line: " --cases
  // 'x.json'"; the ops are not in it.
  std::string ToText() const;

 private:
  class OpPatterns;
  std::vector<Case> ReadChosen(const ReadOptions& options,
                               std::vector<LeftOut>* left_out) const;
  // Throws InputError if a value of --op matches none of the cases.
  void RequireMatches(const std::vector<Case>& chosen,
                      const std::vector<LeftOut>& left_out) const;
  std::vector<Case> WithVariants(std::vector<Case> suite,
                                 const OpPatterns& patterns, int threads) const;
};

// Reads "512M", "3G", "1000" as a number of bytes. An empty text stands for
// three quarters of the physical memory. Throws InputError.
int64_t ParseBytes(const std::string& text);

// "500ms", "60s", "10m", "1h30m"; a bare number is seconds. At least 1 ms.
// Throws InputError that names `flag`.
std::chrono::milliseconds ParseDuration(const std::string& flag,
                                        const std::string& text);

// Returns the cases of these names among `suite`, each with its layout if it
// has one, to be run before another case. Throws InputError.
std::vector<Case> FindEarlier(const std::vector<Case>& suite,
                              const std::vector<std::string>& names);

// Returns the CASE of a command line: the name of a case under `paths`,
// FILE.json#id, FILE.mlir#function, or a file that holds one case. `memory` is
// the value of
// --memory. Throws InputError.
Case FindCase(const std::string& argument, const std::string& memory,
              const std::vector<std::string>& paths = DefaultSuite());

// Prints a line for each case: its name, type, and the constraints that it
// violates.
void PrintCases(const std::vector<Case>& cases);

// Throws InputError that names the nearest op.
void RequireOp(const std::string& where, const std::string& name);

}  // namespace assay

#endif  // ASSAY_TOOLS_COMMAND_H_
