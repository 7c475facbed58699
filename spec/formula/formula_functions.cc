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
#include "spec/formula/functions.h"
#include "spec/pointwise/broadcast.h"

namespace assay {

const TensorType* TypeOf(const Value& value) {
  if (const TensorType* type = value.As<TensorType>()) return type;
  if (const Value::Placeholder* placeholder = value.As<Value::Placeholder>())
    return placeholder->type.AsTensor();
  return value.TypeOfConstant();
}

std::optional<ValueType> ValueTypeOf(const Value& value) {
  if (const auto* placeholder = value.As<Value::Placeholder>())
    return placeholder->type;
  if (const auto* tensor = value.As<TensorType>()) return *tensor;
  if (const auto* token = value.As<TokenType>()) return *token;
  if (const auto* tuple = value.As<TupleType>()) return *tuple;
  return std::nullopt;
}

Value functions::ElementTypeOf(const TensorType& type) {
  if (type.quantization) return Value::Quantized{type.quantization};
  return type.element_type;
}

Value functions::ElementTypeOf(const Value& value) {
  if (value.Is<ElementType>() || value.Is<Value::Quantized>()) return value;
  if (const TensorType* type = TypeOf(value)) return ElementTypeOf(*type);
  return Value::None{};
}

namespace {

using List = Value::List;
using Undefined = Value::Undefined;
using None = Value::None;

// Returns the element type that a type predicate asks about; nullopt if it is
// none, or quantized.
std::optional<ElementType> PlainElementType(const Value& value) {
  const Value type = functions::ElementTypeOf(value);
  const ElementType* plain = type.As<ElementType>();
  return plain ? std::optional<ElementType>(*plain) : std::nullopt;
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
  const std::optional<ElementType> type = PlainElementType(a[0]);
  return type.has_value() && kPredicate(*type);
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
    // The elements of a tensor constant are those of its rows.
    int64_t size = 0;
    for (const Value& element : *list)
      size += element.Is<List>() ? *Size({element}).As<int64_t>() : 1;
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
  return type ? functions::ElementTypeOf(*type) : Value(None{});
}

Value ComplexElementType(const std::vector<Value>& a) {
  const std::optional<ElementType> type = PlainElementType(a[0]);
  if (type == ElementType::kComplexF32) return ElementType::kF32;
  if (type == ElementType::kComplexF64) return ElementType::kF64;
  return None{};
}

// The published notation writes complex<E>, whose brackets would be comparisons
// in our dialect.
Value ComplexType(const std::vector<Value>& a) {
  const std::optional<ElementType> type = PlainElementType(a[0]);
  if (type == ElementType::kF32) return ElementType::kComplexF32;
  if (type == ElementType::kF64) return ElementType::kComplexF64;
  return None{};
}

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
  const Value element = functions::ElementTypeOf(a[0]);
  if (const ElementType* type = element.As<ElementType>())
    return TensorType({}, *type);
  const auto* quantized = element.As<Value::Quantized>();
  if (quantized == nullptr) return None{};
  TensorType type({}, quantized->quantization->storage_type);
  type.quantization = quantized->quantization;
  return type;
}

// value(x): the elements of an operand, if the program gives them.
Value ValueFunction(const std::vector<Value>& a) {
  const auto* placeholder = a[0].As<Value::Placeholder>();
  if (placeholder == nullptr) return None{};
  return placeholder->known ? Value::FromTensor(*placeholder->known)
                            : Value(Value::Unknown{});
}

Value Rank(const std::vector<Value>& a) {
  const TensorType* type = TypeOf(a[0]);
  return type ? Value(static_cast<int64_t>(type->shape.size())) : Value(None{});
}

Value Axes(const std::vector<Value>& a) {
  return TypeOf(a[0]) ? functions::Range({Rank(a)}) : Value(None{});
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

Value NumBits(const std::vector<Value>& a) {
  const std::optional<ElementType> type = PlainElementType(a[0]);
  return type ? Value(int64_t{Info(*type).bits}) : Value(None{});
}

struct GlobalFunction {
  FunctionSignature signature;
  Value (*apply)(const std::vector<Value>&);
};

const std::unordered_map<std::string, GlobalFunction>& Functions() {
  // A tensor constant has a type, too.
  const FormulaType kTyped{kTensorKind | kTypeKind | kConstantKind};
  const FormulaType kAnyTyped{kTensorKind | kTypeKind | kElementTypeKind};
  const FormulaType kAny{kAnyKind};
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
      {"arranged", {{{kAnyList, kAnyIntegers}, kShape}, functions::Arranged}},
      {"axes", {{{kTyped}, kIntegers}, Axes}},
      {"baseline_element_type",
       {{{kTyped}, kElement}, functions::BaselineElementType}},
      {"baseline_type", {{{kTyped}, kType}, functions::BaselineType}},
      {"complex_element_type", {{{kAnyTyped}, kElement}, ComplexElementType}},
      {"complex_type", {{{kAnyTyped}, kElement}, ComplexType}},
      {"dim", {{{kTyped, kInteger}, kInteger}, Dim}},
      {"element_type", {{{kTyped}, kElement}, ElementTypeFunction}},
      {"expressed_type", {{{kAnyTyped}, kElement}, functions::ExpressedType}},
      {"is_boolean", {{{kAnyTyped}, kTruth}, Predicate<IsBoolean>}},
      {"is_complex", {{{kAnyTyped}, kTruth}, Predicate<IsComplex>}},
      {"is_finite", {{{kInteger}, kTruth}, functions::IsFiniteNumber}},
      {"is_value_of", {{{kInteger, kElement}, kTruth}, functions::IsValueOf}},
      {"max_value", {{{kElement}, kInteger}, functions::GreatestValue}},
      {"min_value", {{{kElement}, kInteger}, functions::LeastValue}},
      {"is_float", {{{kAnyTyped}, kTruth}, Predicate<IsFloat>}},
      {"is_integer", {{{kAnyTyped}, kTruth}, Predicate<IsInteger>}},
      {"is_per_axis_quantized",
       {{{kAnyTyped}, kTruth}, functions::IsPerAxisQuantized}},
      {"is_per_tensor_quantized",
       {{{kAnyTyped}, kTruth}, functions::IsPerTensorQuantized}},
      {"is_quantized", {{{kAnyTyped}, kTruth}, functions::IsQuantized}},
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
      {"is_defined_in_parent_scope",
       {{{kFunction}, kTruth}, functions::IsDefinedInParentScope}},
      {"is_namespaced_op_name",
       {{{kAny}, kTruth}, functions::IsNamespacedOpName}},
      {"is_promotable",
       {{{kElement, kElement}, kTruth}, functions::IsPromotable}},
      {"is_sorted", {{{kList}, kTruth}, functions::IsSorted}},
      {"is_unique", {{{kList}, kTruth}, functions::IsUnique}},
      {"max", {{{kAnyIntegers, kInteger}, kIntegers}, functions::Max}},
      {"num_bits", {{{kAnyTyped}, kInteger}, NumBits}},
      {"output_types", {{{kFunction}, kTypes}, OutputTypes}},
      {"product", {{{kAnyIntegers}, kInteger}, functions::Product}},
      {"quantization_dimension",
       {{{kAnyTyped}, kInteger}, functions::QuantizationDimension}},
      {"range", {{{kInteger}, kIntegers}, functions::Range}},
      {"rank", {{{kTyped}, kInteger}, Rank}},
      {"scales", {{{kAnyTyped}, kIntegers}, functions::Scales}},
      {"same", {{{kAnyList}, kTruth}, functions::SameFunction}},
      {"scalar_type", {{{kElement}, kType}, ScalarType}},
      {"shape", {{{kTyped}, kShape}, [](auto& a) { return ShapeOf(a[0]); }}},
      {"size", {{{kSized}, kInteger}, Size}},
      {"storage_max", {{{kAnyTyped}, kInteger}, functions::StorageMax}},
      {"storage_min", {{{kAnyTyped}, kInteger}, functions::StorageMin}},
      {"storage_type", {{{kAnyTyped}, kElement}, functions::StorageType}},
      {"sum", {{{kAnyIntegers}, kInteger}, functions::Sum}},
      {"tuple_element_types", {{{kTyped}, kTypes}, TupleElementTypes}},
      {"tuple_type", {{{kTypes}, kType}, TupleTypeFunction}},
      {"type", {{{kTyped}, kType}, TypeFunction}},
      {"without", {{{kAnyList, kAnyIntegers}, kShape}, functions::Without}},
      {"value", {{{kTyped}, kList}, ValueFunction}},
      {"zero_points", {{{kAnyTyped}, kIntegers}, functions::ZeroPoints}},
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
      !constants.contains(node.text) && !ParseElementType(node.text) &&
      node.text != kTensorFloat32 && !IsProcessCount(node.text))
    throw FormulaError(fmt::format("unknown name '{}'", node.text));
  if (node.kind == Formula::Node::Kind::kForAll ||
      node.kind == Formula::Node::Kind::kComprehension) {
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
