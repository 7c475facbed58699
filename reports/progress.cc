// There are at most ten redraws a second, so that watching costs nothing.
#include "reports/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "spec/printable_text.h"

namespace assay {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::string what, int64_t total)
    : what_(std::move(what)),
      total_(total),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      drawn_(start_) {}

Progress::~Progress() { Clear(); }

void Progress::Step(const std::string& detail) {
  const std::lock_guard lock(mutex_);
  ++done_;
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(100) && done_ != total_) return;
  Draw(detail);
}

void Progress::Note(const std::string& detail) {
  const std::lock_guard lock(mutex_);
  if (Clock::now() - drawn_ >= std::chrono::milliseconds(100)) Draw(detail);
}

void Progress::Draw(const std::string& detail) {
  if (!is_terminal_) return;
  const Clock::time_point now = Clock::now();
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K{} {}/{}  {:.0f} s  {}", EscapeLine(what_), done_,
             total_, seconds, EscapeLine(detail));
  std::fflush(stderr);
}

void Progress::Clear() {
  const std::lock_guard lock(mutex_);
  if (is_terminal_) fmt::print(stderr, "\r\033[K");
}

}  // namespace assay
