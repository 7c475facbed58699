// A formula is compiled to what a search must satisfy. Private to the plan.
#ifndef ASSAY_CASES_SEARCH_COMPILE_H_
#define ASSAY_CASES_SEARCH_COMPILE_H_

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cases/search/expression.h"
#include "spec/formula/formula.h"
#include "spec/op_spec.h"

namespace assay {

// A Term is the value of a part of a formula, as far as it is known before the
// search.
struct Term {
  struct Tensor {
    size_t number = 0;  // slot of its shape
    std::optional<ElementType> type;
  };
  // The signature or the functions of the call decide it.
  struct Settled {};
  using List = std::vector<Term>;

  std::variant<Settled, Value, Tensor, Expression, List> rep;

  bool IsSettled() const { return std::holds_alternative<Settled>(rep); }
  template <class T>
  const T* As() const {
    return std::get_if<T>(&rep);
  }
};

// The compiler does not know a function or a form of the formula.
struct NotUnderstood {};

Term Constant(Value value);
Term Compiled(Expression::Kind kind, std::vector<Expression> children);
// These return nullptr if the term is not a constant, or no number.
const Value* ConstantOf(const Term& term);
const int64_t* NumberOf(const Term& term);
bool AreAllConstant(const Term::List& terms);
bool IsAnySettled(const Term::List& terms);
std::optional<bool> KnownTruth(const Term& term);
// Throws NotUnderstood if the term is no number, truth or list of these.
Expression ToExpression(const Term& term);

// What is settled is true once the call is complete.
Term Conjunction(const Term::List& terms);
Term Disjunction(const Term& a, const Term& b);
Term Negation(const Term& term);
Term Equality(const Term& a, const Term& b);

using Terms = std::map<std::string, Term, std::less<>>;

// Returns the truth of the formula: a value, a truth of expressions, or
// settled. Throws NotUnderstood.
Term Compile(const Formula& formula, const OpSpec& spec, const Terms& members);

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_COMPILE_H_
