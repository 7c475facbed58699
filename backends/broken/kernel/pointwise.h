// Calls named `pointwise.NAME`: a scalar function over operands of any shapes
// and types that go together.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_POINTWISE_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_POINTWISE_H_

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/op_table.h"

namespace assay::broken {

bool IsPointwise(const AssayCall& call);
// The op without the prefix.
const char* BaseName(const AssayCall& call);

// The functions of the outputs of add_func, polar and copy_func, which are no
// ops by themselves: nullptr after the last output.
const OpFunctions* FindComposite(const char* name, int output);

// How many operands and results NAME has; 0 if there is no such function.
int ArityOf(const char* name);
int OutputsOf(const char* name);
// Whether it exists on elements of the type.
bool Takes(const char* name, const Type& type);
// What it gives for operands of the type, before conversions.
Type ResultOf(const char* name, const Type& type);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_POINTWISE_H_
