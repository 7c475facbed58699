#include "fuzz/campaign/forked.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include "backends/host/child_process.h"

namespace assay {
namespace {

constexpr char kDone = '+', kThrown = '-';  // the first byte of a line

void WriteAll(int fd, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) _exit(3);
    if (written > 0) at += static_cast<size_t>(written);
  }
}

// A Child works on the numbers from `begin` on, and has the end of its pipe.
class Child {
 public:
  Child(size_t begin, size_t count,
        const std::function<std::string(size_t)>& work) {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0)
      throw std::system_error(errno, std::generic_category(), "fork");
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(3);
      close(fds[0]);
      for (size_t i = begin; i < count; ++i) WriteAll(fds[1], Line(work, i));
      _exit(0);
    }
    close(fds[1]);
    lines_ = fdopen(fds[0], "r");
  }

  ~Child() {
    fclose(lines_);
    if (pid_ > 0) Wait();
  }

  // Returns the next line without its end; nullopt if there is none any more.
  std::optional<std::string> Next() {
    std::string line;
    for (int c; (c = getc(lines_)) != EOF;) {
      if (c == '\n') return line;
      line += static_cast<char>(c);
    }
    return std::nullopt;
  }

  // Waits for the child, and returns how it ended.
  std::string Wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return DescribeStatus(status);
  }

 private:
  static std::string Line(const std::function<std::string(size_t)>& work,
                          size_t i) {
    try {
      return kDone + work(i) + "\n";
    } catch (const std::exception& e) {
      return kThrown + std::string(e.what()) + "\n";
    }
  }

  pid_t pid_ = -1;
  FILE* lines_ = nullptr;
};

}  // namespace

void ForEachInChild(
    size_t count, const std::function<std::string(size_t)>& work,
    const std::function<void(size_t, const std::optional<std::string>&,
                             const std::string&)>& use) {
  for (size_t i = 0; i < count;) {
    Child child(i, count, work);
    while (i < count) {
      const std::optional<std::string> line = child.Next();
      if (!line) break;
      const bool is_done = line->starts_with(kDone);
      use(i++, is_done ? std::optional(line->substr(1)) : std::nullopt,
          is_done ? "" : line->substr(1));
    }
    if (i < count) use(i++, std::nullopt, child.Wait());
  }
}

}  // namespace assay
