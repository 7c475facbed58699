// This header has the data that kernels need about the floating-point formats
// and about comparisons.
#ifndef ASSAY_BACKENDS_CUDA_CORE_FORMATS_H_
#define ASSAY_BACKENDS_CUDA_CORE_FORMATS_H_

#include "backends/calls/signature.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

bool IsFloat(const calls::Type& type);

// Returns the data of a type without arithmetic of its own.
FormatData FormatOf(const calls::Type& type);

// Returns the mask, key and limit with which the codes of a float type are in
// order.
Parameters OrderOf(const calls::Type& type);

// Sets the parameters that BitReducePrecision needs. Returns false if the texts
// are no numbers, or no numbers of bits of such a type.
bool ReductionOf(const calls::Type& type, const char* exponent_bits,
                 const char* mantissa_bits, Parameters* parameters);

// Returns whether the op is a comparison of two operands of a type, and sets
// the orders for which it is true.
bool ReadComparison(const calls::Signature& signature, uint32_t* want,
                    bool* is_total);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_FORMATS_H_
