#include "oracle/control/function_call.h"

namespace assay {

Evaluation FuncCall(const OpCall& op) {
  Evaluation evaluation;
  Return(CallFunction(*op.op.callee, op.inputs, op), &evaluation);
  return evaluation;
}

Sources FuncCallSources(const OpCall& op, size_t, int64_t) {
  return AllElements(op.op);
}

// "The `composite` op can be replaced with its decomposition without changing
// program semantics."
Evaluation Composite(const OpCall& op) { return FuncCall(op); }

Sources CompositeSources(const OpCall& op, size_t, int64_t) {
  return AllElements(op.op);
}

// A case says which function its target is.
Evaluation CustomCall(const OpCall& op) { return FuncCall(op); }

Sources CustomCallSources(const OpCall& op, size_t, int64_t) {
  return AllElements(op.op);
}

}  // namespace assay
