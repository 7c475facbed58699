// In which type a pointwise call computes, and which it gives: what
// backends/calls says, in the kernel's types.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_

#include <string>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

struct Promotion {
  Type computation;
  Type result;
};

// For an output, by the attribute promotion_methods. Returns what is wrong with
// that, or which arguments do not go together; empty if they all do.
// Precondition: the types of all inputs can be parsed.
std::string Promote(const AssayCall& call, int output, Promotion* promotion);

// Categories are bool, integer, float and complex, 0 to 3.
int CategoryOf(const Type& type);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_
