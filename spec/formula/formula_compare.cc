// Values are compared element by element if they are lists, and by
// compatibility if they are types with `?` dimensions.
#include <fmt/format.h>

#include "spec/formula/formula.h"
#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using List = Value::List;
using Undefined = Value::Undefined;
using None = Value::None;

template <class T>
Truth CompareNumbers(const std::string& op, T a, T b) {
  const bool holds = op == "="    ? a == b
                     : op == "<"  ? a < b
                     : op == "<=" ? a <= b
                     : op == ">"  ? a > b
                                  : a >= b;
  return holds ? Truth::kTrue : Truth::kFalse;
}

Truth Same(bool same) { return same ? Truth::kTrue : Truth::kFalse; }

// "At compile time, static dimensions must be equal, otherwise they merely need
// to be compatible" (Dynamism).
Truth CompatibleShapes(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return Truth::kFalse;
  Truth all = Truth::kTrue;
  for (size_t d = 0; d < a.size(); ++d) {
    all = And(all, a[d] == kDynamic || b[d] == kDynamic ? Truth::kDeferred
                                                        : Same(a[d] == b[d]));
  }
  return all;
}

Truth Equal(const Value& lhs, const Value& rhs);

Truth CompareLists(const std::string& op, const Value& lhs, const Value& rhs) {
  const List* a = lhs.As<List>();
  const List* b = rhs.As<List>();
  if (a && b && a->size() != b->size())
    return op == "=" ? Truth::kFalse : Truth::kUndefined;
  Truth all = Truth::kTrue;
  for (size_t i = 0; i < (a ? a->size() : b->size()); ++i) {
    all = And(all, TruthOf(Compare(op, a ? (*a)[i] : lhs, b ? (*b)[i] : rhs)));
  }
  return all;
}

bool SameQuantization(const TensorType& a, const TensorType& b) {
  return a.quantization == b.quantization ||
         (a.quantization && b.quantization &&
          *a.quantization == *b.quantization);
}

Truth EqualTypes(const ValueType& s, const ValueType& t) {
  if (s.IsTensor() && t.IsTensor())
    return And(Same(s.tensor().element_type == t.tensor().element_type &&
                    SameQuantization(s.tensor(), t.tensor())),
               CompatibleShapes(s.tensor().shape, t.tensor().shape));
  const TupleType *a = s.AsTuple(), *b = t.AsTuple();
  if (a == nullptr || b == nullptr) return Same(s == t);
  Truth all = Same(a->types.size() == b->types.size());
  for (size_t i = 0; all != Truth::kFalse && i < a->types.size(); ++i)
    all = And(all, EqualTypes(a->types[i], b->types[i]));
  return all;
}

Truth Equal(const Value& lhs, const Value& rhs) {
  const std::optional<ValueType> s = ValueTypeOf(lhs), t = ValueTypeOf(rhs);
  if (s && t) return EqualTypes(*s, *t);
  const auto same = [&]<class T>(std::in_place_type_t<T>) {
    return lhs.Is<T>() && rhs.Is<T>() && *lhs.As<T>() == *rhs.As<T>();
  };
  return Same(same(std::in_place_type<None>) ||
              same(std::in_place_type<bool>) ||
              same(std::in_place_type<Symbol>) ||
              same(std::in_place_type<FunctionType>) ||
              same(std::in_place_type<std::string>) ||
              same(std::in_place_type<ElementType>) ||
              same(std::in_place_type<Value::Quantized>));
}

}  // namespace

Value Compare(const std::string& op, const Value& lhs, const Value& rhs) {
  // A scalar beside a list broadcasts, so it differs from every element.
  const bool broadcasts = lhs.Is<List>() != rhs.Is<List>();
  if (op == "!=" && !broadcasts)
    return ToValue(Not(TruthOf(Compare("=", lhs, rhs))));
  if (const std::optional<Value> undecided = FindUndecided({lhs, rhs}))
    return *undecided;
  if (op == "in") {
    const List* list = rhs.As<List>();
    if (list == nullptr) return Undefined{"'in' something that is not a list"};
    Truth any = Truth::kFalse;
    for (const Value& element : *list)
      any = Or(any, TruthOf(Compare("=", lhs, element)));
    return ToValue(any);
  }
  if (lhs.Is<List>() || rhs.Is<List>())
    return ToValue(CompareLists(op, lhs, rhs));
  const std::optional<__int128> a = IntegerOf(lhs), b = IntegerOf(rhs);
  if (a && b) return ToValue(CompareNumbers(op, *a, *b));
  const double *x = lhs.As<double>(), *y = rhs.As<double>();
  if ((a || x) && (b || y))
    return ToValue(CompareNumbers(op, x ? *x : static_cast<double>(*a),
                                  y ? *y : static_cast<double>(*b)));
  if (op == "=") return ToValue(Equal(lhs, rhs));
  return Undefined{fmt::format("'{}' between {} and {}", op, lhs.ToString(),
                               rhs.ToString())};
}

}  // namespace assay
