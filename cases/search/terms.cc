// Equality and logic of terms: what is known is folded, and what is settled is
// left out.
#include <algorithm>
#include <utility>

#include "cases/search/compile.h"
#include "spec/formula/formula_node.h"

namespace assay {

Term Constant(Value value) { return {std::move(value)}; }
Term Compiled(Expression::Kind kind, std::vector<Expression> children) {
  return {Expression::Of(kind, std::move(children))};
}

const Value* ConstantOf(const Term& term) { return term.As<Value>(); }

const int64_t* NumberOf(const Term& term) {
  const Value* value = ConstantOf(term);
  return value == nullptr ? nullptr : value->As<int64_t>();
}

bool AreAllConstant(const Term::List& terms) {
  return std::ranges::all_of(
      terms, [](const Term& term) { return term.As<Value>() != nullptr; });
}
bool IsAnySettled(const Term::List& terms) {
  return std::ranges::any_of(terms, &Term::IsSettled);
}

Expression ToExpression(const Term& term) {
  if (const Expression* expression = term.As<Expression>()) return *expression;
  if (const Value* value = term.As<Value>()) {
    if (const int64_t* number = value->As<int64_t>())
      return Expression::Number(*number);
    if (const Value::List* list = value->As<Value::List>()) {
      std::vector<Expression> items;
      for (const Value& item : *list)
        items.push_back(ToExpression(Constant(item)));
      return Expression::Of(Expression::Kind::kItems, std::move(items));
    }
  }
  if (const Term::List* list = term.As<Term::List>()) {
    std::vector<Expression> items;
    for (const Term& item : *list) items.push_back(ToExpression(item));
    return Expression::Of(Expression::Kind::kItems, std::move(items));
  }
  throw NotUnderstood();
}

std::optional<bool> KnownTruth(const Term& term) {
  const Value* value = term.As<Value>();
  if (value == nullptr) return std::nullopt;
  return TruthOf(*value) == Truth::kTrue;
}

Term Conjunction(const Term::List& terms) {
  std::vector<Expression> open;
  bool is_settled = false;
  for (const Term& term : terms) {
    const std::optional<bool> known = KnownTruth(term);
    if (known == false) return Constant(false);
    is_settled |= term.IsSettled();
    if (const Expression* expression = term.As<Expression>())
      open.push_back(*expression);
  }
  if (open.empty()) return is_settled ? Term{} : Constant(true);
  return open.size() == 1 ? Term{open[0]}
                          : Compiled(Expression::Kind::kAnd, open);
}

Term Negation(const Term& term) {
  if (term.IsSettled()) return term;
  if (const std::optional<bool> known = KnownTruth(term))
    return Constant(!*known);
  const Expression expression = ToExpression(term);
  if (expression.kind == Expression::Kind::kNot)
    return {expression.children[0]};
  return Compiled(Expression::Kind::kNot, {expression});
}

Term Disjunction(const Term& a, const Term& b) {
  for (const Term* term : {&a, &b}) {
    if (KnownTruth(*term) == true) return *term;
  }
  if (KnownTruth(a) == false) return b;
  if (KnownTruth(b) == false) return a;
  if (a.IsSettled() || b.IsSettled()) return {};
  return Compiled(Expression::Kind::kOr, {ToExpression(a), ToExpression(b)});
}

Term Equality(const Term& a, const Term& b) {
  if (a.IsSettled() || b.IsSettled()) return {};
  const auto* s = a.As<Term::Tensor>();
  const auto* t = b.As<Term::Tensor>();
  if (s != nullptr && t != nullptr) {
    const bool is_open = !s->type || !t->type;
    return Conjunction(
        {is_open ? Term{} : Constant(*s->type == *t->type),
         Compiled(Expression::Kind::kEqual,
                  {Expression::OfSlot(Expression::Kind::kShape, s->number),
                   Expression::OfSlot(Expression::Kind::kShape, t->number)})});
  }
  if (ConstantOf(a) != nullptr && ConstantOf(b) != nullptr)
    return Constant(Compare("=", *ConstantOf(a), *ConstantOf(b)));
  const auto* x = a.As<Term::List>();
  const auto* y = b.As<Term::List>();
  if (x != nullptr && y != nullptr) {
    if (x->size() != y->size()) return Constant(false);
    Term::List all;
    for (size_t i = 0; i < x->size(); ++i)
      all.push_back(Equality((*x)[i], (*y)[i]));
    return Conjunction(all);
  }
  return Compiled(Expression::Kind::kEqual, {ToExpression(a), ToExpression(b)});
}

}  // namespace assay
