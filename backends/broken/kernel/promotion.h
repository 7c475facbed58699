// These functions determine the type in which a pointwise call computes, and
// the one that it returns, by PyTorch's elementwise_dtypes
// (torch/_prims_common/__init__.py).
//
// The highest category of the participating arguments, bool < integer < float <
// complex, decides first; then the highest type of that category among the
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

// A Rule is what one output asks for.
struct Rule {
  std::vector<int> arguments;
  Method method;
};

struct Promotion {
  Type computation;
  Type result;
};

// Reads the attribute promotion_methods, `[[0, 1, "DEFAULT"], ..]`. Returns
// what is wrong with it, or an empty string.
std::string ReadRules(const AssayCall& call, std::vector<Rule>* rules);

// Returns which arguments cannot be combined, or an empty string if all can be.
// Preconditions: ReadRules found nothing wrong, and the types of all inputs can
// be parsed.
std::string Promote(const AssayCall& call, const Rule& rule,
                    Promotion* promotion);

// Categories are bool, integer, float and complex, 0 to 3.
int CategoryOf(const Type& type);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_PROMOTION_H_
