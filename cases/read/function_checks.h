// What is asked of the functions of a case before it runs.
#ifndef ASSAY_CASES_READ_FUNCTION_CHECKS_H_
#define ASSAY_CASES_READ_FUNCTION_CHECKS_H_

#include <cstdint>
#include <string>

#include "spec/program.h"

namespace assay {

// Returns whether no type of a function, or of one inside it, is dynamic.
bool IsStatic(const Function& function);

// Returns why backends cannot be given the function of an op, or "".
std::string WhyNotGiven(const Function& function);

// Returns what the constants of a function, and of those inside it, take.
int64_t ConstantBytes(const Function& function);

}  // namespace assay

#endif  // ASSAY_CASES_READ_FUNCTION_CHECKS_H_
