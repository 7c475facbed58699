// An op is called more than once: run A and run B on other buffers, and for a
// layout variant the call that it is compared with. Their results must agree.
#ifndef ASSAY_CASES_RUN_COMPARE_RUNS_H_
#define ASSAY_CASES_RUN_COMPARE_RUNS_H_

#include <cstddef>

#include "cases/run/findings.h"
#include "cases/run/op_executions.h"
#include "oracle/expectation.h"
#include "spec/policy.h"

namespace assay {

// Compares result `i` of run A with that of run B. Where one value is right,
// they must have the same bits; elsewhere policy repeatable decides. Returns
// whether run B has other bits, and is to be judged as well. `not_repeated`
// counts those that the policy accepts.
bool CompareRuns(const OpExecutions& run, size_t i, const Policy& policy,
                 const Expectation& expectation, int64_t* not_repeated,
                 Findings* findings);

// Compares result `i` with that of the base: a layout, or a neighbouring
// element, must not change it. Returns whether the base has other bits for the
// same expectation, and is to be judged as well.
bool CompareWithBase(const OpExecutions& run, size_t i, const Policy& policy,
                     const Expectation& expectation, Verdict* verdict,
                     Findings* findings);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_COMPARE_RUNS_H_
