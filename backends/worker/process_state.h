// A plugin may change some state of its process besides memory, and must not
// leave it changed for the calls that follow.
#ifndef ASSAY_BACKENDS_WORKER_PROCESS_STATE_H_
#define ASSAY_BACKENDS_WORKER_PROCESS_STATE_H_

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <vector>

namespace assay {

// A ProcessState covers resource limits, priority, user, blocked signals,
// directory, file mode mask, timers and the descriptors that the worker needs.
// The floating-point environment is checked after every call (watched_call.h).
class ProcessState {
 public:
  // Records the current state. `descriptors` must stay open.
  explicit ProcessState(std::vector<int> descriptors);
  ~ProcessState();
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

  // RLIMIT_AS, which this worker sets itself, has another value from now on.
  void AllowAddressSpace(uint64_t bytes);
  enum class Found {
    kSame,
    kRestored,
    kChanged  // for good: a limit that was lowered, a descriptor that is closed
  };
  // Restores what was changed.
  Found Restore() const;

 private:
  Found RestoreLimits() const;
  Found RestoreDirectory() const;

  std::vector<int> descriptors_;
  std::array<rlimit, RLIMIT_NLIMITS> limits_;
  int priority_;
  std::array<uid_t, 3> users_;
  sigset_t blocked_;
  mode_t mask_;
  int directory_;  // a descriptor
  dev_t device_ = 0;
  ino_t inode_ = 0;  // of the directory
};

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_PROCESS_STATE_H_
