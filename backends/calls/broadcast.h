// These checks apply to calls whose operands are broadcast: shapes follow
// NumPy's rule, and outputs have the size of the broadcast shape and share no
// bytes with other operands.
#ifndef ASSAY_BACKENDS_CALLS_BROADCAST_H_
#define ASSAY_BACKENDS_CALLS_BROADCAST_H_

#include <stdarg.h>
#include <stdio.h>

#include "backends/backend.h"

namespace assay::calls {

// A Complaint says why a call is invalid.
struct Complaint {
  char text[200] = "";

  // Returns false, for the caller to return.
  __attribute__((format(printf, 2, 3))) bool Say(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return false;
  }
};

// Returns whether the shapes and places of all operands are valid.
bool CheckBroadcast(const AssayCall& call, Complaint* complaint);

// Returns whether the op is a shift, which is broadcast without promotion.
bool IsBroadcastShift(const char* op);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_BROADCAST_H_
