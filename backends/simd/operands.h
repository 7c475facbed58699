// From the tensors of a call to the operands of a job: types, shapes, layouts.
#ifndef ASSAY_BACKENDS_SIMD_OPERANDS_H_
#define ASSAY_BACKENDS_SIMD_OPERANDS_H_

#include "backends/backend.h"
#include "backends/simd/driver.h"
#include "backends/simd/kernels.h"

namespace assay::simd {

// Whether the numbers of operands are those of the kernels.
bool HasArity(const AssayCall& call, const Kernels& kernels);

// Whether the result has the type that the kernels leave, given HasArity.
bool HasResultType(const AssayCall& call, const Kernels& kernels);

// Whether the row has a kernel for the type of the operands, given HasArity.
bool HasKernel(const AssayCall& call, const Row& row);

// Fills all of `job` but `vector_bytes`, for a row that passes the above.
// Returns what is not implemented, or nullptr.
const char* PlanJob(const AssayCall& call, const Row& row,
                    const hwy::ChosenTarget& target, Job* job);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_OPERANDS_H_
