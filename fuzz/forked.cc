#include "fuzz/forked.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <system_error>

#include "backends/child_process.h"

namespace assay {
namespace {

constexpr char kDone = '+', kThrown = '-';  // the first byte of an answer

void WriteAll(int fd, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) _exit(3);
    if (written > 0) at += static_cast<size_t>(written);
  }
}

}  // namespace

std::optional<std::string> InChild(const std::function<std::string()>& work,
                                   std::string* why) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(3);
    close(fds[0]);
    try {
      WriteAll(fds[1], kDone + work());
    } catch (const std::exception& e) {
      WriteAll(fds[1], std::string(1, kThrown) + e.what());
    }
    _exit(0);
  }
  close(fds[1]);
  std::string answer;
  char buffer[1 << 14];
  for (ssize_t size; (size = read(fds[0], buffer, sizeof(buffer))) != 0;) {
    if (size > 0) answer.append(buffer, static_cast<size_t>(size));
    if (size < 0 && errno != EINTR) break;
  }
  close(fds[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  const bool is_whole =
      WIFEXITED(status) && WEXITSTATUS(status) == 0 && !answer.empty();
  if (is_whole && answer[0] == kDone) return answer.substr(1);
  *why = is_whole ? answer.substr(1) : DescribeStatus(status);
  return std::nullopt;
}

}  // namespace assay
