// This part of `assay bench` measures the specification instead of kernels: how
// long the constraints of a call take.
#ifndef ASSAY_TOOLS_BENCH_BENCH_CONSTRAINTS_H_
#define ASSAY_TOOLS_BENCH_BENCH_CONSTRAINTS_H_

#include <string>
#include <vector>

#include "tools/command.h"

namespace assay {

// Measures the ops that match a pattern, or all if there is none, on the calls
// of the suite.
ExitCode BenchConstraints(const std::vector<std::string>& patterns);

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_BENCH_CONSTRAINTS_H_
