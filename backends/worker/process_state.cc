// Checking the state takes about thirty system calls for each batch of answers
// that is written.
#include "backends/worker/process_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay {
namespace {

mode_t CurrentMask() {
  const mode_t mask = umask(0);
  umask(mask);
  return mask;
}

sigset_t Blocked() {
  // The initializer also clears the part that the system call does not write.
  sigset_t blocked = {};
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  return blocked;
}

std::array<uid_t, 3> Users() {
  std::array<uid_t, 3> users = {};
  getresuid(&users[0], &users[1], &users[2]);
  return users;
}

using Found = ProcessState::Found;

Found Worse(Found a, Found b) { return std::max(a, b); }

Found If(bool is_restored) {
  return is_restored ? Found::kRestored : Found::kChanged;
}

// Only a plugin sets timers.
Found StopTimers() {
  Found found = Found::kSame;
  for (const auto timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval value = {};
    getitimer(timer, &value);
    if (value.it_value.tv_sec == 0 && value.it_value.tv_usec == 0) continue;
    const itimerval none = {};
    found = Worse(found, If(setitimer(timer, &none, nullptr) == 0));
  }
  return found;
}

}  // namespace

ProcessState::ProcessState(std::vector<int> descriptors)
    : descriptors_(std::move(descriptors)),
      priority_(getpriority(PRIO_PROCESS, 0)),
      users_(Users()),
      blocked_(Blocked()),
      mask_(CurrentMask()),
      directory_(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  for (size_t i = 0; i < limits_.size(); ++i)
    getrlimit(static_cast<__rlimit_resource>(i), &limits_[i]);
  struct stat here = {};
  if (stat(".", &here) == 0) {
    device_ = here.st_dev;
    inode_ = here.st_ino;
  }
}

ProcessState::~ProcessState() {
  if (directory_ >= 0) close(directory_);
}

void ProcessState::AllowAddressSpace(uint64_t bytes) {
  rlimit& limit = limits_[RLIMIT_AS];
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
}

Found ProcessState::RestoreLimits() const {
  Found found = Found::kSame;
  for (size_t i = 0; i < limits_.size(); ++i) {
    const auto resource = static_cast<__rlimit_resource>(i);
    rlimit now = {};
    getrlimit(resource, &now);
    if (now.rlim_cur != limits_[i].rlim_cur ||
        now.rlim_max != limits_[i].rlim_max)
      found = Worse(found, If(setrlimit(resource, &limits_[i]) == 0));
  }
  return found;
}

Found ProcessState::RestoreDirectory() const {
  struct stat here = {};
  if (inode_ == 0 || (stat(".", &here) == 0 && here.st_dev == device_ &&
                      here.st_ino == inode_))
    return Found::kSame;
  return If(fchdir(directory_) == 0);
}

Found ProcessState::Restore() const {
  for (const int fd : descriptors_) {
    if (fcntl(fd, F_GETFD) < 0) return Found::kChanged;
  }
  if (Users() != users_) return Found::kChanged;
  Found found = StopTimers();
  const sigset_t blocked = Blocked();
  if (std::memcmp(&blocked, &blocked_, sizeof(blocked)) != 0)
    found = Worse(found, If(sigprocmask(SIG_SETMASK, &blocked_, nullptr) == 0));
  if (CurrentMask() != mask_) {
    umask(mask_);
    found = Worse(found, Found::kRestored);
  }
  if (getpriority(PRIO_PROCESS, 0) != priority_)
    found = Worse(found, If(setpriority(PRIO_PROCESS, 0, priority_) == 0));
  return Worse(found, Worse(RestoreLimits(), RestoreDirectory()));
}

}  // namespace assay
