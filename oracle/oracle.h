// The oracle is the scalar, literal reading of the specifications. NOT FOR
// PRODUCTION: it is written to be read, not to be fast, and it shares no code
// with any kernel.
//
// Every op is a function, in the words and the variable names of its
// specification. The table of them comes from the listing of spec/ops: an
// executable op without a function is a link error that names it.
#ifndef ASSAY_ORACLE_ORACLE_H_
#define ASSAY_ORACLE_ORACLE_H_

#include <optional>
#include <vector>

#include "oracle/expectation.h"
#include "spec/op_spec.h"
#include "spec/policy.h"
#include "spec/program.h"

namespace assay {

enum class Marks { kCounted, kNone };
struct FlushChoice;

// Half-open, in row-major order.
struct ElementRange {
  int64_t begin, end;
};

// An op function gets an OpCall: a call that satisfies the constraints of its
// op, and the values of its inputs.
struct OpCall {
  const Op& op;
  // These are in the order of op.inputs; the values that the op's regions
  // capture follow, in the order of Captures(op).
  const std::vector<Tensor>& inputs;
  const Policy& policy;
  Marks marks;
  const FlushChoice* flush = nullptr;  // nullptr: subnormals are kept
  // If set, only these elements of the results are evaluated, and the others
  // are left as they are.
  std::optional<ElementRange> elements = std::nullopt;
  // If true, each element of the operands is one of a call on scalars: tensors
  // of rank 1 stand in the place of those of rank 0.
  bool of_scalars = false;

  const Tensor& Input(std::string_view name) const;
  // Returns nullptr if the call leaves the constant out.
  const Attribute* FindAttribute(std::string_view name) const;
  const TensorType& ResultType() const { return op.outputs[0].type; }
  // Returns whether an operand is a scalar, which is the same for all elements.
  bool IsScalar(const Tensor& operand) const {
    return of_scalars || operand.type().shape.empty();
  }
  // Begin and End bound the elements to evaluate, of a result of `size`
  // elements.
  int64_t Begin() const { return elements ? elements->begin : 0; }
  int64_t End(int64_t size) const { return elements ? elements->end : size; }
};

// An element of an operand, by the operand's number among those of the op and
// the element's place in row-major order.
struct Source {
  size_t operand;
  int64_t element;
  friend bool operator==(const Source&, const Source&) = default;
};
using Sources = std::vector<Source>;

// The oracle has these functions for each op. The table is made from the
// listing of spec/ops, so that a missing function is a link error that names
// it.
struct OpFunctions {
  std::string_view id;
  Evaluation (*evaluate)(const OpCall& op);
  // Returns the elements that element `index` of result number `output` rests
  // on, in the order of the operands: none, one or many.
  Sources (*sources)(const OpCall& op, size_t output, int64_t index);
};

// Returns what the specification allows the results of `op` on `inputs` to be,
// and with `flush` what hardware that flushes in this way would give.
// Preconditions: `op.op` is executable, the constraints hold, the types are
// static.
Evaluation Evaluate(const Op& op, const std::vector<Tensor>& inputs,
                    const Policy& policy, Marks marks,
                    const FlushChoice* flush = nullptr);

// Returns the same for one call on scalars at each element of `inputs`, which
// all have the same shape of rank 1. `op` has their types and is elementwise.
Evaluation EvaluateScalars(const Op& op, const std::vector<Tensor>& inputs,
                           const Policy& policy, Marks marks);

// A DecidingClause is a clause, and the op (or family of ops) that it belongs
// to.
struct DecidingClause {
  std::string_view op;
  const ClauseSpec* clause;
  bool IsOfPolicy() const { return !clause->policy.empty(); }
  std::string Id() const { return std::string(op) + "/" + clause->label; }
};

// Returns the clauses that an evaluation executed: those of the op, and then
// those of the ops in its regions.
std::vector<DecidingClause> ClausesOf(const Op& op,
                                      const Evaluation& evaluation);
// Adds clauses of an op to a list in the order of Ops().
void AddMarks(const OpMarks& added, std::vector<OpMarks>* marks);

// Returns the clauses that decide element `index` of result number `output`, by
// evaluating that element alone.
std::vector<DecidingClause> ClausesOf(const Op& op,
                                      const std::vector<Tensor>& inputs,
                                      const Policy& policy, int64_t index,
                                      size_t output = 0);

// Returns the elements of operands that element `index` of result number
// `output` rests on.
Sources SourcesOf(const Op& op, const std::vector<Tensor>& inputs,
                  int64_t index, size_t output = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_ORACLE_H_
