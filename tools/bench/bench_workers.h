// What judging through a worker costs: the part of `assay bench` that measures
// isolation instead of kernels.
#ifndef ASSAY_TOOLS_BENCH_BENCH_WORKERS_H_
#define ASSAY_TOOLS_BENCH_BENCH_WORKERS_H_

#include <string>
#include <vector>

#include "tools/command.h"

namespace assay {

ExitCode BenchWorkers(const std::vector<std::string>& backends);

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_BENCH_WORKERS_H_
