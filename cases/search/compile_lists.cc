// Elements and parts of lists. A subscript of a comprehension is its body, so
// that truths in it can be asked for, and a search evaluates one element alone.
#include <algorithm>
#include <utility>

#include "cases/search/compile.h"

namespace assay {
namespace {

using ListKind = Expression::Kind;

bool HasMap(const Expression& e) {
  return e.kind == ListKind::kMap || std::ranges::any_of(e.children, HasMap);
}

// Puts `by` in the place of the variable of a loop. Variables in `by` are those
// of loops around it, which have other slots than the loops inside.
void Substitute(size_t slot, const Expression& by, Expression* e) {
  if (e->kind == ListKind::kIndex && e->slot == slot) {
    *e = by;
    return;
  }
  for (Expression& child : e->children) Substitute(slot, by, &child);
}

Expression ElementOf(const Expression& list, const Expression& index) {
  const auto element = [&] {
    return Expression::Of(ListKind::kElement, {list, index});
  };
  if (!list.is_list) return list;
  if (list.kind == ListKind::kRange) return index;
  if (list.kind == ListKind::kItems && index.kind == ListKind::kNumber &&
      index.number >= 0 &&
      index.number < static_cast<int64_t>(list.children.size()))
    return list.children[static_cast<size_t>(index.number)];
  if (!HasMap(list)) return element();
  if (list.kind == ListKind::kMap) {
    Expression body = list.children[1];
    Substitute(list.slot, ElementOf(list.children[0], index), &body);
    return body;
  }
  const bool is_by_element =
      list.kind >= ListKind::kAdd && list.kind <= ListKind::kMax;
  if (!is_by_element && list.kind != ListKind::kConditional) return element();
  std::vector<Expression> children;
  for (const Expression& child : list.children)
    children.push_back(ElementOf(child, index));
  return Expression::Of(list.kind, std::move(children));
}

}  // namespace

Term Subscript(const Term& base, const Term& index) {
  if (base.IsSettled()) return base;
  if (index.IsSettled()) return index;
  const int64_t* number = NumberOf(index);
  if (const auto* row = base.As<Term::Row>()) {
    const Expression columns =
        Expression::Of(ListKind::kElement,
                       {Expression::OfSlot(ListKind::kShape, row->of.shape),
                        Expression::Number(1)});
    return Compiled(
        ListKind::kElement,
        {Expression::OfSlot(ListKind::kVector, row->of.list),
         Expression::Of(ListKind::kAdd, {Expression::Of(ListKind::kMultiply,
                                                        {row->index, columns}),
                                         ToExpression(index)})});
  }
  if (const auto* matrix = base.As<Term::Matrix>())
    return {Term::Row{*matrix, ToExpression(index)}};
  if (const Value* place = ConstantOf(index);
      place != nullptr && number == nullptr)
    return Constant(Value::Undefined{"a subscript that is no number"});
  const std::optional<Term::List> list = TermsOf(base);
  if (!list && ConstantOf(base) != nullptr)
    return Constant(Value::Undefined{"a subscript of what is no list"});
  if (list && number != nullptr) {
    // Nothing stands there, and another constraint says so.
    if (*number < 0 || *number >= static_cast<int64_t>(list->size())) return {};
    return (*list)[static_cast<size_t>(*number)];
  }
  const Expression whole = ToExpression(base);
  return {HasMap(whole) ? ElementOf(whole, ToExpression(index))
                        : Expression::Of(ListKind::kElement,
                                         {whole, ToExpression(index)})};
}

Term Slice(const Term& base, const Term& begin, const Term& end) {
  for (const Term* part : {&base, &begin, &end}) {
    if (part->IsSettled()) return *part;
  }
  const auto is_none = [](const Term& term) {
    const Value* value = ConstantOf(term);
    return value != nullptr && value->Is<Value::None>();
  };
  const std::optional<Term::List> list = TermsOf(base);
  const int64_t size = list ? std::ssize(*list) : 0;
  const int64_t first = 0;
  const int64_t* from = is_none(begin) ? &first : NumberOf(begin);
  const int64_t* to = is_none(end) ? &size : NumberOf(end);
  if (list && from != nullptr && to != nullptr) {
    if (*from < 0 || *from > *to || *to > size)
      return Constant(Value::Undefined{"a slice beyond the list"});
    return ListOf({list->begin() + *from, list->begin() + *to});
  }
  const Expression whole = ToExpression(base);
  return Compiled(
      ListKind::kSlice,
      {whole, is_none(begin) ? Expression::Number(0) : ToExpression(begin),
       is_none(end) ? Expression::Of(ListKind::kLength, {whole})
                    : ToExpression(end)});
}

}  // namespace assay
