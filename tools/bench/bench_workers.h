// This part of `assay bench` measures isolation instead of kernels: the cost of
// judging through a worker.
#ifndef ASSAY_TOOLS_BENCH_BENCH_WORKERS_H_
#define ASSAY_TOOLS_BENCH_BENCH_WORKERS_H_

#include <string>
#include <vector>

#include "tools/command.h"

namespace assay {

ExitCode BenchWorkers(const std::vector<std::string>& backends);

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_BENCH_WORKERS_H_
