// fork without exec: the child starts with everything that the parent has
// computed, and nothing of it is written back.
#include "tools/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <system_error>

namespace assay {

Child::Child(const std::function<void(std::FILE* out)>& body) {
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category());
  // What stands in our buffers would be written twice.
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw std::system_error(error, std::generic_category());
  }
  if (pid_ > 0) {
    close(ends[1]);
    fd_ = ends[0];
    return;
  }
  close(ends[0]);
  std::FILE* out = fdopen(ends[1], "w");
  int status = 0;
  try {
    body(out);
  } catch (const std::exception& e) {
    fmt::print(stderr, "assay: {}\n", e.what());
    status = 1;
  }
  std::fflush(out);
  _exit(status);
}

Child::~Child() {
  close(fd_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

Child::Event Child::Next(std::string* line, double seconds) {
  for (;;) {
    if (const size_t end = buffer_.find('\n'); end != std::string::npos) {
      *line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return Event::kLine;
    }
    pollfd readable = {fd_, POLLIN, 0};
    const int ready = poll(&readable, 1, static_cast<int>(seconds * 1000));
    if (ready == 0) return Event::kSilence;
    char bytes[1 << 16];
    const ssize_t n = ready < 0 ? -1 : read(fd_, bytes, sizeof(bytes));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Event::kEnd;
    buffer_.append(bytes, static_cast<size_t>(n));
  }
}

}  // namespace assay
