// What kernels need to know of the floating-point formats, and comparisons.
#ifndef ASSAY_BACKENDS_CUDA_CORE_FORMATS_H_
#define ASSAY_BACKENDS_CUDA_CORE_FORMATS_H_

#include "backends/calls/signature.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

bool IsFloat(const calls::Type& type);

// Of a type without arithmetic of its own.
FormatData FormatOf(const calls::Type& type);

// The mask, key and limit with which the codes of a float type are in order.
Parameters OrderOf(const calls::Type& type);

// What BitReducePrecision needs. False if the texts are no numbers, or not of
// such a type.
bool ReductionOf(const calls::Type& type, const char* exponent_bits,
                 const char* mantissa_bits, Parameters* parameters);

// Whether it is a comparison of two operands of a type, and what it is true of.
bool ReadComparison(const calls::Signature& signature, uint32_t* want,
                    bool* is_total);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_CORE_FORMATS_H_
