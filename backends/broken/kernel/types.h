// Element types of a call's operands.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_TYPES_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_TYPES_H_

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

// Returns false if the kernel has no such type.
bool ParseType(const AssayTensor& tensor, Type* type);
Type BooleanType();
Type IntegerType(int bits);  // signed
Type FloatType(int bits);    // IEEE 754's
// ComplexOf returns the complex type of two such parts, PartOf the type of the
// parts.
Type ComplexOf(const Type& part);
Type PartOf(const Type& complex);
bool IsInteger(const Type& type);

bool IsSameType(const Type& a, const Type& b);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_TYPES_H_
