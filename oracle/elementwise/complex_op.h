// An op on complex functions is written as the clauses of its op file, and the
// function.
#ifndef ASSAY_ORACLE_ELEMENTWISE_COMPLEX_OP_H_
#define ASSAY_ORACLE_ELEMENTWISE_COMPLEX_OP_H_

#include "oracle/elementwise/real_op.h"
#include "oracle/real/complex_ball.h"

namespace assay {

// These clauses decide: for a number; where an operand is not finite, and at a
// pole; on a branch cut (for a function that has none, any clause); where the
// result of finite operands is beyond its type (for a function where it never
// is, that of poles).
struct ComplexClauses {
  ClauseNumber value, special, cut, overflow;
};

// Computes results of complex type. Unary functions read the first operand
// only.
Evaluation ComplexOp(const OpCall& op, ComplexFunction f,
                     const ComplexClauses& clauses);
// Computes abs, which is the modulus.
Evaluation ModulusOp(const OpCall& op, const ComplexClauses& clauses);
// Computes sign, whose zeros and NaNs the text defines by S9 and S10.
Evaluation ComplexSignOp(const OpCall& op);

}  // namespace assay

#endif  // ASSAY_ORACLE_ELEMENTWISE_COMPLEX_OP_H_
