// Equality, logic and arithmetic of terms: what is known is folded, and what is
// settled is left out.
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

std::optional<Term::List> TermsOf(const Term& term) {
  if (const auto* list = term.As<Term::List>()) return *list;
  const Value* value = ConstantOf(term);
  const auto* list = value == nullptr ? nullptr : value->As<Value::List>();
  if (list == nullptr) return std::nullopt;
  Term::List terms;
  for (const Value& element : *list) terms.push_back(Constant(element));
  return terms;
}

Term ListOf(Term::List terms) {
  if (!AreAllConstant(terms)) return {std::move(terms)};
  Value::List values;
  for (const Term& term : terms) values.push_back(*ConstantOf(term));
  return Constant(std::move(values));
}

Expression ToExpression(const Term& term) {
  if (const Expression* expression = term.As<Expression>()) return *expression;
  if (const auto* matrix = term.As<Term::Matrix>())
    return Expression::OfSlot(Expression::Kind::kVector, matrix->list);
  if (const int64_t* number = NumberOf(term))
    return Expression::Number(*number);
  const std::optional<Term::List> list = TermsOf(term);
  if (!list) throw NotUnderstood();
  std::vector<Expression> items;
  for (const Term& item : *list) items.push_back(ToExpression(item));
  return Expression::Of(Expression::Kind::kItems, std::move(items));
}

std::optional<Truth> KnownTruth(const Term& term) {
  const Value* value = term.As<Value>();
  if (value == nullptr) return std::nullopt;
  return TruthOf(*value);
}

Term Conjunction(const Term::List& terms) {
  std::vector<Expression> open;
  bool is_settled = false;
  Truth all = Truth::kTrue;
  for (const Term& term : terms) {
    all = And(all, KnownTruth(term).value_or(Truth::kTrue));
    is_settled |= term.IsSettled();
    if (const Expression* expression = term.As<Expression>())
      open.push_back(*expression);
    else if (const auto* list = term.As<Term::List>())
      open.push_back(ToExpression(Conjunction(*list)));
  }
  if (all != Truth::kTrue) return Constant(ToValue(all));
  if (open.empty()) return is_settled ? Term{} : Constant(true);
  return open.size() == 1 ? Term{open[0]}
                          : Compiled(Expression::Kind::kAnd, open);
}

Term Negation(const Term& term) {
  if (term.IsSettled()) return term;
  if (const std::optional<Truth> known = KnownTruth(term))
    return Constant(ToValue(Not(*known)));
  const Expression expression = ToExpression(term);
  if (expression.kind == Expression::Kind::kNot)
    return {expression.children[0]};
  return Compiled(Expression::Kind::kNot, {expression});
}

Term Disjunction(const Term& a, const Term& b) {
  for (const Term* term : {&a, &b}) {
    if (KnownTruth(*term) == Truth::kTrue) return *term;
  }
  if (KnownTruth(a) == Truth::kFalse) return b;
  if (KnownTruth(b) == Truth::kFalse) return a;
  if (a.IsSettled() || b.IsSettled()) return {};
  for (const Term* term : {&a, &b}) {
    if (ConstantOf(*term) != nullptr) return *term;  // undefined
  }
  return Compiled(Expression::Kind::kOr, {ToExpression(a), ToExpression(b)});
}

namespace {

// Two tensor types, of which the second may be a constant.
Term EqualityOfTypes(const Term::Tensor& a, const Term& b) {
  const Expression shape =
      Expression::OfSlot(Expression::Kind::kShape, a.number);
  const auto equal = [&](const std::optional<Value>& type, Expression other) {
    const bool is_open = !a.type || !type;
    return Conjunction(
        {is_open ? Term{} : Constant(Compare("=", *a.type, *type)),
         Compiled(Expression::Kind::kEqual, {shape, std::move(other)})});
  };
  if (const auto* t = b.As<Term::Tensor>())
    return equal(t->type,
                 Expression::OfSlot(Expression::Kind::kShape, t->number));
  const Value* value = ConstantOf(b);
  if (value == nullptr) throw NotUnderstood();
  const TensorType* type = TypeOf(*value);
  if (type == nullptr) return Constant(false);
  std::vector<Expression> sizes;
  for (const int64_t size : type->shape)
    sizes.push_back(Expression::Number(size));
  return equal(CallFunction("element_type", {*type}),
               Expression::Of(Expression::Kind::kItems, std::move(sizes)));
}

bool IsUndecided(const Term& term) {
  const Value* value = ConstantOf(term);
  return value != nullptr &&
         (value->Is<Value::Unknown>() || value->Is<Value::Undefined>());
}

// What is no number is equal to none.
bool IsNoNumber(const Term& term) {
  const Value* value = ConstantOf(term);
  return value != nullptr && !value->Is<int64_t>() && !value->Is<bool>() &&
         !value->Is<Value::List>();
}

}  // namespace

Term Equality(const Term& a, const Term& b) {
  if (a.IsSettled() || b.IsSettled()) return {};
  if (const auto* tensor = a.As<Term::Tensor>())
    return EqualityOfTypes(*tensor, b);
  if (const auto* tensor = b.As<Term::Tensor>())
    return EqualityOfTypes(*tensor, a);
  if (ConstantOf(a) != nullptr && ConstantOf(b) != nullptr)
    return Constant(Compare("=", *ConstantOf(a), *ConstantOf(b)));
  const bool is_list =
      a.As<Term::List>() != nullptr || b.As<Term::List>() != nullptr;
  const std::optional<Term::List> x = is_list ? TermsOf(a) : std::nullopt;
  const std::optional<Term::List> y = is_list ? TermsOf(b) : std::nullopt;
  if (x && y) {
    if (x->size() != y->size()) return Constant(false);
    Term::List all;
    for (size_t i = 0; i < x->size(); ++i)
      all.push_back(Equality((*x)[i], (*y)[i]));
    return Conjunction(all);
  }
  for (const Term* term : {&a, &b}) {
    if (IsUndecided(*term)) return *term;
  }
  if (IsNoNumber(a) || IsNoNumber(b)) return Constant(false);
  return Compiled(Expression::Kind::kEqual, {ToExpression(a), ToExpression(b)});
}

Term Arithmetic(const std::string& op, const Term& a, const Term& b) {
  if (a.IsSettled() || b.IsSettled()) return {};
  const int64_t* x = NumberOf(a);
  const int64_t* y = NumberOf(b);
  if (x != nullptr && y != nullptr) {
    if (op == "*") return Constant(*x * *y);
    if (op == "+") return Constant(*x + *y);
    if (op == "-") return Constant(*x - *y);
  }
  for (const Term* term : {&a, &b}) {
    if (IsUndecided(*term)) return *term;
  }
  if (IsNoNumber(a) || IsNoNumber(b))
    return Constant(Value::Undefined{"arithmetic on what is no number"});
  using Kind = Expression::Kind;
  const Kind kind = op == "+"   ? Kind::kAdd
                    : op == "-" ? Kind::kSubtract
                    : op == "*" ? Kind::kMultiply
                    : op == "%" ? Kind::kModulo
                                : Kind::kFloorDivide;
  return Compiled(kind, {ToExpression(a), ToExpression(b)});
}

}  // namespace assay
