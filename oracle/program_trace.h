// A ProgramTrace says how an element of a program's result comes about, for
// people: which ops it rests on, and what they may give.
#ifndef ASSAY_ORACLE_PROGRAM_TRACE_H_
#define ASSAY_ORACLE_PROGRAM_TRACE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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

  // Returns what decides the element: the clauses of the op that gives it. The
  // basis is the policy if one decides an element that it rests on, whose
  // clause is then the last, and else "budget" if an op on the way has one. Of
  // an element that rests on very many it is any policy of the program.
  Basis BasisOf(size_t output, int64_t index) const;
  // Returns why a budget is the basis: that of the op that gives the element,
  // or that of ops before it.
  std::string BudgetText(size_t output, int64_t index) const;
  // Returns a line for each op and argument that the element rests on, the last
  // op first. They begin with a newline:
  // "%t[2] = exponential(operand = %x[2]): 7.4 to 7.5", "%x[2] = 2
  // (0x40000000)".
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
  struct Element {
    std::string value;
    int64_t index;
    auto operator<=>(const Element&) const = default;
  };
  const Definition& DefinitionOf(size_t output) const;
  // Returns nullptr for an argument.
  const Step* StepOf(const Definition& definition) const;
  Basis BasisOf(const Definition& definition, int64_t index) const;
  // Returns the elements of operands that an element rests on, and those that
  // the functions of its op may read beside these: the first `most` of them.
  std::vector<Element> SourcesOf(const Element& element, size_t most) const;
  std::vector<Element> CapturedBy(const Element& element, size_t most) const;
  // Returns the clauses of policies that decide elements of any op.
  std::vector<DecidingClause> PolicyClauses() const;
  // Visits an element and those before it, each once, until `visit` returns no
  // list of the elements to go on with.
  using Next = std::optional<std::vector<Element>>;
  void Visit(const Element& last,
             const std::function<Next(const Element&)>& visit) const;

  std::string LineOf(const Element& element) const;
  std::string ArgumentText(const std::string& name, int64_t index) const;

  const Function& function_;
  const std::vector<Tensor>& inputs_;
  const Policy& policy_;
  ProgramEvaluator evaluator_;
  std::vector<Step> steps_;
  std::map<std::string, Definition> definitions_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_PROGRAM_TRACE_H_
