// The benchmarks share these functions.
#ifndef ASSAY_TOOLS_BENCH_TIMING_H_
#define ASSAY_TOOLS_BENCH_TIMING_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace assay {

double Seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
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
