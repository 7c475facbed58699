// The oracle's answer to a call of a function: what if, case, while and call
// return is what one of their functions returns.
#ifndef ASSAY_ORACLE_CONTROL_FUNCTION_CALL_H_
#define ASSAY_ORACLE_CONTROL_FUNCTION_CALL_H_

#include <vector>

#include "oracle/oracle.h"

namespace assay {

struct FunctionResults {
  std::vector<Expectation> outputs;
  std::vector<OpMarks> marks;  // of the ops of the function
  // So many elements rest on values of which the oracle allows several. They
  // are open.
  int64_t undecided = 0;

  // Returns whether one value is right for each element, to the bits of NaNs.
  bool AreKnown() const;
};

// Evaluates a function that `call` executes. Precondition: all values are
// tensors (of_tensors.h). `unrounded` says of each argument whether a backend
// may have left it unrounded; empty: of none.
FunctionResults CallFunction(const Function& function,
                             const std::vector<Tensor>& arguments,
                             const OpCall& call,
                             const std::vector<bool>& unrounded = {});

// Moves the results into an evaluation of the call, and adds their marks.
void Return(FunctionResults results, Evaluation* evaluation);

// Returns all elements of the operands: any of them may decide the results.
Sources AllElements(const Op& op);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTROL_FUNCTION_CALL_H_
