// What the subcommands of `assay` share. Each subcommand is a file that
// registers itself with CLI11: its flags, their help and what they do are one
// declaration.
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
void RegisterClimb(CLI::App& app, int* exit_code);
void RegisterHelp(CLI::App& app, int* exit_code);
void RegisterCompletion(CLI::App& app, int* exit_code);
void RegisterMan(CLI::App& app, int* exit_code);

// Ours are held to one answer wherever the texts allow several; others to the
// texts alone, unless the command line says otherwise. `name`: of `--policy`, a
// shipped policy or a file, empty where it is not given. Throws InputError.
const Policy& PolicyFor(const std::string& name, bool is_ours);

// "shift_overflow = clamp", and of a policy of one's own what its base has, if
// that is another value, and the reason: " (stablehlo: any; our hardware
// clamps)".
std::string PolicyValueText(const Policy& policy, const std::string& key);

// For flags whose value must not be empty, as that of an unset variable is.
CLI::Validator NotEmpty();

// The command line as it was given, for the header of results.
std::vector<std::string> CommandLine(const CLI::App& command);

// The flag --memory, which has one meaning throughout. ParseBytes reads it.
void AddMemoryTo(CLI::App& command, std::string* memory);

// Flags that select cases.
struct SuiteFlags {
  std::vector<std::string> cases;
  std::vector<std::string> ops;
  std::vector<std::string> after;  // names of cases
  std::string memory;
  std::string layouts = "none";

  void AddTo(CLI::App& command);
  void AddLayoutsTo(CLI::App& command);
  void AddAfterTo(CLI::App& command);
  // Reads the suite and keeps the cases that match; with layouts, each is
  // followed by those of its sweep, not made yet. Throws InputError, also for a
  // value of --op that no case matches.
  std::vector<Case> Read(int threads = 1) const;
  std::vector<std::string> Paths() const;
  // What chose the suite, for another command line: " --cases 'x.json'"; the
  // ops are not in it.
  std::string ToText() const;

 private:
  class OpPatterns;
  std::vector<Case> ReadChosen(const ReadOptions& options) const;
  // Throws InputError if a value of --op matches none of the cases.
  void RequireMatches(const std::vector<Case>& chosen) const;
  std::vector<Case> WithSweeps(std::vector<Case> suite,
                               const OpPatterns& patterns, int threads) const;
};

// Bytes of "512M", "3G", "1000". Throws InputError. An empty text: three
// quarters of the physical memory.
int64_t ParseBytes(const std::string& text);

// "500ms", "60s", "10m", "1h30m"; a bare number is seconds. At least 1 ms.
// Throws InputError that names `flag`.
std::chrono::milliseconds ParseDuration(const std::string& flag,
                                        const std::string& text);

// The cases of these names among `suite`, each with its layout if it has one,
// as they come before another. Throws InputError.
std::vector<Case> FindEarlier(const std::vector<Case>& suite,
                              const std::vector<std::string>& names);

// CASE of the command line: the name of a case under `paths`, FILE.json#id, or
// a FILE.json that holds one case. `memory`: as of --memory. Throws InputError.
Case FindCase(const std::string& argument, const std::string& memory,
              const std::vector<std::string>& paths = DefaultSuite());

// A line for each: name, type, and what it violates.
void PrintCases(const std::vector<Case>& cases);

// Throws InputError that names the nearest op.
void RequireOp(const std::string& where, const std::string& name);

}  // namespace assay

#endif  // ASSAY_TOOLS_COMMAND_H_
