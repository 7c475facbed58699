// How an op on complex functions is written: the clauses of its op file, and
// the function.
#ifndef ASSAY_ORACLE_COMPLEX_OP_H_
#define ASSAY_ORACLE_COMPLEX_OP_H_

#include "oracle/complex_ball.h"
#include "oracle/real_op.h"

namespace assay {

// Which clause decides: for a number, where something is not finite, and on a
// branch cut (a function that has none names any).
struct ComplexClauses {
  ClauseNumber value, special, cut;
};

// Results of complex type. Unary functions read the first operand only.
Evaluation ComplexOp(const OpCall& op, ComplexFunction f,
                     const ComplexClauses& clauses);
// abs: the modulus.
Evaluation ModulusOp(const OpCall& op, const ComplexClauses& clauses);
// sign, whose zeros and NaNs the text defines: by S9 and S10.
Evaluation ComplexSignOp(const OpCall& op);

}  // namespace assay

#endif  // ASSAY_ORACLE_COMPLEX_OP_H_
