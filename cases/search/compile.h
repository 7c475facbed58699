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
  // Rows of numbers: the slots of their shape and of the list of all elements.
  struct Matrix {
    size_t shape = 0, list = 0;
  };
  struct Row {
    Matrix of;
    Expression index;
  };
  struct Tensor {
    size_t number = 0;          // slot of its shape
    std::optional<Value> type;  // of its elements
    // The list of its elements, where formulas ask for them, and whether these
    // are rows.
    std::optional<size_t> values = std::nullopt;
    bool has_rows = false;
  };
  // The signature or the functions of the call decide it.
  struct Settled {};
  using List = std::vector<Term>;

  std::variant<Settled, Value, Tensor, Matrix, Row, Expression, List> rep;

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
// The truth of a constant; nullopt of other terms.
std::optional<Truth> KnownTruth(const Term& term);
// Returns the terms of a list whose length is known, also of a constant one.
std::optional<Term::List> TermsOf(const Term& term);
// Returns a constant list where all terms are constants.
Term ListOf(Term::List terms);
// Throws NotUnderstood if the term is no number, truth or list of these.
Expression ToExpression(const Term& term);

// What is settled is true once the call is complete.
Term Conjunction(const Term::List& terms);
Term Disjunction(const Term& a, const Term& b);
Term Negation(const Term& term);
Term Equality(const Term& a, const Term& b);
Term Arithmetic(const std::string& op, const Term& a, const Term& b);

// Returns base[index] and base[begin:end], of which either end may be None.
Term Subscript(const Term& base, const Term& index);
Term Slice(const Term& base, const Term& begin, const Term& end);
// Applies a function of the notation.
Term Apply(const std::string& name, const Term::List& arguments);

using Terms = std::map<std::string, Term, std::less<>>;

// Returns the truth of the formula: a value, a truth of expressions, or
// settled. Throws NotUnderstood.
Term Compile(const Formula& formula, const OpSpec& spec, const Terms& members);

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_COMPILE_H_
