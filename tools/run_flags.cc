// Each flag has one declaration, for parsing and help.
#include "tools/run_flags.h"

#include <fmt/format.h>

#include <charconv>

#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

RunHeader::Shard ParseShard(const std::string& text) {
  RunHeader::Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  const bool has_slash =
      index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count =
      has_slash ? std::from_chars(index.ptr + 1, end, shard.count) : index;
  if (!has_slash || count.ec != std::errc() || count.ptr != end ||
      shard.index < 1 || shard.index > shard.count || shard.count > kMostShards)
    throw InputError("--shard",
                     fmt::format("'{}' is not I/N with 1 <= I <= N <= {}",
                                 Cut(text), kMostShards));
  return shard;
}

void RequireAtLeast(const char* flag, int value, int least) {
  if (value < least)
    throw InputError(flag, fmt::format("{} is less than {}", value, least));
}

}  // namespace

void RunFlags::AddTo(CLI::App& command) {
  command
      .add_option("--backend", backends,
                  "A name (simd), a plugin (./libmine.so), python:NAME, "
                  "cmd:COMMAND, or `spec`, which judges the constraints; "
                  "options as simd?target=avx2. Several, each with --backend")
      ->required()
      ->type_name("BACKEND");
  command
      .add_option(
          "--policy", policy,
          "What is accepted where the texts are open (`assay list policies`), "
          "or a file of your own that extends a shipped policy. "
          "Default: assay for our backends, stablehlo for others")
      ->type_name("NAME|FILE.json");
  suite.AddTo(command);
  suite.AddLayoutsTo(command);
  suite.AddAfterTo(command);
  AddText(command, "--shard", &shard_text, "I/N",
          "Only part I of N, by the hash of the case's name");
  command.add_flag("--list", list,
                   "Print the cases that are chosen, and judge nothing");
  command.add_flag("--fail-fast", fail_fast,
                   "Stop at the first failure that no baseline expects");
  command.add_option("--jobs", jobs, "Workers of a backend at a time")
      ->type_name("N");
  command.add_option("--repeat", repeat, "Judge every case N times")
      ->type_name("N");
  limits.AddTo(command);
  command
      .add_option("--crashes", crashes,
                  "Crashes of one op, element types and layout that are paid "
                  "for; time-outs are crashes, the rest is skipped, and "
                  "counted. 0: all. Default: 3")
      ->type_name("N");
  command
      .add_option("--max-deaths", open.limits.max_deaths,
                  "Deaths in a row of a worker whose backend is given up. "
                  "Default: 100")
      ->type_name("N");
  how.AddTo(command);
  command.add_flag("--in-process", open.in_process,
                   "Load plugins into this process: for debugging; a hang or "
                   "an exit is the end of the run");
  AddText(command, "--out", &out, "FILE", "Results as JSON Lines");
  command.add_flag("--resume", resume,
                   "Go on where an interrupted run with the same --out ended");
  command
      .add_option("--keep-worst", keep_worst,
                  "Worst elements of sweeps as cases FOLDER/OP-worst.json")
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
  outcome.AddTo(command);
}

void RunFlags::Check() {
  if (!policy.empty()) PolicyFor(policy, false);
  RequireAtLeast("--jobs", jobs, 1);
  RequireAtLeast("--repeat", repeat, 1);
  RequireAtLeast("--crashes", crashes, 0);
  RequireAtLeast("--max-deaths", open.limits.max_deaths, 1);
  limits.Fill(&open.limits);
  open.how = how.Get(open.in_process);
  open.limits.memory = ParseBytes(suite.memory);
  if (!shard_text.empty()) shard = ParseShard(shard_text);
  if (open.in_process && jobs > 1)
    throw InputError("--jobs",
                     "a plugin is never called concurrently in one process; "
                     "leave out --in-process");
  if (!keep_worst.empty() && backends.size() > 1)
    throw InputError("--keep-worst", "is of one backend");
  if (resume && out.empty())
    throw InputError("--resume", "needs --out FILE, which names the journal");
}

std::string RunFlags::ReplayText() const {
  std::string text = suite.ToText();
  if (repeat != 1) text += fmt::format(" --repeat {}", repeat);
  text += limits.ReplayText(/*always=*/false);
  if (open.limits.max_deaths != WorkerLimits().max_deaths)
    text += fmt::format(" --max-deaths {}", open.limits.max_deaths);
  text += how.ReplayText();
  if (open.in_process) text += " --in-process";
  return text;
}

}  // namespace assay
