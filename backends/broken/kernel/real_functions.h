// These are the functions of IEEE 754-2019, 9.2, on floats, in the form of
// functions.h.
//
// They are the C library's: in double for the formats of at most 32 bits and in
// long double for f64, rounded from there to the format. Special values are
// those of C, which are IEEE 754's.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_REAL_FUNCTIONS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_REAL_FUNCTIONS_H_

#include <stdint.h>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

uint64_t Atan2Float(const Type& type, const uint64_t* x);
uint64_t CbrtFloat(const Type& type, const uint64_t* x);
uint64_t CosineFloat(const Type& type, const uint64_t* x);
uint64_t ExponentialFloat(const Type& type, const uint64_t* x);
uint64_t ExponentialMinusOneFloat(const Type& type, const uint64_t* x);
uint64_t LogFloat(const Type& type, const uint64_t* x);
uint64_t LogPlusOneFloat(const Type& type, const uint64_t* x);
uint64_t LogisticFloat(const Type& type, const uint64_t* x);
uint64_t PowerFloat(const Type& type, const uint64_t* x);
uint64_t RsqrtFloat(const Type& type, const uint64_t* x);
uint64_t SineFloat(const Type& type, const uint64_t* x);
uint64_t TanFloat(const Type& type, const uint64_t* x);
uint64_t TanhFloat(const Type& type, const uint64_t* x);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_REAL_FUNCTIONS_H_
