// A command that is interrupted has a moment to end in order. All processes
// that it has forked see when the interruption came.
#ifndef ASSAY_TOOLS_INTERRUPTION_H_
#define ASSAY_TOOLS_INTERRUPTION_H_

#include <atomic>
#include <chrono>

namespace assay {

class Interruption {
 public:
  // From now on SIGINT and SIGTERM interrupt this process and those that it
  // forks; one that comes half a second later or more ends the process that it
  // comes to.
  static void Catch();
  // Becomes true with the first signal. Precondition: Catch was called.
  static const std::atomic<bool>& Came();
  // Returns whether it came, and so long ago or longer.
  static bool IsOlderThan(std::chrono::milliseconds age);
};

}  // namespace assay

#endif  // ASSAY_TOOLS_INTERRUPTION_H_
