// Simpler programs: each has an op, a function, a value or a result less.
// Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_SIMPLER_PROGRAMS_H_
#define ASSAY_FUZZ_SHRINK_SIMPLER_PROGRAMS_H_

#include <vector>

#include "cases/case.h"
#include "spec/policy.h"

namespace assay {

// Returns simpler programs, those that are much simpler first: one value
// returned alone, results of an op as inputs with the values that the oracle
// gives them, a value that is there in the place of a result, a function in the
// place of the op that executes it, and control ops with fewer values.
// Precondition: all values are tensors, and have names of their own.
std::vector<Case> SimplerPrograms(const Case& c, const Policy& policy);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_SIMPLER_PROGRAMS_H_
