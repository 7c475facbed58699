// Calls of ops that take functions, as calls of ops that take none.
#ifndef ASSAY_BACKENDS_CALLS_FUNCTIONS_H_
#define ASSAY_BACKENDS_CALLS_FUNCTIONS_H_

#include "backends/backend.h"
#include "backends/calls/columns.h"

namespace assay::calls {

// Runs a call of map, reduce, reduce_window, scatter, select_and_scatter or
// sort. Returns what is not implemented or went wrong, or nullptr after the
// results are written.
const char* RunWithFunction(const AssayCall& call, Machine* machine);

// A FunctionCall is a call with functions, whose operands are columns.
struct FunctionCall {
  const AssayFunction* function;  // the only one, or the first
  std::vector<std::vector<Column>> groups;
  std::vector<Column> captures;  // scalars
  std::vector<Column> outputs;
};

// Each of these runs the calls of an op; what goes wrong is columns->failure().
void RunMap(const AssayCall& call, const FunctionCall& operands,
            Columns* columns);
void RunReduce(const AssayCall& call, const FunctionCall& operands,
               Columns* columns);
void RunReduceWindow(const AssayCall& call, const FunctionCall& operands,
                     Columns* columns);
void RunScatter(const AssayCall& call, const FunctionCall& operands,
                Columns* columns);
void RunSelectAndScatter(const AssayCall& call, const FunctionCall& operands,
                         Columns* columns);
void RunSort(const AssayCall& call, const FunctionCall& operands,
             Columns* columns);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_FUNCTIONS_H_
