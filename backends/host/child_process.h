// A child process with its three standard streams, in a process group of its
// own, that is killed when this process dies.
#ifndef ASSAY_BACKENDS_HOST_CHILD_PROCESS_H_
#define ASSAY_BACKENDS_HOST_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class ChildProcess {
 public:
  // What the child itself starts dies with it or this process where the child
  // is a supervisor (worker/supervisor.h), and may live on where it leaves the
  // process group of another child.
  enum class Kind { kPlain, kSupervisor };

  // Throws std::system_error if the program cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command,
                        Kind kind = Kind::kPlain);
  // Kills it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Descriptors of this side, non-blocking.
  int input() const { return input_; }
  int output() const { return output_; }
  int error() const { return error_; }

  void CloseInput();
  void Kill();
  // The wait status, if the process ends within `patience`.
  std::optional<int> Wait(std::chrono::milliseconds patience);
  // Memory that is resident, of the process and its descendants, in bytes:
  // their own, and what they share with one another, in parts. What they share
  // with this process, as the memory of calls, and mapped files do not count.
  // The answer may be too large as long as it is no more than `enough`.
  int64_t ResidentBytes(int64_t enough) const;

 private:
  pid_t pid_ = -1;
  Kind kind_;
  std::optional<int> status_;
  int input_ = -1, output_ = -1, error_ = -1;
};

// "signal 11 (Segmentation fault)", "it exited with status 3".
std::string DescribeStatus(int status);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_CHILD_PROCESS_H_
