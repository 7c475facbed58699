// A reduction whose function is one op that forms a monoid, along dimensions
// that follow each other in row-major order, needs no function to be called.
#ifndef ASSAY_BACKENDS_CALLS_PLAIN_REDUCE_H_
#define ASSAY_BACKENDS_CALLS_PLAIN_REDUCE_H_

#include <stdint.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

struct PlainReduce {
  std::string_view monoid;  // its op
  Type type;                // of the operand, the initial value and the result
  const AssayTensor* operand;
  const AssayTensor* init;
  const AssayTensor* result;
  // In row-major order the operand has the shape [outer, terms, inner], and the
  // result [outer, inner].
  int64_t outer, terms, inner;
};

// Returns whether a call is such a reduction, whose tensors may have any
// layouts, and there are results and terms. Strides and memory do not matter,
// so that the order in which a backend adds can depend on sizes alone.
bool ReadPlainReduce(const AssayCall& call, PlainReduce* reduce);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_PLAIN_REDUCE_H_
