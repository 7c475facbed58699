#ifndef ASSAY_ORACLE_REDUCTION_CONVERTED_H_
#define ASSAY_ORACLE_REDUCTION_CONVERTED_H_

#include <vector>

#include "oracle/oracle.h"
#include "oracle/scalars.h"

namespace assay {

// Converts a column to the type that an argument of a function has, and adds
// the clauses of the conversion to `marks`.
Scalars Converted(Scalars column, ElementType type, const OpCall& op,
                  std::vector<OpMarks>* marks);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_CONVERTED_H_
