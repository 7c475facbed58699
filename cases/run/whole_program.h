// Whole programs, as backends with `run_program` get them: one text, whose
// entry takes and returns tensors. Several functions become one program, so
// that they are compiled together.
#ifndef ASSAY_CASES_RUN_WHOLE_PROGRAM_H_
#define ASSAY_CASES_RUN_WHOLE_PROGRAM_H_

#include <string>
#include <vector>

#include "backends/host/executor.h"
#include "spec/program.h"
#include "spec/types/tensor.h"

namespace assay {

// Returns whether StableHLO text can say the function: its ops, and those of
// functions inside it and called by it, are of StableHLO or calls.
bool HasText(const Function& function);
// Returns whether the function calls something by another name than that of a
// function, which a case alone knows.
bool CallsTarget(const Function& function);

// Makes one program whose inputs are the tensors of the inputs of all
// functions, and whose results are the tensors of their results, in this order.
// Preconditions: HasText, and the types are static.
EntryProgram MakeEntryProgram(const std::vector<const Function*>& functions);
// Makes it without inputs: each is a constant of the program, with the value at
// its place.
EntryProgram MakeEntryProgram(const std::vector<const Function*>& functions,
                              const std::vector<Tensor>& constants);

// Returns the text of a program that is verified and not run: its types may be
// dynamic, and the operands of which constraints ask for the elements are
// constants. Precondition: HasText.
std::string TextToVerify(const Function& function);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_WHOLE_PROGRAM_H_
