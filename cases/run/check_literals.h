// Literal expectations test the oracle: where they differ from it, no backend
// is blamed.
#ifndef ASSAY_CASES_RUN_CHECK_LITERALS_H_
#define ASSAY_CASES_RUN_CHECK_LITERALS_H_

#include "cases/case.h"
#include "cases/run/op_executions.h"
#include "cases/run/verdict.h"
#include "spec/policy.h"

namespace assay {

// Returns whether the oracle allows the literals of a case. If it does not, the
// verdict says so. `inputs` are the values of the program's inputs.
bool CheckLiterals(const Case& c, const Values& inputs, const Policy& policy,
                   Verdict* verdict);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_CHECK_LITERALS_H_
