#include "backends/simd/core/parts.h"

#include <system_error>
#include <thread>
#include <vector>

namespace assay::simd {

void RunInThreads(int64_t parts, const std::function<void(int64_t part)>& run) {
  std::vector<std::jthread> threads;
  int64_t started = 1;
  try {
    for (; started < parts; ++started) threads.emplace_back(run, started);
  } catch (const std::system_error&) {
    // No more threads can be started: this thread runs the remaining parts.
  }
  run(0);
  for (; started < parts; ++started) run(started);
}

}  // namespace assay::simd
