// A function in a process of its own that tells its parent lines: for code that
// may crash, hang or leave the process in any state.
#ifndef ASSAY_TOOLS_CHILD_H_
#define ASSAY_TOOLS_CHILD_H_

#include <sys/types.h>

#include <cstdio>
#include <functional>
#include <string>

namespace assay {

class Child {
 public:
  // `body` runs in the child and writes to `out`; an exception ends the child
  // with exit status 1. Throws std::system_error if no process can be made.
  explicit Child(const std::function<void(std::FILE* out)>& body);
  // Kills the child if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Event { kLine, kEnd, kSilence };
  // Waits for the next line, or for `seconds` without one. An unfinished line
  // at the end is dropped.
  Event Next(std::string* line, double seconds);

 private:
  pid_t pid_;
  int fd_;
  std::string buffer_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_CHILD_H_
