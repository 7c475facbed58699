// A function as it is executed: all of its values are tensors.
//
// A tuple is the tensors in it, one after the other, and a token is nothing
// (TensorsOf in spec/program.h). An op that makes a tuple, or takes a member
// out of one, then passes tensors on as they are: its results are its operands.
#ifndef ASSAY_ORACLE_CONTROL_OF_TENSORS_H_
#define ASSAY_ORACLE_CONTROL_OF_TENSORS_H_

#include <memory>

#include "spec/program.h"

namespace assay {

// Returns the function with tensors alone, and so those that it calls. If it is
// such a function already, it is the one that is returned, and must outlive
// what is returned.
std::shared_ptr<const Function> OfTensors(const Function &function);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTROL_OF_TENSORS_H_
