// This part of `assay bench` measures the oracle instead of kernels: how fast
// it applies the functions of map, reduce and sort.
#ifndef ASSAY_TOOLS_BENCH_BENCH_REGIONS_H_
#define ASSAY_TOOLS_BENCH_BENCH_REGIONS_H_

#include <string>
#include <vector>

#include "tools/command.h"

namespace assay {

// Measures the rows whose names match a pattern, or all if there is none.
ExitCode BenchRegions(const std::vector<std::string>& patterns);

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_BENCH_REGIONS_H_
