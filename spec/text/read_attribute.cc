#include "spec/text/read_attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "spec/elements.h"
#include "spec/printable_text.h"
#include "spec/text/print.h"

namespace assay::text {
namespace {

// A constant that an op declares is about dimensions, of which there are few. A
// longer one is a mistake, or an attack.
constexpr int64_t kMostConstants = int64_t{1} << 14;
// One of two dimensions may be about processes.
constexpr int64_t kMostOfTwoDimensions = int64_t{1} << 20;

Tensor ScalarTensor(ElementType type, ElementBits bits) {
  TensorType scalar;
  scalar.element_type = type;
  Tensor tensor(scalar);
  tensor.SetBits(0, bits);
  return tensor;
}

std::optional<AttributeValue> ValueOf(const Attribute& attribute);

std::optional<AttributeValue> MembersOf(const NamedAttributes& members) {
  Dictionary dictionary;
  for (const NamedAttribute& member : members) {
    std::optional<AttributeValue> value = ValueOf(*member.value);
    if (!value) return std::nullopt;
    dictionary.members.push_back({member.name, *std::move(value)});
  }
  return dictionary;
}

// Returns nullopt for what no attribute of a specification is.
std::optional<AttributeValue> ValueOf(const Attribute& attribute) {
  if (attribute.As<UnitAttribute>() != nullptr)
    return ScalarTensor(ElementType::kI1, 1);
  if (const auto* truth = attribute.As<bool>())
    return ScalarTensor(ElementType::kI1, *truth ? 1 : 0);
  if (const auto* integer = attribute.As<IntegerAttribute>()) {
    // An integer that is written without a type is an i64.
    if (integer->type && integer->type->kind != Type::Kind::kScalar)
      return std::nullopt;
    const ElementType type =
        integer->type ? integer->type->tensor.element_type : ElementType::kI64;
    return ScalarTensor(type, BitsOf(type, integer->value));
  }
  if (const auto* number = attribute.As<FloatAttribute>())
    return ScalarTensor(number->type, number->bits);
  if (const auto* dense = attribute.As<DenseAttribute>())
    return dense->elements;
  if (const auto* string = attribute.As<StringAttribute>())
    return string->value;
  if (const auto* constant = attribute.As<EnumAttribute>())
    return Symbol{constant->value};
  if (const auto* symbol = attribute.As<SymbolAttribute>()) {
    if (symbol->path.size() != 1) return std::nullopt;
    return FunctionName{symbol->path.front()};
  }
  if (const auto* list = attribute.As<ListAttribute>()) {
    AttributeList values;
    for (const Attribute& element : list->elements) {
      std::optional<AttributeValue> value = ValueOf(element);
      if (!value) return std::nullopt;
      values.elements.push_back(*std::move(value));
    }
    return values;
  }
  if (const auto* dictionary = attribute.As<DictionaryAttribute>())
    return MembersOf(dictionary->entries);
  if (const auto* type = attribute.As<TypePtr>()) {
    if ((*type)->kind == Type::Kind::kScalar)
      return Symbol{Name((*type)->tensor.element_type)};
    if ((*type)->kind == Type::Kind::kOther) return Symbol{(*type)->name};
    return std::nullopt;
  }
  if (const auto* fields = attribute.As<StructAttribute>())
    return MembersOf(fields->fields);
  return std::nullopt;
}

bool IsOfEnum(const Attribute& attribute, const InputSpec& input,
              const OpForm* form) {
  const auto* constant = attribute.As<EnumAttribute>();
  return constant != nullptr && constant->dialect == "stablehlo" &&
         constant->kind == EnumOf(form, input);
}

bool IsOfKind(const Attribute& attribute, const AttributeValue& value,
              const InputSpec& input, const OpForm* form) {
  if (input.variadic) {
    const auto* list = attribute.As<ListAttribute>();
    if (list == nullptr) return false;
    InputSpec one = input;
    one.variadic = false;
    const auto& values = std::get<AttributeList>(value).elements;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!IsOfKind(list->elements[i], values[i], one, form)) return false;
    }
    return true;
  }
  switch (input.kind) {
    case InputSpec::Kind::kConstant: {
      const auto* tensor = std::get_if<Tensor>(&value);
      if (tensor == nullptr || !input.type) return tensor != nullptr;
      return tensor->element_type() == input.type->element_type &&
             tensor->type().shape.size() == input.type->shape.size();
    }
    case InputSpec::Kind::kEnum:
      return IsOfEnum(attribute, input, form);
    case InputSpec::Kind::kText:
      return std::holds_alternative<std::string>(value);
    case InputSpec::Kind::kName:
      return std::holds_alternative<FunctionName>(value);
    case InputSpec::Kind::kDictionary:
      return std::holds_alternative<Dictionary>(value);
    case InputSpec::Kind::kMetadata:
      return std::holds_alternative<Dictionary>(value) ||
             std::holds_alternative<std::string>(value);
    case InputSpec::Kind::kType:
      return attribute.As<TypePtr>() != nullptr &&
             std::holds_alternative<Symbol>(value);
    default:
      return false;
  }
}

void RequireQuantizedType(const TensorType& type, Location location) {
  const ViolatedType violated = CheckQuantizedType(type);
  if (violated.results.empty()) return;
  std::vector<std::string> labels;
  for (const ConstraintResult& result : violated.results)
    labels.push_back(result.constraint->label);
  throw ConstraintsViolated(
      location,
      fmt::format("{} violates {} of {}: {}", Cut(type.ToString()), labels[0],
                  violated.element->id, violated.results[0].Text()),
      violated.element->id, labels);
}

}  // namespace

