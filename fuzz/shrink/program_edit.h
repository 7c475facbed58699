// Simpler programs: each has an op, a function, a value or a result less.
// Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_PROGRAM_EDIT_H_
#define ASSAY_FUZZ_SHRINK_PROGRAM_EDIT_H_

#include <optional>
#include <vector>

#include "cases/case.h"
#include "spec/policy.h"

namespace assay {

// Returns the functions of a program: the first, and those inside of its ops
// and called by them, each behind the one that it is in. What is called is
// copied first, so that it may be changed.
std::vector<Function*> FunctionsOf(Program* program);
// The ops of all of its functions are so many.
int64_t CountOps(const Function& function);

// Takes the members of tuples from where they come from; nothing if there are
// no tuples and tokens, or some stay.
std::optional<Case> WithoutTuples(const Case& c);

// Returns simpler programs, those that are much simpler first: one value
// returned alone, results of an op as inputs with the values that the oracle
// gives them, an operand in the place of a result, a function in the place of
// the op that executes it, and control ops with fewer values. Precondition: all
// values are tensors.
std::vector<Case> SimplerPrograms(const Case& c, const Policy& policy);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_PROGRAM_EDIT_H_
