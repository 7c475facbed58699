#include "cases/read/case_attribute.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/read/data.h"
#include "spec/printable_text.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

// Constants of several dimensions are groups of processes, of which there may
// be many.
constexpr int64_t kMostConstants = int64_t{1} << 20;

// Rows without elements count as well.
void RequireSize(const JsonView& json, const Shape& shape) {
  const std::optional<int64_t> count = ElementCount(shape);
  if (!count || *count > kMostConstants ||
      std::ranges::any_of(shape,
                          [](int64_t size) { return size > kMostConstants; }))
    json.Fail(fmt::format("more than {} elements", kMostConstants));
}

// Appends the elements of nested arrays, which have the shape of the tensor.
void AppendElements(const JsonView& json, const Shape& shape, size_t dimension,
                    Json* elements) {
  if (dimension == shape.size()) {
    elements->push_back(json.json());
    return;
  }
  const auto size = static_cast<int64_t>(json.RequireArray().size());
  if (size != shape[dimension])
    json.Fail(fmt::format("{} element(s), but others have {}", size,
                          shape[dimension]));
  for (const JsonView& element : json.Elements())
    AppendElements(element, shape, dimension + 1, elements);
}

}  // namespace

ValueType ParseType(const JsonView& text) {
  std::string reason;
  if (text.String().starts_with("tuple") || text.String().starts_with("!") ||
      IsQuantizedType(text.String()))
    return ReadValueType(text.where(), text.String());
  const std::optional<TensorType> type =
      ParseTensorType(text.String(), &reason);
  if (!type) text.Fail(reason);
  return *type;
}

namespace {

Tensor ParseTyped(const JsonView& value) {
  value.RequireObject({"type", "data"});
  const ValueType type = ParseType(value.At("type"));
  if (!type.IsTensor()) value.At("type").Fail("a constant is a tensor");
  if (!type.IsStatic()) value.At("type").Fail("a constant has no '?'");
  return ParseElements(value.At("data"), type);
}

// A member is a string, a tensor that says its type, or a dictionary.
Dictionary ParseDictionary(const JsonView& json) {
  Dictionary dictionary;
  for (const auto& [name, value] : json.Members()) {
    if (value.json().is_string()) {
      dictionary.members.push_back({name, value.String()});
    } else if (value.json().is_object() && value.json().contains("data")) {
      dictionary.members.push_back({name, ParseTyped(value)});
    } else {
      dictionary.members.push_back({name, ParseDictionary(value)});
    }
  }
  return dictionary;
}

}  // namespace

Attribute ParseAttribute(const JsonView& value, const InputSpec& input) {
  if (input.variadic) {
    InputSpec one = input;
    one.variadic = false;
    AttributeList list;
    for (const JsonView& element : value.Elements())
      list.elements.push_back(ParseAttribute(element, one).value);
    return {input.name, std::move(list)};
  }
  switch (input.kind) {
    case InputSpec::Kind::kEnum:
    case InputSpec::Kind::kType:
      return {input.name, Symbol{value.String()}};
    case InputSpec::Kind::kName:
      return {input.name, FunctionName{value.String()}};
    case InputSpec::Kind::kDictionary:
      return {input.name, ParseDictionary(value)};
    case InputSpec::Kind::kMetadata:
      if (value.json().is_object()) return {input.name, ParseDictionary(value)};
      return {input.name, value.String()};
    case InputSpec::Kind::kText:
      return {input.name,
              value.json().is_string() ? value.String() : TextOf(value.json())};
    default:
      break;
  }
  // A constant of any type says which it has.
  if (!input.type) return {input.name, ParseTyped(value)};
  TensorType type = *input.type;
  if (type.shape.empty()) return {input.name, ParseScalar(value, type)};
  // One without elements says its shape.
  if (value.json().is_object()) {
    value.RequireObject({"type", "data"});
    const ValueType given = ParseType(value.At("type"));
    if (!given.IsTensor() || !given.IsStatic() ||
        given.tensor().shape.size() != type.shape.size() ||
        given.tensor().element_type != type.element_type)
      value.At("type").Fail(
          fmt::format("'{}' is {}", input.name, type.ToString()));
    RequireSize(value.At("type"), given.tensor().shape);
    return {input.name, ParseElements(value.At("data"), given)};
  }
  // A list may have any length here; the constraints say which is right.
  const Json* rows = &value.json();
  for (int64_t& size : type.shape) {
    if (!rows->is_array()) break;
    if (size == kDynamic) size = static_cast<int64_t>(rows->size());
    if (rows->empty()) break;
    rows = &rows->front();
  }
  if (!type.IsStatic()) {
    value.RequireArray();
    value.Fail(fmt::format("'{}' is {}, and says its type where it is empty",
                           input.name, type.ToString()));
  }
  RequireSize(value, type.shape);
  Json elements = Json::array();
  AppendElements(value, type.shape, 0, &elements);
  return {input.name, ParseElements(value.WithJson(elements), type)};
}

}  // namespace assay
