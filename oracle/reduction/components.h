// The body of a reduce may be several functions side by side, as that of a sum
// and a maximum is, which are then reduced one by one.
#ifndef ASSAY_ORACLE_REDUCTION_COMPONENTS_H_
#define ASSAY_ORACLE_REDUCTION_COMPONENTS_H_

#include <vector>

#include "spec/program.h"

namespace assay {

// Returns a function of two arguments for each result of the body, or none if a
// result rests on an argument of another one, or if there is only one result.
// Precondition: the body has two arguments for each result.
std::vector<Function> ComponentsOf(const Function& body);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_COMPONENTS_H_
