// Type promotion of pointwise calls is PyTorch's rule for the arguments that an
// output names: the category is decided first, then the types of tensors that
// have dimensions, then of those that have none.
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

// A Promotion is the rule of one output.
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
  bool is_scalar;  // It is a number: only its category counts.
};

struct Promoted {
  Type computation;
  Type result;
};

Category CategoryOf(const Type& type);

// Returns the type of a complex number's parts, or any other type itself.
Type PartType(const Type& type);

// Returns false if two of the types have no common one.
bool Promote(const Promotion& promotion, const Argument* arguments,
             Promoted* promoted);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_PROMOTION_H_
