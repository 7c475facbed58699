// Draws a function of a type.
#ifndef ASSAY_FUZZ_PROPOSALS_FUNCTION_OF_TYPE_H_
#define ASSAY_FUZZ_PROPOSALS_FUNCTION_OF_TYPE_H_

#include "cases/search/choices.h"
#include "spec/program.h"

namespace assay {

// Returns a function without a name and without captures. Its results are made
// of arguments, where some have their types, and are constants otherwise.
Function DrawFunction(const FunctionType& type, Choices* choices);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_FUNCTION_OF_TYPE_H_
