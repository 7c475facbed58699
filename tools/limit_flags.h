// These flags limit what a worker may take. Every subcommand that starts a
// worker has the same declaration of them.
#ifndef ASSAY_TOOLS_LIMIT_FLAGS_H_
#define ASSAY_TOOLS_LIMIT_FLAGS_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "backends/host/executor.h"
#include "backends/host/worker.h"

namespace assay {

struct LimitFlags {
  static constexpr char kStartTimeout[] = "60s";  // by default

  // `default_timeout` applies to a call.
  explicit LimitFlags(std::string default_timeout)
      : timeout(default_timeout), default_timeout(std::move(default_timeout)) {}

  // Adds --timeout and --start-timeout. `waits` is appended to the help of
  // --timeout.
  void AddTo(CLI::App& command, const std::string& waits = "");
  // Throws InputError.
  std::chrono::milliseconds Timeout() const;
  std::chrono::milliseconds StartTimeout() const;
  // Sets the fields that the flags decide. Throws InputError.
  void Fill(WorkerLimits* limits) const;
  // Returns the flags for a command that judges again what was judged, each
  // with a blank before it. --start-timeout is included if it was given,
  // --timeout if it was given or may matter to another subcommand (`always`).
  std::string ReplayText(bool always) const;

  std::string timeout, start_timeout = kStartTimeout;
  std::string default_timeout;
};

// These flags say how a backend runs programs.
struct HowFlags {
  static constexpr int kMostCompiles = 100;
  static constexpr int64_t kMostFuel = int64_t{1} << 40;

  void AddTo(CLI::App& command);
  // Throws InputError if the flags contradict one another, or if programs are
  // compiled in several processes and the backend is to run in this one.
  HowToRun Get(bool in_process) const;
  // Returns the flags that were given, each with a blank before it.
  std::string ReplayText() const;

  std::string granularity = "both", operands = "arguments";
  int compiles = 1;
  int64_t fuel = kFuel;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_LIMIT_FLAGS_H_
