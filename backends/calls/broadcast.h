// What calls whose operands are broadcast are checked for: NumPy's rule for
// shapes, and outputs that are as large as they have to be and share no bytes
// with other operands.
#ifndef ASSAY_BACKENDS_CALLS_BROADCAST_H_
#define ASSAY_BACKENDS_CALLS_BROADCAST_H_

#include <stdarg.h>
#include <stdio.h>

#include "backends/backend.h"

namespace assay::calls {

// Why a call is invalid.
struct Complaint {
  char text[200] = "";

  // False, for the caller to return.
  __attribute__((format(printf, 2, 3))) bool Say(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return false;
  }
};

// Whether the shapes and places of all operands are what they have to be.
bool CheckBroadcast(const AssayCall& call, Complaint* complaint);

// The ops that are broadcast without promotion.
bool IsBroadcastShift(const char* op);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_BROADCAST_H_
