// vfork and exec, rather than posix_spawn, for the parent-death signal: a
// runner that is killed leaves no worker behind.
#include "backends/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

namespace assay {
namespace {

[[noreturn]] void Throw(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) Throw("pipe");
  }
  ~Pipe() {
    for (int end : ends) {
      if (end >= 0) close(end);
    }
  }
  int Take(size_t end) { return std::exchange(ends[end], -1); }
  std::array<int, 2> ends;  // to read, to write
};

// Between vfork and exec: only system calls, on the stack of the parent.
[[noreturn]] void RunChild(char** argv, const Pipe& in, const Pipe& out,
                           const Pipe& err, const Pipe& failure, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before prctl
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  dup2(in.ends[0], STDIN_FILENO);
  dup2(out.ends[1], STDOUT_FILENO);
  dup2(err.ends[1], STDERR_FILENO);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    fcntl(fd, F_SETFD, 0);
  execvp(argv[0], argv);
  const int error = errno;
  static_cast<void>(!write(failure.ends[1], &error, sizeof(error)));
  _exit(127);
}

// The numbers of /proc/PID/statm, in pages: size, resident, shared.
std::array<int64_t, 3> Statm(pid_t pid) {
  std::array<int64_t, 3> pages = {};
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  file >> pages[0] >> pages[1] >> pages[2];
  return pages;
}

int64_t ResidentPages(pid_t pid, int depth) {
  const auto pages = Statm(pid);
  int64_t total = pages[1] - pages[2];
  if (depth == 0) return total;
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child; children >> child;)
    total += ResidentPages(child, depth - 1);
  return total;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  // A worker that is gone is an answer, not a signal.
  signal(SIGPIPE, SIG_IGN);
  // Inherited as ignored, it would hide how a worker ended.
  signal(SIGCHLD, SIG_DFL);
  std::vector<char*> argv;
  for (const std::string& word : command)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  Pipe in, out, err, failure;
  const pid_t parent = getpid();
  // Not fork: copying the page tables of a runner with a suite in memory took a
  // third of the time that a new worker takes.
  pid_ = vfork();
  if (pid_ < 0) Throw("vfork");
  if (pid_ == 0) RunChild(argv.data(), in, out, err, failure, parent);
  setpgid(pid_, pid_);
  close(failure.Take(1));
  int error = 0;
  if (read(failure.ends[0], &error, sizeof(error)) == sizeof(error)) {
    waitpid(pid_, nullptr, 0);
    throw std::system_error(error, std::generic_category(), command[0]);
  }
  input_ = in.Take(1);
  output_ = out.Take(0);
  error_ = err.Take(0);
  for (int fd : {input_, output_, error_}) fcntl(fd, F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  Kill();
  CloseInput();
  close(output_);
  close(error_);
}

void ChildProcess::CloseInput() {
  if (input_ >= 0) close(std::exchange(input_, -1));
}

void ChildProcess::Kill() {
  kill(-pid_, SIGKILL);
  if (status_) return;
  kill(pid_, SIGKILL);
  int status = 0;
  if (waitpid(pid_, &status, 0) == pid_) status_ = status;
}

std::optional<int> ChildProcess::Wait(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!status_) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = status;
    } else if (std::chrono::steady_clock::now() >= end) {
      break;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return status_;
}

int64_t ChildProcess::ResidentBytes() const {
  constexpr int kDepth = 3;  // a shell, an interpreter, what it starts
  return ResidentPages(pid_, kDepth) * sysconf(_SC_PAGE_SIZE);
}

int64_t ChildProcess::AddressSpaceBytes() const {
  return Statm(pid_)[0] * sysconf(_SC_PAGE_SIZE);
}

std::string DescribeStatus(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("it exited with status {}", WEXITSTATUS(status));
}

}  // namespace assay
