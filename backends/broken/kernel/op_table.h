// The table has the functions of each op, one for each kind of element type.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_OP_TABLE_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_OP_TABLE_H_

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

// A function is nullptr if the op does not take such types.
struct OpFunctions {
  const char* name;
  int arity;
  Function integer;
  FloatFunction real;
  FloatFunction complex;
};

// Returns nullptr if there is no such op; the ops whose attributes choose the
// function, and convert, are not in the table.
const OpFunctions* FindOp(const char* name);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_OP_TABLE_H_
