// A ChildProcess has three standard streams and a process group of its own, and
// is killed when this process dies.
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
  // If the child is a supervisor (worker/supervisor.h), processes that it
  // starts die with it or with this process. Processes that another child
  // starts may survive if they leave its process group.
  enum class Kind { kPlain, kSupervisor };

  // Throws std::system_error if the program cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command,
                        Kind kind = Kind::kPlain);
  // Kills the process.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The descriptors of this side are non-blocking.
  int input() const { return input_; }
  int output() const { return output_; }
  int error() const { return error_; }

  void CloseInput();
  void Kill();
  // Returns the wait status if the process ends within `patience`.
  std::optional<int> Wait(std::chrono::milliseconds patience);
  // Returns the resident memory of the process and its descendants, in bytes:
  // their own memory, and what they share with one another, in parts. Memory
  // that they share with this process, such as that of calls, and mapped files
  // do not count. The result may be too large as long as it is no more than
  // `enough`.
  int64_t ResidentBytes(int64_t enough) const;

 private:
  pid_t pid_ = -1;
  Kind kind_;
  std::optional<int> status_;
  int input_ = -1, output_ = -1, error_ = -1;
};

// Returns a text such as "signal 11 (Segmentation fault)" or "it exited with
// status 3".
std::string DescribeStatus(int status);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_CHILD_PROCESS_H_
