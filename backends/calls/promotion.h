// Type promotion of pointwise calls: PyTorch's rule for the arguments that an
// output names, by category first and then by the types of tensors that have
// dimensions, before those that have none.
#ifndef ASSAY_BACKENDS_CALLS_PROMOTION_H_
#define ASSAY_BACKENDS_CALLS_PROMOTION_H_

#include "backends/calls/limits.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

enum class Category { kBool, kInteger, kFloat, kComplex };

enum class Method {
  kDefault,
  kNoOpmath,
  kIntToFloat,
  kAlwaysBool,
  kComplexToFloat,
  kBoolToLong
};

// Of one output.
struct Promotion {
  int num_arguments;
  int arguments[kMaxInputs];
  Method method;
};

// Reads `[[0, 1, "DEFAULT"], ..]`, one list for each output. Returns what is
// wrong with the text, or nullptr.
const char* ParsePromotions(const char* text, int num_inputs, int num_outputs,
                            Promotion* promotions);

struct Argument {
  Type type;
  bool has_dims;
  bool is_scalar;  // Given as a number: only its category counts.
};

struct Promoted {
  Type computation;
  Type result;
};

Category CategoryOf(const Type& type);

// The type of a complex number's parts; any other type itself.
Type PartType(const Type& type);

// False if two of the types have no common one.
bool Promote(const Promotion& promotion, const Argument* arguments,
             Promoted* promoted);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_PROMOTION_H_
