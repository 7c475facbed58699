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
// all constraints hold, or as many as can; the one of the label `violated` must
// be false, if that is not empty. What the call has of functions is replaced.
void FitFunctions(const OpSpec& spec, std::string_view violated,
                  Choices* choices, Op* call);

// Returns in how many constraints a call is not as wanted: those that are not
// true, or if one must be violated, others that are false and that one if it is
// not.
int CountWrong(const OpSpec& spec, const Op& call, std::string_view violated);

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_FITTING_FUNCTIONS_H_
