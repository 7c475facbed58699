// What a call of an op that moves elements has against the constraints of the
// op, and what is only not implemented.
#ifndef ASSAY_BACKENDS_CALLS_VIOLATIONS_H_
#define ASSAY_BACKENDS_CALLS_VIOLATIONS_H_

#include "backends/backend.h"

namespace assay::calls {

// These are what is wrong with such a call.
inline constexpr char kOperandCount[] = "number of operands";
inline constexpr char kAttributeValue[] = "attribute value";
inline constexpr char kOperandShapes[] = "mix of operand shapes";
inline constexpr char kWindowSize[] = "size of a window";
inline constexpr char kResultType[] = "result type";
inline constexpr char kIndexType[] = "type of indices";

// Returns whether a call, which came to this failure, violates a constraint of
// an op of which each element of the result is one of an operand.
bool IsViolation(const AssayCall& call, const char* failure);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_VIOLATIONS_H_
