// A child process with its three standard streams, in a process group of its
// own, that is
// killed when this process dies. What it starts itself may live on.
#ifndef ASSAY_BACKENDS_CHILD_PROCESS_H_
#define ASSAY_BACKENDS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class ChildProcess {
 public:
  // Throws std::system_error if the program cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command);
  // Kills the process group.
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
  // Memory that is resident and not shared, of the process and its descendants,
  // in bytes.
  int64_t ResidentBytes() const;
  // Address space of the process, in bytes.
  int64_t AddressSpaceBytes() const;

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
  int input_ = -1, output_ = -1, error_ = -1;
};

// "signal 11 (Segmentation fault)", "it exited with status 3".
std::string DescribeStatus(int status);

}  // namespace assay

#endif  // ASSAY_BACKENDS_CHILD_PROCESS_H_
