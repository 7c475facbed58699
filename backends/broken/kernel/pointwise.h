// A call named `pointwise.NAME` applies a scalar function to operands of any
// shapes and types that can be combined.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_POINTWISE_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_POINTWISE_H_

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/op_table.h"

namespace assay::broken {

bool IsPointwise(const AssayCall& call);
// Returns the op without the prefix.
const char* BaseName(const AssayCall& call);

// Returns the function of an output of add_func, polar and copy_func, which are
// no ops by themselves, or nullptr after the last output.
const OpFunctions* FindComposite(const char* name, int output);

// Returns how many operands and results NAME has; ArityOf returns 0 if there is
// no such function.
int ArityOf(const char* name);
int OutputsOf(const char* name);
// Returns whether the function exists on elements of the type.
bool Takes(const char* name, const Type& type);
// Returns the type that the function returns for operands of the type, before
// conversions.
Type ResultOf(const char* name, const Type& type);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_POINTWISE_H_
