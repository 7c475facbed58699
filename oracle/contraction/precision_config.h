#ifndef ASSAY_ORACLE_CONTRACTION_PRECISION_CONFIG_H_
#define ASSAY_ORACLE_CONTRACTION_PRECISION_CONFIG_H_

#include <array>
#include <string>

#include "spec/program.h"

namespace assay {

// Returns what precision_config asks for, of lhs and of rhs. Precondition: it
// has two elements.
std::array<std::string, 2> PrecisionConfigOf(const Op& op);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_PRECISION_CONFIG_H_
