// Pointwise calls and broadcast operands: the program that a call stands for
// (spec/pointwise/pointwise.h), evaluated with what each of its ops allows.
// Private to the oracle.
#ifndef ASSAY_ORACLE_POINTWISE_POINTWISE_H_
#define ASSAY_ORACLE_POINTWISE_POINTWISE_H_

#include <initializer_list>
#include <vector>

#include "oracle/oracle.h"

namespace assay {

// Precondition: the op is a pointwise one.
Evaluation EvaluatePointwise(const OpCall& call);

// The clauses that decide element `index` of output `output`: those of the ops
// of the program, and those of the call.
std::vector<DecidingClause> PointwiseClausesOf(const OpCall& call,
                                               int64_t index, size_t output);

// `tensor` as the shape sees it: right-aligned, size 1 repeated.
Tensor BroadcastTo(const Tensor& tensor, const Shape& shape,
                   const Policy& policy);

// Marks clauses that decide every element alike: of `family`, an op or what
// several ops share.
void DecideAll(const OpCall& call, std::string_view family,
               const std::vector<int>& clauses, Evaluation* evaluation);

}  // namespace assay

#endif  // ASSAY_ORACLE_POINTWISE_POINTWISE_H_
