// What the body of a reduce, or the computation of a scatter, is made of. It
// may be several functions side by side, as that of a sum and a maximum is,
// which are then reduced one by one.
#ifndef ASSAY_ORACLE_REDUCTION_COMPONENTS_H_
#define ASSAY_ORACLE_REDUCTION_COMPONENTS_H_

#include <vector>

#include "spec/op_spec.h"
#include "spec/program.h"

namespace assay {

// Returns a function of two arguments for each result of the body, or none if a
// result rests on an argument of another one, or if there is only one result.
// Precondition: the body has two arguments for each result.
std::vector<Function> ComponentsOf(const Function& body);

// Returns the op that is all of a function of two arguments, which it has as
// its operands; nullptr if there is none.
const OpSpec* WholeOp(const Function& function);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_COMPONENTS_H_
