#include "cases/run/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace assay {

void ForEachInParallel(size_t count, int threads,
                       const std::function<void(size_t)>& f) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  size_t failed = count;
  std::exception_ptr exception;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        f(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i >= failed) continue;
        failed = i;
        exception = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const size_t most = std::min(count, static_cast<size_t>(threads));
    for (size_t i = 1; i < most; ++i) others.emplace_back(work);
    work();
  }
  if (exception) std::rethrow_exception(exception);
}

}  // namespace assay
