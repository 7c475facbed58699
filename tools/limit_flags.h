// What a worker may take: one declaration for every subcommand that starts one.
#ifndef ASSAY_TOOLS_LIMIT_FLAGS_H_
#define ASSAY_TOOLS_LIMIT_FLAGS_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "backends/host/worker.h"

namespace assay {

struct LimitFlags {
  static constexpr char kStartTimeout[] = "60s";  // by default

  // `default_timeout`: of a call.
  explicit LimitFlags(std::string default_timeout)
      : timeout(default_timeout), default_timeout(std::move(default_timeout)) {}

  // --timeout and --start-timeout. `waits`: more to say of --timeout.
  void AddTo(CLI::App& command, const std::string& waits = "");
  // Throws InputError.
  std::chrono::milliseconds Timeout() const;
  std::chrono::milliseconds StartTimeout() const;
  // Sets those of `limits`. Throws InputError.
  void Fill(WorkerLimits* limits) const;
  // For the command that judges again what was judged: each with a blank before
  // it. --start-timeout is there if it was given, --timeout where it may matter
  // to another subcommand (`always`) or was given.
  std::string ReplayText(bool always) const;

  std::string timeout, start_timeout = kStartTimeout;
  std::string default_timeout;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_LIMIT_FLAGS_H_
