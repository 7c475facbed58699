#include "tools/limit_flags.h"

#include <fmt/format.h>

#include "spec/error.h"
#include "spec/printable_text.h"
#include "tools/command.h"

namespace assay {

void LimitFlags::AddTo(CLI::App& command, const std::string& waits) {
  command
      .add_option(
          "--timeout", timeout,
          fmt::format("For a call of a worker, such as 500ms or 2m. {}"
                      "Default: {}",
                      waits.empty() ? "" : waits + " ", default_timeout))
      ->type_name("TIME");
  command
      .add_option(
          "--start-timeout", start_timeout,
          fmt::format("For a worker to start, as one that loads a library "
                      "does. Default: {}",
                      kStartTimeout))
      ->type_name("TIME");
}

std::chrono::milliseconds LimitFlags::Timeout() const {
  return ParseDuration("--timeout", timeout);
}

std::chrono::milliseconds LimitFlags::StartTimeout() const {
  return ParseDuration("--start-timeout", start_timeout);
}

void LimitFlags::Fill(WorkerLimits* limits) const {
  limits->timeout = Timeout();
  limits->start_timeout = StartTimeout();
}

std::string LimitFlags::ReplayText(bool always) const {
  std::string text;
  if (always || timeout != default_timeout)
    text += " " + ShellFlag("--timeout", timeout);
  if (start_timeout != kStartTimeout)
    text += " " + ShellFlag("--start-timeout", start_timeout);
  return text;
}

void HowFlags::AddTo(CLI::App& command) {
  command
      .add_option("--granularity", granularity,
                  "Programs run op by op, whole, or both. Default: both")
      ->check(CLI::IsMember({"op", "program", "both"}))
      ->type_name("HOW");
  command
      .add_option("--operands", operands,
                  "As what programs have them. Default: arguments")
      ->check(CLI::IsMember({"arguments", "constants", "both"}))
      ->type_name("HOW");
  command
      .add_option("--compile-repeat", compiles,
                  "Compile every whole program N times, each in a new process")
      ->check(CLI::Range(1, kMostCompiles))
      ->type_name("N");
  command
      .add_option("--fuel", fuel,
                  fmt::format("Steps of a program, which is not followed "
                              "further. Default: {}",
                              kFuel))
      ->check(CLI::Range(int64_t{1}, kMostFuel))
      ->type_name("N");
}

HowToRun HowFlags::Get(bool in_process) const {
  if (in_process && compiles > 1)
    throw InputError("--compile-repeat",
                     "needs a new process for each compilation; leave out "
                     "--in-process");
  if (granularity == "op" && (operands != "arguments" || compiles > 1))
    throw InputError("--granularity",
                     "op runs no whole programs, which --operands and "
                     "--compile-repeat are of");
  HowToRun how;
  if (granularity != "both")
    how.granularity =
        granularity == "op" ? Granularity::kOp : Granularity::kProgram;
  if (operands != "arguments")
    how.operands = operands == "both" ? ProgramOperands::kBoth
                                      : ProgramOperands::kConstants;
  how.compiles = compiles;
  how.fuel = fuel;
  return how;
}

std::string HowFlags::ReplayText() const {
  std::string text;
  if (granularity != "both") text += " --granularity " + granularity;
  if (operands != "arguments") text += " --operands " + operands;
  if (compiles > 1) text += fmt::format(" --compile-repeat {}", compiles);
  if (fuel != kFuel) text += fmt::format(" --fuel {}", fuel);
  return text;
}

}  // namespace assay
