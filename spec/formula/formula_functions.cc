// These are the global functions of the notation ("Functions on types",
// "Functions on values", "Shape computations" of the specification). There is
// one row per function: its arguments, its result and its code. A function
// gives None where it does not apply, as the text says.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "spec/formula/formula.h"
#include "spec/formula/formula_node.h"
#include "spec/pointwise/broadcast.h"

namespace assay {

const TensorType* TypeOf(const Value& value) {
  if (const TensorType* type = value.As<TensorType>()) return type;
  if (const Value::Placeholder* placeholder = value.As<Value::Placeholder>())
    return placeholder->type.AsTensor();
  return nullptr;
}

std::optional<ValueType> ValueTypeOf(const Value& value) {
  if (const auto* placeholder = value.As<Value::Placeholder>())
    return placeholder->type;
  if (const auto* tensor = value.As<TensorType>()) return *tensor;
  if (const auto* token = value.As<TokenType>()) return *token;
  if (const auto* tuple = value.As<TupleType>()) return *tuple;
  return std::nullopt;
}

namespace {

using List = Value::List;
using Undefined = Value::Undefined;
using None = Value::None;

// Returns the element type that a type predicate asks about.
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
  if (const std::optional<ValueType> type = ValueTypeOf(a[0]);
      type && type->AsTuple())
    return static_cast<int64_t>(type->AsTuple()->types.size());
  if (const List* list = a[0].As<List>()) {
    // The size of a tensor constant is the product of its dimensions.
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

// The published notation writes complex<E>, whose brackets would be comparisons
// in our dialect.
Value ComplexType(const std::vector<Value>& a) {
  const std::optional<ElementType> type = ElementTypeOf(a[0]);
  if (type == ElementType::kF32) return ElementType::kComplexF32;
  if (type == ElementType::kF64) return ElementType::kComplexF64;
  return None{};
}

// Quantized element types do not exist here yet: nothing is quantized, and
// their members are None, as the text says for types that lack a member.
Value NotQuantized(const std::vector<Value>&) { return false; }
Value NoMember(const std::vector<Value>&) { return None{}; }

Value FromType(const ValueType& type) {
  return std::visit([](const auto& t) { return Value(t); }, type.rep);
}

Value TypeFunction(const std::vector<Value>& a) {
  const std::optional<ValueType> type = ValueTypeOf(a[0]);
  return type ? FromType(*type) : Value(None{});
}

Value FromTypes(const std::vector<ValueType>& types) {
  List list;
  for (const ValueType& type : types) list.push_back(FromType(type));
  return list;
}

Value InputTypes(const std::vector<Value>& a) {
  const FunctionType* type = a[0].As<FunctionType>();
  return type ? FromTypes(type->inputs) : Value(None{});
}

Value OutputTypes(const std::vector<Value>& a) {
  const FunctionType* type = a[0].As<FunctionType>();
  return type ? FromTypes(type->outputs) : Value(None{});
}

Value TupleElementTypes(const std::vector<Value>& a) {
  const std::optional<ValueType> type = ValueTypeOf(a[0]);
  const TupleType* tuple = type ? type->AsTuple() : nullptr;
  return tuple ? FromTypes(tuple->types) : Value(None{});
}

Value IsTensor(const std::vector<Value>& a) {
  const std::optional<ValueType> type = ValueTypeOf(a[0]);
  return type.has_value() && type->IsTensor();
}

Value IsToken(const std::vector<Value>& a) {
  return ValueTypeOf(a[0]) == ValueType(TokenType());
}

// tuple_type([types]): what the text writes tuple<E0, ..., EN-1>.
Value TupleTypeFunction(const std::vector<Value>& a) {
  const List* types = a[0].As<List>();
  if (types == nullptr) return None{};
  TupleType tuple;
  for (const Value& element : *types) {
    const std::optional<ValueType> type = ValueTypeOf(element);
    if (!type) return None{};
    tuple.types.push_back(*type);
  }
  return tuple;
}

// scalar_type(E): what the text writes tensor<E>.
Value ScalarType(const std::vector<Value>& a) {
  const std::optional<ElementType> type = ElementTypeOf(a[0]);
  return type ? Value(TensorType({}, *type)) : Value(None{});
}

Value IsPromotable(const std::vector<Value>& a) {
  const std::optional<ElementType> x = ElementTypeOf(a[0]),
                                   y = ElementTypeOf(a[1]);
  if (!x || !y) return None{};
  const bool is_same_type =
      (IsBoolean(*x) && IsBoolean(*y)) || (IsInteger(*x) && IsInteger(*y)) ||
      (IsFloat(*x) && IsFloat(*y)) || (IsComplex(*x) && IsComplex(*y));
  // The published function has no branch for booleans, which promote to
  // themselves.
  return is_same_type && Info(*x).bits <= Info(*y).bits;
}

Value SameFunction(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr) return Undefined{"same() of something that is no list"};
  // Equality is transitive, except that a `?` is compatible with every size.
  Truth all = Truth::kTrue;
  for (const Value& element : *list)
    all = And(all, TruthOf(Compare("=", list->front(), element)));
  if (all == Truth::kTrue || all == Truth::kFalse) return ToValue(all);
  for (size_t i = 1; all != Truth::kFalse && i < list->size(); ++i) {
    for (size_t k = 1; k < i; ++k)
      all = And(all, TruthOf(Compare("=", (*list)[k], (*list)[i])));
  }
  return ToValue(all);
}

Value Max(const std::vector<Value>& a) {
  const int64_t* bound = a[1].As<int64_t>();
  const List* list = a[0].As<List>();
  if (list == nullptr || bound == nullptr)
    return Undefined{"max() takes a list of numbers and a number"};
  List result;
  for (const Value& element : *list) {
    const int64_t* number = element.As<int64_t>();
    result.push_back(number ? Value(std::max(*number, *bound)) : element);
  }
  return result;
}

Value Sum(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr) return Undefined{"sum() of something that is no list"};
  if (const std::optional<Value> undecided = FindUndecided(*list))
    return *undecided;
  int64_t sum = 0;
  for (const Value& element : *list) {
    const int64_t* number = element.As<int64_t>();
    if (number == nullptr) return Undefined{"sum() of what is no number"};
    if (__builtin_add_overflow(sum, *number, &sum))
      return Undefined{"a sum of the formula overflows 64 bits"};
  }
  return sum;
}

// product(list): what the text writes reduce(list, init_values=1,
// dimensions=[0], body=lambda x, y: x * y).
Value Product(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr)
    return Undefined{"product() of something that is no list"};
  if (const std::optional<Value> undecided = FindUndecided(*list))
    return *undecided;
  int64_t product = 1;
  for (const Value& element : *list) {
    const int64_t* number = element.As<int64_t>();
    if (number == nullptr) return Undefined{"product() of what is no number"};
    if (__builtin_mul_overflow(product, *number, &product))
      return Undefined{"a product of the formula overflows 64 bits"};
  }
  return product;
}

