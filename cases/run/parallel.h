// Calls a function for many numbers in several threads.
#ifndef ASSAY_CASES_RUN_PARALLEL_H_
#define ASSAY_CASES_RUN_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace assay {

// Calls f(0) to f(count - 1), each once, in up to `threads` threads, one of
// which is the caller's. If some throw, every number is still called, and the
// exception of the least number is thrown, so that the error does not depend on
// which thread was faster.
void ForEachInParallel(size_t count, int threads,
                       const std::function<void(size_t)>& f);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_PARALLEL_H_
