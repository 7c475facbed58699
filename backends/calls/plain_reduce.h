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
  const unsigned char* operand;
  const unsigned char* init;
  unsigned char* result;
  // The operand is row-major of shape [outer, terms, inner], and the result of
  // shape [outer, inner].
  int64_t outer, terms, inner;
};

// Returns whether a call is such a reduction. Its result then shares no memory
// with the operands.
bool ReadPlainReduce(const AssayCall& call, PlainReduce* reduce);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_PLAIN_REDUCE_H_
