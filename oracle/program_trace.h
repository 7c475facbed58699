// A ProgramTrace says how an element of a program's result comes about, for
// people: which ops it rests on, and what they may give.
#ifndef ASSAY_ORACLE_PROGRAM_TRACE_H_
#define ASSAY_ORACLE_PROGRAM_TRACE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/judge.h"
#include "oracle/program.h"

namespace assay {

class ProgramTrace {
 public:
  // `call` calls a function of tensors, and outlives this object.
  ProgramTrace(const Op& call, const std::vector<Tensor>& inputs,
               const Policy& policy);

  // Returns what decides the element: the clauses of the op that gives it, with
  // "budget" if that op has one, or if one before it does.
  Basis BasisOf(size_t output, int64_t index) const;
  // Returns why a budget is the basis: that of the op that gives the element,
  // or that of ops before it.
  std::string BudgetText(size_t output, int64_t index) const;
  // Returns a line for each op that the element rests on, the last one first,
  // which begin with a newline: "t1[2] = exponential(operand = x[2]): 7.4 to
  // ..".
  std::string Text(size_t output, int64_t index) const;

 private:
  struct Step {
    const Op* op;
    ProgramEvaluator::OpResults results;
  };
  // The step that gives a value, and which of its results that is; -1: the
  // value is an argument.
  struct Definition {
    int64_t step = -1;
    size_t output = 0;
  };
  const Definition& DefinitionOf(size_t output) const;

  const Function& function_;
  const Policy& policy_;
  ProgramEvaluator evaluator_;
  std::vector<Step> steps_;
  std::map<std::string, Definition> definitions_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_PROGRAM_TRACE_H_
