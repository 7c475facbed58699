#include "tools/limit_flags.h"

#include <fmt/format.h>

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

void AddGranularityTo(CLI::App& command, std::string* granularity) {
  command
      .add_option("--granularity", *granularity,
                  "Programs run op by op, whole, or both. Default: both")
      ->check(CLI::IsMember({"op", "program", "both"}))
      ->type_name("HOW");
}

Granularity GranularityOf(const std::string& granularity) {
  return granularity == "op"        ? Granularity::kOp
         : granularity == "program" ? Granularity::kProgram
                                    : Granularity::kBoth;
}

std::string GranularityText(Granularity granularity) {
  if (granularity == Granularity::kBoth) return "";
  return granularity == Granularity::kOp ? " --granularity op"
                                         : " --granularity program";
}

}  // namespace assay
