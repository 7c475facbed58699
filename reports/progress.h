// Progress is shown on a terminal as one line on standard error, which is
// rewritten. It is silent in a pipe, and may be used from several threads.
#ifndef ASSAY_REPORTS_PROGRESS_H_
#define ASSAY_REPORTS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace assay {

class Progress {
 public:
  Progress(std::string what, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `detail` names the current work, or a count worth seeing.
  void Step(const std::string& detail);
  // Shows the current work between two steps.
  void Note(const std::string& detail);
  // Clears the line, so that something else can be printed.
  void Clear();

 private:
  void Draw(const std::string& detail);

  std::mutex mutex_;
  std::string what_;
  int64_t total_, done_ = 0;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_, drawn_;
};

}  // namespace assay

#endif  // ASSAY_REPORTS_PROGRESS_H_
