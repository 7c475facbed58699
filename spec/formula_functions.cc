// Comparison of values and the global functions of the notation ("Functions on
// types", "Functions on values", "Shape computations" of the specification).
// One row per function; what a function does not apply to gives None, as the
// text says.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "spec/formula.h"
#include "spec/formula_node.h"

namespace assay {
namespace {

using List = Value::List;
using Undefined = Value::Undefined;
using None = Value::None;

// The tensor type of a type, or of a value or placeholder that has one.
const TensorType* TypeOf(const Value& value) {
  if (const TensorType* type = value.As<TensorType>()) return type;
  if (const Value::Placeholder* placeholder = value.As<Value::Placeholder>())
    return &placeholder->type;
  return nullptr;
}

// The element type that a type predicate asks about.
std::optional<ElementType> ElementTypeOf(const Value& value) {
  if (const ElementType* type = value.As<ElementType>()) return *type;
  if (const TensorType* type = TypeOf(value)) return type->element_type;
  return std::nullopt;
}

Value ShapeOf(const Value& value) {
  const TensorType* type = TypeOf(value);
  if (type == nullptr) return None{};
  List shape;
  for (int64_t size : type->shape)
    shape.push_back(size == kDynamic ? Value(Value::Unknown{}) : Value(size));
  return shape;
}

template <bool (*kPredicate)(ElementType)>
Value Predicate(const std::vector<Value>& a) {
  const std::optional<ElementType> type = ElementTypeOf(a[0]);
  return type.has_value() && kPredicate(*type);
}

Value Range(const std::vector<Value>& a) {
  const int64_t* size = a[0].As<int64_t>();
  if (size == nullptr || *size < 0 || *size > static_cast<int64_t>(kMaxRank))
    return Undefined{"range of something that is not a rank"};
  List list;
  for (int64_t i = 0; i < *size; ++i) list.push_back(i);
  return list;
}

Value Dim(const std::vector<Value>& a) {
  const Value shape = ShapeOf(a[0]);
  const List* sizes = shape.As<List>();
  const int64_t* axis = a[1].As<int64_t>();
  if (sizes == nullptr || axis == nullptr)
    return Undefined{
        "dim of something without a shape, or by something that is not an "
        "axis"};
  if (*axis < 0 || *axis >= static_cast<int64_t>(sizes->size()))
    return Undefined{
        fmt::format("dimension {} of rank {}", *axis, sizes->size())};
  return (*sizes)[static_cast<size_t>(*axis)];
}

Value Size(const std::vector<Value>& a) {
  if (a[0].Is<int64_t>() || a[0].Is<bool>()) return int64_t{1};
  if (const List* list = a[0].As<List>()) {
    // Of a tensor constant: the product of its dimensions.
    int64_t size = static_cast<int64_t>(list->size());
    if (!list->empty() && list->front().Is<List>())
      size *= *Size({list->front()}).As<int64_t>();
    return size;
  }
  const TensorType* type = TypeOf(a[0]);
  if (type == nullptr) return None{};
  if (!type->IsStatic()) return Value::Unknown{};
  const std::optional<int64_t> count = ElementCount(type->shape);
  return count ? Value(*count)
               : Value(Undefined{"the number of elements overflows 63 bits"});
}

Value ElementTypeFunction(const std::vector<Value>& a) {
  const TensorType* type = TypeOf(a[0]);
  return type ? Value(type->element_type) : Value(None{});
}

Value ComplexElementType(const std::vector<Value>& a) {
  const std::optional<ElementType> type = ElementTypeOf(a[0]);
  if (type == ElementType::kComplexF32) return ElementType::kF32;
  if (type == ElementType::kComplexF64) return ElementType::kF64;
  return None{};
}

// Quantized element types do not exist here yet: nothing is quantized, and
// their members are None, as the text has it for types that lack a member.
Value NotQuantized(const std::vector<Value>&) { return false; }
Value NoMember(const std::vector<Value>&) { return None{}; }

struct GlobalFunction {
  size_t arity;
  std::function<Value(const std::vector<Value>&)> apply;
};

const std::unordered_map<std::string, GlobalFunction>& Functions() {
  static const std::unordered_map<std::string, GlobalFunction> functions = {
      {"axes",
       {1,
        [](auto& a) {
          const TensorType* t = TypeOf(a[0]);
          return t ? Range({static_cast<int64_t>(t->shape.size())})
                   : Value(None{});
        }}},
      {"baseline_element_type", {1, ElementTypeFunction}},
      {"baseline_type",
       {1,
        [](auto& a) {
          const TensorType* t = TypeOf(a[0]);
          return t ? Value(*t) : Value(None{});
        }}},
      {"complex_element_type", {1, ComplexElementType}},
      {"dim", {2, Dim}},
      {"element_type", {1, ElementTypeFunction}},
      {"expressed_type", {1, NoMember}},
      {"is_boolean", {1, Predicate<IsBoolean>}},
      {"is_complex", {1, Predicate<IsComplex>}},
      {"is_float", {1, Predicate<IsFloat>}},
      {"is_integer", {1, Predicate<IsInteger>}},
      {"is_per_axis_quantized", {1, NotQuantized}},
      {"is_per_tensor_quantized", {1, NotQuantized}},
      {"is_quantized", {1, NotQuantized}},
      {"is_signed_integer", {1, Predicate<IsSignedInteger>}},
      {"is_unsigned_integer", {1, Predicate<IsUnsignedInteger>}},
      {"num_bits",
       {1,
        [](auto& a) {
          const auto t = ElementTypeOf(a[0]);
          return t ? Value(int64_t{Info(*t).bits}) : Value(None{});
        }}},
      {"quantization_dimension", {1, NoMember}},
      {"range", {1, Range}},
      {"rank",
       {1,
        [](auto& a) {
          const TensorType* t = TypeOf(a[0]);
          return t ? Value(static_cast<int64_t>(t->shape.size()))
                   : Value(None{});
        }}},
      {"shape", {1, [](auto& a) { return ShapeOf(a[0]); }}},
      {"size", {1, Size}},
      {"storage_type", {1, NoMember}},
      {"type",
       {1,
        [](auto& a) {
          const TensorType* t = TypeOf(a[0]);
          return t ? Value(*t) : Value(None{});
        }}},
  };
  return functions;
}

Truth CompareIntegers(const std::string& op, int64_t a, int64_t b) {
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

Truth Equal(const Value& lhs, const Value& rhs) {
  const TensorType* a = TypeOf(lhs);
  const TensorType* b = TypeOf(rhs);
  if (a && b)
    return And(Same(a->element_type == b->element_type),
               CompatibleShapes(a->shape, b->shape));
  const auto same = [&]<class T>(std::in_place_type_t<T>) {
    return lhs.Is<T>() && rhs.Is<T>() && *lhs.As<T>() == *rhs.As<T>();
  };
  return Same(same(std::in_place_type<None>) ||
              same(std::in_place_type<bool>) ||
              same(std::in_place_type<Symbol>) ||
              same(std::in_place_type<std::string>) ||
              same(std::in_place_type<ElementType>));
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
  const int64_t* a = lhs.As<int64_t>();
  const int64_t* b = rhs.As<int64_t>();
  if (a && b) return ToValue(CompareIntegers(op, *a, *b));
  if (op == "=") return ToValue(Equal(lhs, rhs));
  return Undefined{fmt::format("'{}' between {} and {}", op, lhs.ToString(),
                               rhs.ToString())};
}

namespace {

const GlobalFunction& FindFunction(const std::string& name, size_t arity) {
  const auto it = Functions().find(name);
  if (it == Functions().end())
    throw FormulaError(fmt::format("unknown function '{}'", name));
  if (arity != it->second.arity) {
    throw FormulaError(fmt::format("{}() takes {} argument(s), not {}", name,
                                   it->second.arity, arity));
  }
  return it->second;
}

void CheckNode(const Formula::Node& node,
               const std::set<std::string, std::less<>>& names) {
  static const std::set<std::string, std::less<>> constants = {"true", "false",
                                                               "None"};
  if (node.kind == Formula::Node::Kind::kCall)
    FindFunction(node.text, node.children.size());
  if (node.kind == Formula::Node::Kind::kName && !names.contains(node.text) &&
      !constants.contains(node.text) && !ParseElementType(node.text))
    throw FormulaError(fmt::format("unknown name '{}'", node.text));
  for (const Formula::Node& child : node.children) CheckNode(child, names);
}

}  // namespace

void CheckNames(const Formula& formula,
                const std::set<std::string, std::less<>>& names) {
  try {
    CheckNode(formula.root(), names);
  } catch (const FormulaError& e) {
    throw FormulaError(
        fmt::format("formula \"{}\": {}", formula.text(), e.what()));
  }
}

Value CallFunction(const std::string& name,
                   const std::vector<Value>& arguments) {
  const GlobalFunction& function = FindFunction(name, arguments.size());
  if (const std::optional<Value> undecided = FindUndecided(arguments))
    return *undecided;
  return function.apply(arguments);
}

}  // namespace assay
