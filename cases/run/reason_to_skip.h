// What is asked of a case before a backend is given it.
#ifndef ASSAY_CASES_RUN_REASON_TO_SKIP_H_
#define ASSAY_CASES_RUN_REASON_TO_SKIP_H_

#include <cstdint>
#include <string>

#include "backends/host/executor.h"
#include "cases/case.h"
#include "cases/run/op_executions.h"
#include "cases/run/verdict.h"
#include "spec/policy.h"

namespace assay {

// A case names a policy because its literals and the constraints that it
// violates depend on it. No case can name a user's own policy, so under one a
// valid call is judged without its literals.
bool NeedsOtherPolicy(const Case& c, const Policy& policy);

// Return why a case cannot be given to a backend op by op, or as a whole
// program; empty if it can.
std::string ReasonToSkip(const Case& c, const BackendInfo& backend,
                         const Policy& policy);
std::string ReasonToSkipProgram(const Case& c, const BackendInfo& backend,
                                const Policy& policy);

// Says that the program of a case was not followed to its end.
void OutOfFuel(int64_t fuel, Verdict* verdict);

// Returns which constraint of a call has no truth, and why: a number of its
// formula overflows, for one. Empty: all have. Precondition: the case violates
// none.
std::string Undecided(const Case& c, const Policy& policy);

// Returns the values of the inputs, by name. A case that violates a constraint
// has types only, and gets zeros.
Values InputsOf(const Case& c);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_REASON_TO_SKIP_H_
