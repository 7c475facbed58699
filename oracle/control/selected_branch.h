// if and case execute one of their functions.
#ifndef ASSAY_ORACLE_CONTROL_SELECTED_BRANCH_H_
#define ASSAY_ORACLE_CONTROL_SELECTED_BRANCH_H_

#include "spec/program.h"

namespace assay {

// Returns the function that an op of the two executes for its operand.
const Function &SelectedBranch(const Op &op, const Tensor &operand);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTROL_SELECTED_BRANCH_H_