// without(shape, dimensions): "except that the dimension sizes corresponding to
// `dimensions` are not included".
Value Without(const std::vector<Value>& a) {
  const List *shape = a[0].As<List>(), *dimensions = a[1].As<List>();
  if (shape == nullptr || dimensions == nullptr)
    return Undefined{"without() takes a shape and a list of dimensions"};
  std::vector<bool> is_left_out(shape->size());
  for (const Value& element : *dimensions) {
    const int64_t* dimension = element.As<int64_t>();
    if (dimension == nullptr || *dimension < 0 ||
        *dimension >= static_cast<int64_t>(shape->size()))
      return Undefined{"without() of a dimension that the shape lacks"};
    is_left_out[static_cast<size_t>(*dimension)] = true;
  }
  List rest;
  for (size_t d = 0; d < shape->size(); ++d) {
    if (!is_left_out[d]) rest.push_back((*shape)[d]);
  }
  return rest;
}

Value Rank(const std::vector<Value>& a) {
  const TensorType* type = TypeOf(a[0]);
  return type ? Value(static_cast<int64_t>(type->shape.size())) : Value(None{});
}

Value Axes(const std::vector<Value>& a) {
  return TypeOf(a[0]) ? Range({Rank(a)}) : Value(None{});
}

// This implements broadcast(a, b) and is_broadcastable(a, b).
template <bool kAsks>
Value BroadcastFunction(const std::vector<Value>& arguments) {
  const TensorType *a = TypeOf(arguments[0]), *b = TypeOf(arguments[1]);
  if (a == nullptr || b == nullptr) return None{};
  const BroadcastOperand operands[] = {{"", a->shape}, {"", b->shape}};
  const Inference inference = InferResultShape(operands);
  if constexpr (kAsks) {
    if (inference.failed()) return false;
    if (!a->IsStatic() || !b->IsStatic()) return Value::Unknown{};
    return true;
  }
  if (inference.failed()) return Undefined{"the shapes are not broadcastable"};
  List sizes;
  for (const int64_t size : *inference.shape)
    sizes.push_back(size == kDynamic ? Value(Value::Unknown{}) : Value(size));
  return sizes;
}

