// Descendants whose parents die become children of a subreaper, so killing
// children again and again until there are none reaches all of them.
#include "backends/worker/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// The supervisor gives up after this time if a backend starts processes faster
// than they are killed.
constexpr std::chrono::seconds kPatience(5);

void KillDescendants() {
  const std::string children =
      fmt::format("/proc/self/task/{}/children", getpid());
  const Clock::time_point end = Clock::now() + kPatience;
  while (Clock::now() < end) {
    std::ifstream file(children);
    for (pid_t child; file >> child;) kill(child, SIGKILL);
    pid_t reaped = 0;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0) return;  // there are none any more
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

[[noreturn]] void EndAs(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    raise(WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}

// The `signals` must be blocked.
[[noreturn]] void Supervise(pid_t worker, const sigset_t& signals) {
  // The ends of the pipes belong to the worker.
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, fd);
  while (true) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != worker) continue;
      KillDescendants();
      EndAs(status);
    }
    siginfo_t info;
    if (sigwaitinfo(&signals, &info) == SIGTERM) {
      KillDescendants();
      EndAs(SIGTERM);
    }
  }
}

}  // namespace

void ForkUnderSupervisor() {
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, &before);
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t supervisor = getpid();
  const pid_t worker = fork();
  if (worker < 0) {
    std::perror("assay-worker: fork");
    _exit(127);
  }
  if (worker > 0) {
    // The signal at the parent's death changes from SIGKILL, which would kill
    // the supervisor alone, to one that the supervisor can handle.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    Supervise(worker, signals);
  }
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);  // it died before prctl
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace assay
