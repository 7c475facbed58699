// The process is started by vfork and exec, not by posix_spawn, because of the
// parent-death signal: a runner that is killed leaves no worker behind.
#include "backends/host/child_process.h"

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
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace assay {
namespace {

// The supervisor kills processes that a backend started, which may be many.
constexpr std::chrono::milliseconds kSupervisorPatience(6000);

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

// Between vfork and exec only system calls are allowed, on the stack of the
// parent.
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

// Adds the process and its descendants.
void AddTree(pid_t pid, std::vector<pid_t>* tree) {
  constexpr size_t kMost = 4096;
  tree->push_back(pid);
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child; tree->size() < kMost && children >> child;)
    AddTree(child, tree);
}

// Returns the size of the process's own pages and of shared pages that are not
// a file's, in bytes.
int64_t AnonymousAndShared(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  int64_t bytes = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("RssAnon:") || line.starts_with("RssShmem:"))
      bytes += std::atoll(line.c_str() + line.find(':') + 1) * 1024;
  }
  return bytes;
}

// A Mapping is an entry of /proc/PID/smaps.
struct Mapping {
  std::string file;          // device and inode
  bool is_shared = false;    // shared memory that is not a file's
  int64_t anonymous = 0;     // bytes
  int64_t proportional = 0;  // of all pages; each of n processes has an n-th
};

std::vector<Mapping> MappingsOf(const std::string& pid) {
  std::ifstream file(fmt::format("/proc/{}/smaps", pid));
  std::vector<Mapping> mappings;
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos && line.find('-') > colon) {
      if (mappings.empty()) continue;
      const int64_t bytes = std::atoll(line.c_str() + colon + 1) * 1024;
      if (line.starts_with("Pss:")) mappings.back().proportional = bytes;
      if (line.starts_with("Anonymous:")) mappings.back().anonymous = bytes;
      continue;
    }
    // The line is like "7f..-7f.. rw-s 00000000 00:01 1043  /memfd:assay
    // (deleted)".
    std::istringstream words(line);
    std::string range, mode, offset, device, inode, path;
    words >> range >> mode >> offset >> device >> inode >> path;
    Mapping& mapping = mappings.emplace_back();
    mapping.file = device + " " + inode;
    for (const char* kept : {"/memfd:", "/dev/shm/", "/dev/zero", "/SYSV"})
      mapping.is_shared |= path.starts_with(kept);
  }
  return mappings;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, Kind kind)
    : kind_(kind) {
  // A worker that has ended is an answer, not a signal.
  signal(SIGPIPE, SIG_IGN);
  // If SIGCHLD were inherited as ignored, it would hide how a worker ended.
  signal(SIGCHLD, SIG_DFL);
  std::vector<char*> argv;
  for (const std::string& word : command)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  Pipe in, out, err, failure;
  const pid_t parent = getpid();
  // fork is not used: copying the page tables of a runner with a suite in
  // memory took a third of the time that a new worker takes.
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
  // A supervisor that is killed cannot kill its descendants.
  if (kind_ == Kind::kSupervisor && !status_) {
    kill(pid_, SIGTERM);
    Wait(kSupervisorPatience);
  }
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

int64_t ChildProcess::ResidentBytes(int64_t enough) const {
  std::vector<pid_t> tree;
  AddTree(pid_, &tree);
  int64_t total = 0;
  for (const pid_t pid : tree) total += AnonymousAndShared(pid);
  // The memory of calls may be most of the total. Looking at single mappings
  // takes a millisecond, so it is done only if it matters.
  if (total <= enough) return total;
  std::set<std::string> shared_with_this;
  for (const Mapping& mapping : MappingsOf("self")) {
    if (mapping.is_shared) shared_with_this.insert(mapping.file);
  }
  total = 0;
  for (const pid_t pid : tree) {
    for (const Mapping& mapping : MappingsOf(std::to_string(pid))) {
      if (!mapping.is_shared) {
        total += mapping.anonymous;
      } else if (!shared_with_this.contains(mapping.file)) {
        total += mapping.proportional;
      }
    }
  }
  return total;
}

std::string DescribeStatus(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("it exited with status {}", WEXITSTATUS(status));
}

}  // namespace assay
