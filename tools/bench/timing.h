// The benchmarks share these functions.
#ifndef ASSAY_TOOLS_BENCH_TIMING_H_
#define ASSAY_TOOLS_BENCH_TIMING_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace assay {

double Seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

// Returns the time that a processor worked, which other work on the machine
// does not change. The program has one thread.
double CpuSeconds(const auto& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Precondition: there is at least one sample.
inline double Median(std::vector<double> samples) {
  const auto middle =
      samples.begin() + static_cast<ptrdiff_t>(samples.size() / 2);
  std::ranges::nth_element(samples, middle);
  return *middle;
}

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_TIMING_H_