ValueType ReadType(const Type& type, Location location) {
  switch (type.kind) {
    case Type::Kind::kTensor:
      if (type.encoding)
        throw NotJudged(location,
                        fmt::format("types with an encoding are not judged: {}",
                                    Cut(TypeText(type))),
                        "types with an encoding");
      if (type.tensor.quantization) RequireQuantizedType(type.tensor, location);
      return type.tensor;
    case Type::Kind::kToken:
      return TokenType();
    case Type::Kind::kTuple: {
      TupleType tuple;
      for (const TypePtr& element : type.inputs)
        tuple.types.push_back(ReadType(*element, location));
      return tuple;
    }
    default:
      throw SyntaxError(location, fmt::format("no value has the type: {}",
                                              Cut(TypeText(type))));
  }
}

namespace {

// Fields of structs and attributes that are numbers of an enum are written
// without the type that the specification gives them.
std::optional<AttributeValue> ValueOfField(const Attribute& attribute,
                                           const InputSpec& input) {
  const auto* integer = attribute.As<IntegerAttribute>();
  if (integer != nullptr && !input.numbers.empty()) {
    const auto number = std::ranges::find(input.numbers, integer->value);
    if (number == input.numbers.end()) return std::nullopt;
    return Symbol{
        input.values[static_cast<size_t>(number - input.numbers.begin())]};
  }
  if (!input.type || !IsInteger(input.type->element_type)) return std::nullopt;
  const auto number_of = [](const Attribute& a) {
    const auto* number = a.As<IntegerAttribute>();
    return number && number->type == nullptr
               ? std::optional<int64_t>(number->value)
               : std::nullopt;
  };
  std::vector<int64_t> numbers;
  TensorType type = *input.type;
  if (const auto* list = attribute.As<ListAttribute>()) {
    if (type.shape.size() != 1) return std::nullopt;
    for (const Attribute& element : list->elements) {
      const std::optional<int64_t> number = number_of(element);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    type.shape = {static_cast<int64_t>(numbers.size())};
  } else {
    const std::optional<int64_t> number = number_of(attribute);
    if (!number || !type.shape.empty()) return std::nullopt;
    numbers = {*number};
  }
  for (const int64_t number : numbers) {
    if (number < MinValue(type.element_type) ||
        number > MaxValue(type.element_type))
      return std::nullopt;
  }
  return IntegerTensor(type, numbers);
}

}  // namespace

std::optional<AttributeValue> ReadAttribute(const Attribute& attribute,
                                            const InputSpec& input,
                                            const OpForm* form) {
  if (!input.numbers.empty()) return ValueOfField(attribute, input);
  if (!input.text_field.empty()) {
    if (std::optional<AttributeValue> value = ValueOfField(attribute, input))
      return value;
  }
  std::optional<AttributeValue> value = ValueOf(attribute);
  if (!value || !IsOfKind(attribute, *value, input, form)) return std::nullopt;
  return value;
}

bool IsTooLong(const Attribute& attribute, const InputSpec& input) {
  const auto* dense = attribute.As<DenseAttribute>();
  if (dense == nullptr || !input.type) return false;
  const Tensor& tensor = dense->elements;
  const Shape& shape = tensor.type().shape;
  const int64_t most = shape.size() > 1 ? kMostOfTwoDimensions : kMostConstants;
  // Rows without elements count as well.
  return tensor.size() > most ||
         std::ranges::any_of(shape, [&](int64_t size) { return size > most; });
}

std::optional<ResultAccuracy> ReadResultAccuracy(const Attribute& attribute,
                                                 const OpSpec& spec,
                                                 const Op& op,
                                                 Location location) {
  const auto refuse = [&](const char* why) {
    return SyntaxError(location, fmt::format("result_accuracy: {}", why));
  };
  const auto* fields = attribute.As<StructAttribute>();
  if (fields == nullptr) throw refuse("not #stablehlo.result_accuracy<..>");
  const Attribute* const mode = Find(fields->fields, "mode");
  const auto* constant = mode ? mode->As<EnumAttribute>() : nullptr;
  if (constant == nullptr || constant->value == "DEFAULT") return std::nullopt;
  if (constant->value != "TOLERANCE")
    throw NotJudged(location,
                    "result_accuracy: only the modes DEFAULT and TOLERANCE are "
                    "judged",
                    "result_accuracy");
  if (spec.rule != "ulp" || op.inputs.empty() ||
      !op.inputs[0].type.IsTensor() ||
      !IsFloat(op.inputs[0].type.tensor().element_type))
    throw NotJudged(location,
                    "result_accuracy: judged of an op with an accuracy budget "
                    "alone, on floats",
                    "result_accuracy");
  const auto number = [&](const char* name) {
    const Attribute* const field = Find(fields->fields, name);
    const auto* value = field ? field->As<FloatAttribute>() : nullptr;
    return value ? std::bit_cast<double>(static_cast<uint64_t>(value->bits))
                 : 0.0;
  };
  ResultAccuracy accuracy{number("atol"), number("rtol"), 0};
  if (const Attribute* const ulps = Find(fields->fields, "ulps"))
    accuracy.ulps = ulps->As<IntegerAttribute>()->value;
  if (!(accuracy.atol >= 0 && accuracy.rtol >= 0 && accuracy.ulps >= 0) ||
      accuracy.atol > 1e300 || accuracy.rtol > 1e300)
    throw refuse("its numbers are finite and 0 or more");
  return accuracy;
}

ElementType StoredAs(ElementType storage_type) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (info.kind == ElementKind::kSignedInteger &&
        info.bits == Info(storage_type).bits)
      return info.type;
  }
  return storage_type;
}

}  // namespace assay::text
