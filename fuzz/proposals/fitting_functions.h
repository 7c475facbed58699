// Functions that fit a call of an op, whatever op it is: their types are made
// of those of its operands and results, and the constraints say which fit.
#ifndef ASSAY_FUZZ_PROPOSALS_FITTING_FUNCTIONS_H_
#define ASSAY_FUZZ_PROPOSALS_FITTING_FUNCTIONS_H_

#include <string_view>

#include "cases/search/choices.h"
#include "spec/op_spec.h"

namespace assay {

// Returns whether calls of the op have functions, their own or one of the
// program.
bool TakesFunctions(const OpSpec& spec);

// Gives a call whose types are known the functions that the op takes, so that
// the constraints on them hold, or as many as can; the one of the label
// `violated` must be false, if it is one of them. What the call has of
// functions is replaced.
void FitFunctions(const OpSpec& spec, std::string_view violated,
                  Choices* choices, Op* call);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_FITTING_FUNCTIONS_H_
