// This is `assay bench` for a backend whose tensors lie on a device.
#ifndef ASSAY_TOOLS_BENCH_BENCH_DEVICE_H_
#define ASSAY_TOOLS_BENCH_BENCH_DEVICE_H_

#include <vector>

#include "backends/host/loader.h"
#include "cases/case.h"
#include "spec/policy.h"

namespace assay {

// Returns whether all cases were right, and so timed. Throws BackendError.
bool BenchDevice(const Backend& backend, const std::vector<Case>& cases,
                 const Policy& policy);

}  // namespace assay

#endif  // ASSAY_TOOLS_BENCH_BENCH_DEVICE_H_
