// How an op on complex functions is written: the clauses of its op file, and
// the function.
#ifndef ASSAY_ORACLE_ELEMENTWISE_COMPLEX_OP_H_
#define ASSAY_ORACLE_ELEMENTWISE_COMPLEX_OP_H_

#include "oracle/elementwise/real_op.h"
#include "oracle/real/complex_ball.h"

namespace assay {

// Which clause decides: for a number; where an operand is not finite, and at a
// pole; on a branch cut (a function that has none names any); where the result
// of finite operands is beyond its type (a function where it never is, names
// that of poles).
struct ComplexClauses {
  ClauseNumber value, special, cut, overflow;
};

// Results of complex type. Unary functions read the first operand only.
Evaluation ComplexOp(const OpCall& op, ComplexFunction f,
                     const ComplexClauses& clauses);
// abs: the modulus.
Evaluation ModulusOp(const OpCall& op, const ComplexClauses& clauses);
// sign, whose zeros and NaNs the text defines: by S9 and S10.
Evaluation ComplexSignOp(const OpCall& op);

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_COMPLEX_OP_H_
