// In which type a pointwise call computes, and which it gives: PyTorch's
// elementwise_dtypes (torch/_prims_common/__init__.py).
//
// The highest category of the arguments that take part, bool < integer < float
// < complex, decides first; then the highest type of that category among the
// tensors of rank 1 and more, else among those of rank 0, else its default.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_

#include <string>
#include <vector>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

enum class Method {
  kDefault,
  kNoOpmath,
  kIntToFloat,
  kAlwaysBool,
  kComplexToFloat,
  kBoolToLong
};

// What one output asks for.
struct Rule {
  std::vector<int> arguments;
  Method method;
};

struct Promotion {
  Type computation;
  Type result;
};

// The attribute promotion_methods, `[[0, 1, "DEFAULT"], ..]`. Returns what is
// wrong with it; empty if nothing is.
std::string ReadRules(const AssayCall& call, std::vector<Rule>* rules);

// Returns which arguments do not go together; empty if they all do.
// Preconditions: ReadRules found nothing wrong, and the types of all inputs can
// be parsed.
std::string Promote(const AssayCall& call, const Rule& rule,
                    Promotion* promotion);

// bool, integer, float, complex: 0 to 3.
int CategoryOf(const Type& type);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_
