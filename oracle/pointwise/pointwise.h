// A pointwise call, and the broadcast of operands, stands for a program
// (spec/pointwise/pointwise.h), which is evaluated with everything that each of
// its ops allows. Private to the oracle.
#ifndef ASSAY_ORACLE_POINTWISE_POINTWISE_H_
#define ASSAY_ORACLE_POINTWISE_POINTWISE_H_

#include <initializer_list>
#include <vector>

#include "oracle/oracle.h"

namespace assay {

// Precondition: the op is a pointwise one.
Evaluation EvaluatePointwise(const OpCall& call);

// Returns the clauses that decide element `index` of output `output`: those of
// the ops of the program, and those of the call.
std::vector<DecidingClause> PointwiseClausesOf(const OpCall& call,
                                               int64_t index, size_t output);

// Returns `tensor` in the shape: right-aligned, with size 1 repeated.
Tensor BroadcastTo(const Tensor& tensor, const Shape& shape,
                   const Policy& policy);

// Marks clauses that decide every element alike. `family` is an op, or the
// family that shares the clauses.
void DecideAll(const OpCall& call, std::string_view family,
               const std::vector<int>& clauses, Evaluation* evaluation);

}  // namespace assay

#endif  // ASSAY_ORACLE_POINTWISE_POINTWISE_H_
