// A function is executed by the oracle alone.
#ifndef ASSAY_ORACLE_CONTROL_EXECUTE_H_
#define ASSAY_ORACLE_CONTROL_EXECUTE_H_

#include <cstdint>

#include "oracle/control/walk.h"
#include "spec/policy.h"
#include "spec/program.h"

namespace assay {

// Returns whether an op executes its functions on values that it carries.
bool IsLoop(const Op& op);
// Returns whether a function has a loop, inside of it or in what it calls.
bool HasLoop(const Function& function);

// Executes a function, and leaves the values that it defines. `values` has its
// inputs. Where a result may have several values, one of them is taken. Returns
// false if the function takes more steps than `fuel`. Preconditions: the
// constraints of its ops hold, and all of its values are tensors.
bool Execute(const Function& function, const Policy& policy, int64_t fuel,
             Walk::Values* values);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTROL_EXECUTE_H_