Value IsUnique(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr)
    return Undefined{"is_unique of something that is no list"};
  std::vector<int64_t> numbers;
  for (const Value& element : *list) {
    if (const int64_t* number = element.As<int64_t>())
      numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  if (std::ranges::adjacent_find(numbers) != numbers.end()) return false;
  if (numbers.size() == list->size()) return true;
  Truth all = Truth::kTrue;
  for (size_t i = 0; all != Truth::kFalse && i < list->size(); ++i) {
    for (size_t k = 0; k < i; ++k)
      all = And(all, TruthOf(Compare("!=", (*list)[k], (*list)[i])));
  }
  return ToValue(all);
}

Value NumBits(const std::vector<Value>& a) {
  const std::optional<ElementType> type = ElementTypeOf(a[0]);
  return type ? Value(int64_t{Info(*type).bits}) : Value(None{});
}

struct GlobalFunction {
  FunctionSignature signature;
  Value (*apply)(const std::vector<Value>&);
};

const std::unordered_map<std::string, GlobalFunction>& Functions() {
  const FormulaType kTyped{kTensorKind | kTypeKind};
  const FormulaType kAnyTyped{kTensorKind | kTypeKind | kElementTypeKind};
  const FormulaType kType{kTypeKind}, kElement{kElementTypeKind};
  const FormulaType kInteger{kNumberKind}, kTruth{kBooleanKind};
  const FormulaType kIntegers{kListKind, kNumberKind};
  const FormulaType kShape{kShapeKind, kNumberKind};
  const FormulaType kList{kListKind};
  const FormulaType kAnyList{kListKinds}, kAnyIntegers{kListKinds, kNumberKind};
  const FormulaType kTypes{kListKind, kTypeKind}, kFunction{kFunctionKind};
  const FormulaType kSized{kTensorKind | kTypeKind | kListKind | kShapeKind |
                           kNumberKind | kBooleanKind};
  static const std::unordered_map<std::string, GlobalFunction> functions = {
      {"axes", {{{kTyped}, kIntegers}, Axes}},
      {"baseline_element_type", {{{kTyped}, kElement}, ElementTypeFunction}},
      {"baseline_type", {{{kTyped}, kType}, TypeFunction}},
      {"complex_element_type", {{{kAnyTyped}, kElement}, ComplexElementType}},
      {"complex_type", {{{kAnyTyped}, kElement}, ComplexType}},
      {"dim", {{{kTyped, kInteger}, kInteger}, Dim}},
      {"element_type", {{{kTyped}, kElement}, ElementTypeFunction}},
      {"expressed_type", {{{kAnyTyped}, kElement}, NoMember}},
      {"is_boolean", {{{kAnyTyped}, kTruth}, Predicate<IsBoolean>}},
      {"is_complex", {{{kAnyTyped}, kTruth}, Predicate<IsComplex>}},
      {"is_float", {{{kAnyTyped}, kTruth}, Predicate<IsFloat>}},
      {"is_integer", {{{kAnyTyped}, kTruth}, Predicate<IsInteger>}},
      {"is_per_axis_quantized", {{{kAnyTyped}, kTruth}, NotQuantized}},
      {"is_per_tensor_quantized", {{{kAnyTyped}, kTruth}, NotQuantized}},
      {"is_quantized", {{{kAnyTyped}, kTruth}, NotQuantized}},
      {"is_signed_integer",
       {{{kAnyTyped}, kTruth}, Predicate<IsSignedInteger>}},
      {"is_tensor", {{{kTyped}, kTruth}, IsTensor}},
      {"is_token", {{{kTyped}, kTruth}, IsToken}},
      {"is_unsigned_integer",
       {{{kAnyTyped}, kTruth}, Predicate<IsUnsignedInteger>}},
      {"broadcast", {{{kTyped, kTyped}, kShape}, BroadcastFunction<false>}},
      {"is_broadcastable",
       {{{kTyped, kTyped}, kTruth}, BroadcastFunction<true>}},
      {"input_types", {{{kFunction}, kTypes}, InputTypes}},
      {"is_promotable", {{{kElement, kElement}, kTruth}, IsPromotable}},
      {"is_unique", {{{kList}, kTruth}, IsUnique}},
      {"max", {{{kAnyIntegers, kInteger}, kIntegers}, Max}},
      {"num_bits", {{{kAnyTyped}, kInteger}, NumBits}},
      {"output_types", {{{kFunction}, kTypes}, OutputTypes}},
      {"product", {{{kAnyIntegers}, kInteger}, Product}},
      {"quantization_dimension", {{{kAnyTyped}, kInteger}, NoMember}},
      {"range", {{{kInteger}, kIntegers}, Range}},
      {"rank", {{{kTyped}, kInteger}, Rank}},
      {"scales", {{{kAnyTyped}, kList}, NoMember}},
      {"same", {{{kAnyList}, kTruth}, SameFunction}},
      {"scalar_type", {{{kElement}, kType}, ScalarType}},
      {"shape", {{{kTyped}, kShape}, [](auto& a) { return ShapeOf(a[0]); }}},
      {"size", {{{kSized}, kInteger}, Size}},
      {"storage_type", {{{kAnyTyped}, kElement}, NoMember}},
      {"sum", {{{kAnyIntegers}, kInteger}, Sum}},
      {"tuple_element_types", {{{kTyped}, kTypes}, TupleElementTypes}},
      {"tuple_type", {{{kTypes}, kType}, TupleTypeFunction}},
      {"type", {{{kTyped}, kType}, TypeFunction}},
      {"without", {{{kShape, kIntegers}, kShape}, Without}},
      {"zero_points", {{{kAnyTyped}, kList}, NoMember}},
  };
  return functions;
}

const GlobalFunction& FindFunction(const std::string& name, size_t arity) {
  const auto it = Functions().find(name);
  if (it == Functions().end())
    throw FormulaError(fmt::format("unknown function '{}'", name));
  const size_t parameters = it->second.signature.parameters.size();
  if (arity != parameters) {
    throw FormulaError(fmt::format("{}() takes {} argument(s), not {}", name,
                                   parameters, arity));
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
  if (node.kind == Formula::Node::Kind::kForAll) {
    if (names.contains(node.text) || constants.contains(node.text) ||
        ParseElementType(node.text))
      throw FormulaError(fmt::format("'{}' is a name already", node.text));
    CheckNode(node.children[0], names);
    auto bound = names;
    bound.insert(node.text);
    return CheckNode(node.children[1], bound);
  }
  for (const Formula::Node& child : node.children) CheckNode(child, names);
}

}  // namespace

const FunctionSignature& FindSignature(const std::string& name, size_t arity) {
  return FindFunction(name, arity).signature;
}

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
