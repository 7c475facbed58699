#include "fuzz/campaign/forked.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <map>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "backends/host/child_process.h"
#include "backends/host/interrupted.h"

namespace assay {
namespace {

constexpr char kDone = '+', kThrown = '-';  // the first byte of a line
constexpr int kPollMilliseconds = 50;

void WriteAll(int fd, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) _exit(3);
    if (written > 0) at += static_cast<size_t>(written);
  }
}

using Use = std::function<void(size_t, const std::optional<std::string>&,
                               const std::string&)>;

// A Child works on every `step`-th number from `begin` on, and has the end of
// its pipe.
class Child {
 public:
  Child(size_t begin, size_t count, size_t step,
        const std::function<std::string(size_t)>& work)
      : next_(begin) {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) {
      const int error = errno;
      close(fds[0]);
      close(fds[1]);
      throw std::system_error(error, std::generic_category(), "fork");
    }
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(3);
      close(fds[0]);
      for (size_t i = begin; i < count; i += step)
        WriteAll(fds[1], Line(work, i));
      _exit(0);
    }
    close(fds[1]);
    lines_ = fds[0];
  }

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // A child that is not at its end is not waited for: another one may have the
  // other end of its pipe, so that it would not notice that nobody reads.
  ~Child() {
    close(lines_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      Wait();
    }
  }

  int descriptor() const { return lines_; }
  // Returns the number that it works on.
  size_t next() const { return next_; }

  // Reads what there is, and gives `use` whole lines. Returns false at the end.
  bool Read(size_t step, const Use& use) {
    char buffer[1 << 16];
    const ssize_t size = read(lines_, buffer, sizeof(buffer));
    if (size < 0) return errno == EINTR || errno == EAGAIN;
    text_.append(buffer, static_cast<size_t>(size));
    size_t begin = 0;
    for (size_t end; (end = text_.find('\n', begin)) != std::string::npos;
         begin = end + 1, next_ += step) {
      const std::string line = text_.substr(begin + 1, end - begin - 1);
      if (text_[begin] == kDone) {
        use(next_, line, "");
      } else {
        use(next_, std::nullopt, line);
      }
    }
    text_.erase(0, begin);
    return size > 0;
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
  int lines_ = -1;
  size_t next_;
  std::string text_;
};

// Results come in any order, and are handed on in that of their numbers.
class InOrder {
 public:
  explicit InOrder(const Use& use) : use_(use) {}

  void Add(size_t i, const std::optional<std::string>& line,
           const std::string& why) {
    waiting_.emplace(i, std::pair(line, why));
    for (auto first = waiting_.begin();
         first != waiting_.end() && first->first == next_;
         first = waiting_.erase(first), ++next_)
      use_(first->first, first->second.first, first->second.second);
  }

  // Says of every number below `count` that is missing why it is.
  void Finish(size_t count, const std::string& why) {
    while (next_ < count) Add(next_, std::nullopt, why);
  }

 private:
  const Use& use_;
  std::map<size_t, std::pair<std::optional<std::string>, std::string>> waiting_;
  size_t next_ = 0;
};

}  // namespace

void ForEachInChild(size_t count, int jobs,
                    const std::function<std::string(size_t)>& work,
                    const Use& use, const std::function<bool()>& is_over) {
  const auto step = static_cast<size_t>(jobs);
  InOrder in_order(use);
  const Use add = [&](size_t i, const auto& line, const std::string& why) {
    in_order.Add(i, line, why);
  };
  std::vector<std::unique_ptr<Child>> children;
  for (size_t i = 0; i < std::min(count, step); ++i)
    children.push_back(std::make_unique<Child>(i, count, step, work));
  while (!children.empty()) {
    if (is_over && is_over()) {
      children.clear();
      return in_order.Finish(count, Interrupted().what());
    }
    std::vector<pollfd> polled;
    for (const auto& child : children)
      polled.push_back({child->descriptor(), POLLIN, 0});
    poll(polled.data(), polled.size(), is_over ? kPollMilliseconds : -1);
    for (size_t k = 0; k < children.size(); ++k) {
      std::unique_ptr<Child>& child = children[k];
      if (polled[k].revents == 0 || child->Read(step, add)) continue;
      const size_t ended_at = child->next();
      if (ended_at < count) add(ended_at, std::nullopt, child->Wait());
      child = ended_at + step < count
                  ? std::make_unique<Child>(ended_at + step, count, step, work)
                  : nullptr;
    }
    std::erase(children, nullptr);
  }
}

}  // namespace assay
