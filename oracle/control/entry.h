// An entry is a function that several others become together, so that they run
// as one program.
#ifndef ASSAY_ORACLE_CONTROL_ENTRY_H_
#define ASSAY_ORACLE_CONTROL_ENTRY_H_

#include <memory>
#include <string>
#include <vector>

#include "spec/program.h"

namespace assay {

// Returns one function whose inputs are the tensors of the inputs of all
// functions, and whose results are the tensors of their results, in this order.
// Tuples and tokens that a function takes are made in it, and those that it
// returns taken apart.
Function MakeEntry(const std::string& name,
                   const std::vector<const Function*>& functions);

// Returns the call of a function: its operands and results are those of the
// function.
Op CallOf(const std::shared_ptr<const Function>& function);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTROL_ENTRY_H_
